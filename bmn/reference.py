"""The slow, obvious implementation of the game, to be checked against the rules by eye.

It shares nothing with the compiled engines but the notation of cards. `Position.lay_card` is the
whole game, under any rule set; `moves` hands it out card by card and `play` runs it to the end.
`cycle` and `predecessors` are the slow twins of the compiled cycle detection and backward play.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from bmn.cards import Deal
from bmn.game import DEFAULT_CAP, Ending, Game
from bmn.rules import STANDARD, Rules

PENALTIES = STANDARD.penalties
"""What each card value demands: nothing, or as many cards as its value (J 1, Q 2, K 3, A 4)."""


class Position:
    """A game in progress.

    Attributes
    ----------
    hands : list of deque of int
        The hands, top card first.
    pile : list of int
        The pile, in the order the cards were played.
    player : int
        Who must play next; once the game has ended, who could not.
    owed : int
        How many cards the player owes; 0 while there is no obligation.
    claimant : int
        Who laid the last penalty card, and so takes the pile if the obligation is met.
    next : list of int
        The next player clockwise who is still in, for each who is in themselves.
    resolved : int
        Tricks resolved so far.
    taken : int
        Cards taken in resolved tricks so far.
    ending : str or None
        ``dry`` or ``capture`` once only one player is left, who has won.
    winner : int or None
        Who that is.
    """

    def __init__(self, deal: Sequence[bytes], rules: Rules = STANDARD):
        self.rules = rules
        self.penalties = rules.penalties
        self.hands = [deque(hand) for hand in deal]
        self.pile: list[int] = []
        self.player = rules.leader
        self.owed = 0
        self.next = [*range(1, len(self.hands)), 0]
        self.resolved = 0
        self.taken = 0
        self.ending: Ending | None = None
        self.winner: int | None = None
        self.claimant = rules.leader
        self._held_at_lead = [*map(len, self.hands)]
        self._as_played = rules.pile == "as played"
        self._taker_leads = rules.next_leader == "taker"
        self._ends_when_empty = rules.ends == "empty hand"

    def can_play(self) -> bool:
        """Take out the players who must play and have no card; return whether the game goes on."""
        while not self.hands[self.player]:
            if self._leave():
                return False
        return True

    def lay_card(self) -> int | None:
        """Lay the next card and return it; None if the game has ended for want of one."""
        player = self.player
        hand = self.hands[player]
        if not hand:
            if not self.can_play():
                return None
            player = self.player
            hand = self.hands[player]
        card = hand.popleft()
        self.pile.append(card)
        demand = self.penalties[card]
        if self._ends_when_empty and not hand:
            # The player stays to move, and so has lost.
            return card
        if demand:
            # A penalty card replaces whatever was owed.
            self.owed = demand
            self.claimant = player
            self.player = self.next[player]
        elif self.owed > 1:
            self.owed -= 1
        elif self.owed:
            # The obligation is met: whoever laid the last penalty card takes the pile.
            taker = self.claimant
            self.hands[taker].extend(self.pile if self._as_played else reversed(self.pile))
            self.taken += len(self.pile)
            self.pile.clear()
            self.owed = 0
            self.resolved += 1
            if self._taker_leads:
                self.player = taker
            self._held_at_lead = [*map(len, self.hands)]
        else:
            self.player = self.next[player]
        return card

    def _leave(self) -> bool:
        """Take out the player, who must play and cannot; return whether one player is left.

        Their turn, and whatever is owed, passes to the next.
        """
        out, heir = self.player, self.next[self.player]
        if self.next[heir] == out:
            self.winner = heir
            self.ending = "dry" if self._held_at_lead[out] or not self.pile else "capture"
            return True
        self.next[self.next.index(out)] = heir
        self.next[out] = -1
        self.player = heir
        return False

    @property
    def card_plays(self) -> int:
        """Cards laid so far."""
        return self.taken + len(self.pile)

    @property
    def state(self) -> tuple:
        """What decides the rest of the game between tricks: all hands in order, and who leads."""
        return (*map(bytes, self.hands), tuple(self.next), self.player)


class Move(NamedTuple):
    """One card laid, and the position after it.

    Attributes
    ----------
    trick, card_play
        Numbers of the trick and of the card play, both from 1.
    player, card
        Who laid the card, and its value.
    next_player, owed
        Who must play next, and how many cards they owe (0: no obligation).
    took
        Who took the pile with this move, or None.
    hands
        The hands, top card first.
    pile
        The pile in the order played; empty after it was taken.
    """

    trick: int
    card_play: int
    player: int
    card: int
    next_player: int
    owed: int
    took: int | None
    hands: tuple[bytes, ...]
    pile: bytes

    @property
    def first(self) -> bytes:
        """The hand of the first player."""
        return self.hands[0]

    @property
    def second(self) -> bytes:
        """The hand of the second player."""
        return self.hands[1]


def moves(
    deal: Sequence[bytes],
    *,
    cap: int = DEFAULT_CAP,
    penalties: Sequence[int] | None = None,
    rules: Rules = STANDARD,
) -> Iterator[Move]:
    """Play a game and yield every card play with the position after it.

    Parameters
    ----------
    deal
        A hand for each player.
    cap
        Stop once this many tricks have been resolved.
    penalties
        How many cards each card value demands, values 0 to 4, if not what the rules say.
    rules
        The rule set; its house rules do not stop the game here.
    """
    position = Position(deal, _with(rules, penalties))
    while position.resolved < cap:
        if not position.can_play():
            return
        player, trick = position.player, position.resolved + 1
        card = position.lay_card()
        taken = position.resolved == trick
        yield Move(
            trick=trick,
            card_play=position.card_plays,
            player=player,
            card=card,
            next_player=position.player,
            owed=position.owed,
            took=position.claimant if taken else None,
            hands=tuple(map(bytes, position.hands)),
            pile=bytes(position.pile),
        )


def play(
    deal: Sequence[bytes],
    *,
    cap: int = DEFAULT_CAP,
    penalties: Sequence[int] | None = None,
    rules: Rules = STANDARD,
) -> Game:
    """Play a game to its end, or until `cap` tricks have been resolved.

    Parameters
    ----------
    deal
        A hand for each player.
    cap
        Tricks after which an undecided game is given up.
    penalties
        How many cards each card value demands, values 0 to 4, if not what the rules say.
    rules
        The rule set.

    Returns
    -------
    Game
        The outcome; ``capped`` if the game was still undecided, ``stopped`` if a house rule
        ended it.
    """
    position = Position(deal, _with(rules, penalties))
    if rules.stop_tricks or rules.stop_on_repeat:
        return _play_to_stop(position, cap)
    while position.resolved < cap:
        if position.lay_card() is None:
            return _ended(position)
    return Game(position.resolved, position.card_plays, 0, "capped")


def _play_to_stop(position: Position, cap: int) -> Game:
    """Play under house rules that stop a game between two tricks."""
    rules, seen = position.rules, {position.state}
    while position.resolved < cap:
        trick = position.resolved + 1
        while position.resolved < trick:
            if position.lay_card() is None:
                return _ended(position)
        repeated = rules.stop_on_repeat and position.state in seen
        if repeated or position.resolved == rules.stop_tricks:
            held = [len(hand) for hand in position.hands]
            most = held.index(max(held)) if held.count(max(held)) == 1 else None
            return Game(position.resolved, position.card_plays, most, "stopped")
        seen.add(position.state)
    return Game(position.resolved, position.card_plays, 0, "capped")


def _ended(position: Position) -> Game:
    return Game(
        tricks=position.resolved + 1,
        card_plays=position.card_plays,
        winner=position.winner,
        ending=position.ending,
    )


def _with(rules: Rules, penalties: Sequence[int] | None) -> Rules:
    return rules if penalties is None else replace(rules, penalties=tuple(penalties))


class Recurrence(NamedTuple):
    """How a game that never ends repeats itself, in tricks and in cards laid."""

    preperiod_tricks: int
    preperiod_cards: int
    period_tricks: int
    period_cards: int


def cycle(
    deal: Sequence[bytes], *, rules: Rules = STANDARD, cap: int = DEFAULT_CAP
) -> Recurrence | None:
    """Keep every state of a game until one comes back: all hands in order, and who leads.

    Parameters
    ----------
    deal
        A hand for each player.
    rules
        The rule set.
    cap
        Tricks after which an undecided game is given up.

    Returns
    -------
    Recurrence or None
        None if the game ends, or is undecided.
    """
    position = Position(deal, rules)
    seen = {position.state: (0, 0)}
    while position.resolved < cap:
        trick = position.resolved + 1
        while position.resolved < trick:
            if position.lay_card() is None:
                return None
        if position.state in seen:
            tricks, cards = seen[position.state]
            return Recurrence(
                tricks, cards, position.resolved - tricks, position.card_plays - cards
            )
        seen[position.state] = (position.resolved, position.card_plays)
    return None


def predecessors(deal: Deal) -> list[Deal]:
    """Return all deals that come to this one in one trick, under the standard rules.

    The pile won last is some number of cards at the bottom of the leader's hand; laid out again
    in that order it says itself who laid which card, up to who led. So every deal that may have
    come before is written down, and played.

    Parameters
    ----------
    deal
        The first hand leads.

    Returns
    -------
    list of Deal
        The leader's hand first, in ascending order.
    """
    won, other = deal
    found = set()
    for size in range(1, len(won) + 1):
        kept, pile = won[: len(won) - size], won[len(won) - size :]
        for leader_won in (True, False):
            hands = [bytearray(), bytearray()]
            player = owed = 0
            for card in pile:
                hands[player].append(card)
                if PENALTIES[card]:
                    owed, player = PENALTIES[card], 1 - player
                elif owed:
                    owed -= 1
                else:
                    player = 1 - player
            rest = (kept, other) if leader_won else (other, kept)
            before = Deal(*(bytes(laid) + hand for laid, hand in zip(hands, rest, strict=True)))
            if _after_one_trick(before) == deal:
                found.add(before)
    return sorted(found)


def _after_one_trick(deal: Deal) -> Deal | None:
    """Return the deal after one trick, the new leader's hand first; None if the game ends."""
    position = Position(deal)
    while position.resolved == 0:
        if position.lay_card() is None:
            return None
    leader, other = position.player, 1 - position.player
    return Deal(bytes(position.hands[leader]), bytes(position.hands[other]))
