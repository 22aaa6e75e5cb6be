"""Games that never end: exact recurrence of the state."""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm

from bmn import rules as rule_sets
from bmn.cards import Deal, hands_of
from bmn.errors import InputError
from bmn.game import ENDINGS, Game
from bmn.reference import Position
from bmn.rules import Rules

DEFAULT_BUDGET = 10_000_000
"""Tricks after which a game is left undecided."""

VERDICTS = ("ends", "cycle", "undecided")
"""What can be known of a game, in the order of the kernels' codes."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """How a game that never ends repeats itself.

    A state is all hands in order and who leads. The game comes to a state of the cycle after
    the preperiod, and to that state again after each period.

    Attributes
    ----------
    preperiod_tricks, preperiod_cards
        Tricks resolved, and cards laid, before the cycle is reached.
    period_tricks, period_cards
        Those of the cycle.
    period_tricks_seat_normalised
        The period if it does not matter who sits where: half of it, if the players change
        places in between.
    laps
        How often the cycle is run through until the plain cards too are in their old places;
        1 if plain cards are not told apart.
    """

    preperiod_tricks: int
    preperiod_cards: int
    period_tricks: int
    period_cards: int
    period_tricks_seat_normalised: int
    laps: int = 1

    @property
    def tricks_at_first_repeat(self) -> int:
        """Tricks resolved when a state comes back for the first time."""
        return self.preperiod_tricks + self.period_tricks

    @property
    def cards_at_first_repeat(self) -> int:
        """Cards laid when a state comes back for the first time."""
        return self.preperiod_cards + self.period_cards


def cycle(
    deal: str | Deal,
    *,
    rules: str | Rules = rule_sets.STANDARD,
    distinct_plain_cards: bool = False,
    budget: int = DEFAULT_BUDGET,
) -> Cycle | None:
    """Return the cycle a game runs into, or None if the game ends.

    Parameters
    ----------
    deal
        A hand for each player, like ``--A-/J---``.
    rules
        A rule set or its name; house rules that stop a game are left aside.
    distinct_plain_cards
        Tell plain cards apart. The cards then come back to their places only after some laps
        of the cycle; every period is that of all laps.
    budget
        Tricks after which the search is given up.

    Raises
    ------
    InputError
        If the deal is malformed, or the game is undecided after `budget` tricks.

    Examples
    --------
    >>> found = cycle("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")
    >>> found.preperiod_tricks, found.period_tricks
    (4, 62)
    >>> cycle("-----J/Q-Q-J-") is None
    True
    """
    rules = rule_sets.rules_of(rules)
    hands = hands_of(deal, rules.players)
    found = decide(hands, rules, budget)
    if found is None:
        raise InputError(
            f"the game is still undecided after {budget} tricks; allow more with a larger budget"
        )
    if isinstance(found, Game):
        return None
    return _with_distinct_plain_cards(hands, rules, found) if distinct_plain_cards else found


def decide(hands: tuple[bytes, ...], rules: Rules, budget: int) -> Game | Cycle | None:
    """Find out how a game ends, or that it does not: None if that takes too many tricks."""
    if budget < 1:
        raise InputError(f"a budget of {budget} tricks is not enough; allow at least 1")
    if _packable(hands, rules):
        from bmn.explore import _explore

        columns, _ = _explore.classify(_explore.pack(*hands)[None], budget)
        return _decided({name: int(values[0]) for name, values in columns.items()})
    from bmn.explore import _general

    _, game, recurring = _general.classify(hands, rules, budget)
    if game:
        tricks, card_plays, winner, ending = game
        return Game(tricks, card_plays, winner, ENDINGS[ending])
    if recurring:
        preperiod, preperiod_cards, period, period_cards, laps = recurring
        return Cycle(preperiod, preperiod_cards, period * laps, period_cards * laps, period)
    return None


def _packable(hands: tuple[bytes, ...], rules: Rules) -> bool:
    """Whether the fast kernel plays this deal: standard play, and not too many cards."""
    from bmn.explore import _explore

    cards = b"".join(hands)
    standard = rules.standard_play and len(hands) == 2
    penalties = len(cards) - cards.count(0)
    return standard and len(cards) <= _explore.MAX_CARDS and penalties <= _explore.MAX_PENALTIES


def _decided(row: dict[str, int]) -> Game | Cycle | None:
    verdict = VERDICTS[row["verdict"]]
    if verdict == "ends":
        return Game(row["tricks"], row["card_plays"], row["winner"], ENDINGS[row["ending"]])
    if verdict == "undecided":
        return None
    return Cycle(
        preperiod_tricks=row["preperiod_tricks"],
        preperiod_cards=row["preperiod_cards"],
        period_tricks=row["period_tricks"],
        period_cards=row["period_cards"],
        period_tricks_seat_normalised=row["period_tricks_seat_normalised"],
    )


def _with_distinct_plain_cards(hands: tuple[bytes, ...], rules: Rules, found: Cycle) -> Cycle:
    """Count the laps until every plain card is back in its place.

    One lap of the cycle, as seen from the leader's chair, permutes the cards. A plain card is
    back after as many laps as its orbit is long, and the seats after theirs.
    """
    position = Position(hands, rules)
    _play_tricks(position, found.preperiod_tricks)
    values = [card for hand in position.hands for card in hand]
    number = 0
    for hand in position.hands:
        for place in range(len(hand)):
            hand[place] = number
            number += 1
    position.penalties = [rules.penalties[value] for value in values]
    before = _from_the_leader(position)
    _play_tricks(position, found.period_tricks_seat_normalised)
    goes_to = dict(zip(_from_the_leader(position), before, strict=True))
    normalised = 1
    for card, value in enumerate(values):
        if value == 0:
            normalised = lcm(normalised, _orbit_length(goes_to, card))
    seats = found.period_tricks // found.period_tricks_seat_normalised
    laps = lcm(normalised, seats) // seats
    return Cycle(
        found.preperiod_tricks,
        found.preperiod_cards,
        found.period_tricks * laps,
        found.period_cards * laps,
        found.period_tricks_seat_normalised * normalised,
        laps,
    )


def _play_tricks(position: Position, tricks: int) -> None:
    stop = position.resolved + tricks
    while position.resolved < stop:
        position.lay_card()


def _from_the_leader(position: Position) -> list[int]:
    """List all cards, the leader's first and then clockwise."""
    hands = position.hands[position.player :] + position.hands[: position.player]
    return [card for hand in hands for card in hand]


def _orbit_length(goes_to: dict[int, int], card: int) -> int:
    length, place = 1, goes_to[card]
    while place != card:
        length, place = length + 1, goes_to[place]
    return length
