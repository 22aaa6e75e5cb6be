"""Plants: stated deals whose outcome is proved by hand, played by the unmodified engine.

Both implementations could share a misunderstanding of the rules; these deals are checked against
neither but against proofs, written out in docs/plants.md. They enter the engine in one batch, as
searched deals do.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

import numpy as np

from bmn import checks, reference
from bmn.cards import Deal
from bmn.game import ENDINGS
from bmn.store import Columns

CAP = 1000
"""Tricks after which the plant that cycles is given up."""


@dataclass(frozen=True)
class Plant:
    """A deal and what the proof says of it: how it ends, or that it cycles."""

    name: str
    deal: str
    outcome: str
    period: int | None = None


PLANTS = (
    Plant(
        "ends in exactly five tricks",
        "--------------------------/-------AAAAKJJJJQQQQKKK---",
        "5 tricks, 38 card plays, seat 2 wins, dry",
    ),
    Plant(
        "cycles with period four",
        "----------------A-A-------/--------------A------A----",
        "capped",
        period=4,
    ),
    Plant("turn order: the payer answers", "J-/-J", "2 tricks, 5 card plays, seat 1 wins, dry"),
    Plant("turn order: who leads", "J-/--Q", "2 tricks, 7 card plays, seat 2 wins, dry"),
    Plant("order of the pile", "J-/-JQ", "2 tricks, 7 card plays, seat 2 wins, dry"),
    Plant("alive with no card", "JJ/J--", "3 tricks, 7 card plays, seat 1 wins, capture"),
    Plant("an unanswered lead", "JJ/--", "3 tricks, 5 card plays, seat 1 wins, capture"),
)
"""The plants; see docs/plants.md for the proofs."""


def check() -> Columns:
    """Play the plants with the engine, and compare exact states where one must cycle."""
    table = [
        checks.row(plant.name, plant.outcome, found, deal=plant.deal)
        for plant, found in _engine_outcomes()
    ]
    for plant in PLANTS:
        if plant.period is not None:
            found = first_period(Deal.parse(plant.deal))
            name = f"{plant.name}: exact states"
            table.append(checks.row(name, plant.period, found, deal=plant.deal))
    return checks.table(table)


def first_period(deal: Deal) -> int | None:
    """Return the period in tricks by exact recurrence of (both hands, who leads), or None."""
    seen: dict[tuple[bytes, bytes, int], int] = {}
    position = reference.Position(deal)
    while position.resolved < CAP:
        state = (bytes(position.hands[0]), bytes(position.hands[1]), position.player)
        if not position.pile:
            if state in seen and seen[state] != position.resolved:
                return position.resolved - seen[state]
            seen[state] = position.resolved
        if position.lay_card() is None:
            return None
    return None


def _engine_outcomes() -> list[tuple[Plant, str]]:
    """Play the plants in batches of equal size and tell how each came out."""
    from bmn import _engine

    def shape(plant: Plant) -> tuple[int, int]:
        deal = Deal.parse(plant.deal)
        return len(deal.first), len(deal.second)

    outcomes = {}
    for (first, _), batch in groupby(sorted(PLANTS, key=shape), key=shape):
        plants = list(batch)
        hands = b"".join(b"".join(Deal.parse(plant.deal)) for plant in plants)
        deals = np.frombuffer(hands, np.uint8).reshape(len(plants), -1)
        games = _engine.play_many(deals, CAP, split=first)
        for index, plant in enumerate(plants):
            outcomes[plant] = _outcome(*(int(column[index]) for column in games.values()))
    return [(plant, outcomes[plant]) for plant in PLANTS]


def _outcome(tricks: int, card_plays: int, winner: int, ending: int, violation: int) -> str:
    if violation:
        return "an invariant is broken"
    if ENDINGS[ending] == "capped":
        return "capped"
    return f"{tricks} tricks, {card_plays} card plays, seat {winner + 1} wins, {ENDINGS[ending]}"
