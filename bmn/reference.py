"""The slow, obvious implementation of the game, to be checked against the rules by eye.

It shares nothing with the compiled engine but the notation of cards. `Position.lay_card` is the
whole game; `moves` hands it out card by card and `play` runs it to the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bmn.cards import Deal
from bmn.game import DEFAULT_CAP, Ending, Game

PENALTIES = (0, 1, 2, 3, 4)
"""What each card value demands: nothing, or as many cards as its value (J 1, Q 2, K 3, A 4)."""


class Position:
    """A game in progress.

    Attributes
    ----------
    hands : list of deque of int
        Both hands, top card first.
    pile : list of int
        The pile, in the order the cards were played.
    player : int
        Who must play next.
    owed : int
        How many cards the player owes; 0 while there is no obligation.
    resolved : int
        Tricks resolved so far.
    card_plays : int
        Cards laid so far.
    ending : str or None
        ``dry`` or ``capture`` once the player had no card to lay, and so has lost.
    """

    def __init__(self, deal: Deal, penalties: Sequence[int] = PENALTIES):
        self.penalties = penalties
        self.hands = [deque(deal.first), deque(deal.second)]
        self.pile: list[int] = []
        self.player = 0
        self.owed = 0
        self.resolved = 0
        self.card_plays = 0
        self.ending: Ending | None = None
        self._empty_at_lead = [not hand for hand in self.hands]

    def lay_card(self) -> int | None:
        """Lay the next card and return it; None if the player has none and so loses."""
        hand = self.hands[self.player]
        other = 1 - self.player
        if not hand:
            unanswered = self._empty_at_lead[self.player] and self.pile
            self.ending = "capture" if unanswered else "dry"
            return None
        card = hand.popleft()
        self.pile.append(card)
        self.card_plays += 1
        if self.penalties[card] > 0:
            # A penalty card replaces whatever was owed.
            self.owed = self.penalties[card]
            self.player = other
        elif self.owed > 1:
            self.owed -= 1
        elif self.owed == 1:
            # The obligation is met: the other player takes the pile and leads.
            self.owed = 0
            self.hands[other].extend(self.pile)
            self.pile.clear()
            self.player = other
            self.resolved += 1
            self._empty_at_lead = [not hand for hand in self.hands]
        else:
            self.player = other
        return card


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
    first, second
        Both hands, top card first.
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
    first: bytes
    second: bytes
    pile: bytes


def moves(
    deal: Deal, *, cap: int = DEFAULT_CAP, penalties: Sequence[int] = PENALTIES
) -> Iterator[Move]:
    """Play a game and yield every card play with the position after it.

    Parameters
    ----------
    deal
        The first hand leads.
    cap
        Stop once this many tricks have been resolved.
    penalties
        How many cards each card value demands, values 0 to 4.
    """
    position = Position(deal, penalties)
    while position.resolved < cap:
        player, trick = position.player, position.resolved + 1
        card = position.lay_card()
        if card is None:
            return
        yield Move(
            trick=trick,
            card_play=position.card_plays,
            player=player,
            card=card,
            next_player=position.player,
            owed=position.owed,
            took=None if position.pile else position.player,
            first=bytes(position.hands[0]),
            second=bytes(position.hands[1]),
            pile=bytes(position.pile),
        )


def play(deal: Deal, *, cap: int = DEFAULT_CAP, penalties: Sequence[int] = PENALTIES) -> Game:
    """Play a game to its end, or until `cap` tricks have been resolved.

    Parameters
    ----------
    deal
        The first hand leads.
    cap
        Tricks after which an undecided game is given up.
    penalties
        How many cards each card value demands, values 0 to 4.

    Returns
    -------
    Game
        The outcome; ``capped`` if the game was still undecided.
    """
    position = Position(deal, penalties)
    while position.resolved < cap:
        if position.lay_card() is None:
            return Game(
                tricks=position.resolved + 1,
                card_plays=position.card_plays,
                winner=1 - position.player,
                ending=position.ending,
            )
    return Game(position.resolved, position.card_plays, 0, "capped")
