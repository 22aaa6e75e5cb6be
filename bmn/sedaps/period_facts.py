"""The claims on periods: formulas against permutations and play, and rigid loops counted."""

from __future__ import annotations

from math import factorial, gcd, lcm

from bmn.sedaps import tables
from bmn.sedaps.facts import Fact, fact, statement
from bmn.sedaps.fates import common_divisor
from bmn.sedaps.periods import (
    cycle_lengths,
    rigid_shapes,
    top_headed_states,
    two_queue_period,
    two_queue_sigma,
)
from bmn.sedaps.plan import RIGID_DECKS
from bmn.sedaps.rigid import (
    MAX_CARDS,
    HeadsRow,
    ShapeRow,
    count_extensions,
    count_loops,
    heads_of_twelve,
    shape_rows,
)

FORMULA, SIGMA, PLAY = "formula", "permutation of the places", "play"


def two_queue_facts() -> list[Fact]:
    """Compare the two-queue formula with the permutation, for every deck and size."""
    evens = range(2, 49, 2)
    by_formula = [two_queue_period(51, alpha) for alpha in evens]
    by_sigma = [2 * lcm(*cycle_lengths(two_queue_sigma(51, alpha))) for alpha in evens]
    cases = good = 0
    for cards in range(3, 52, 2):
        for alpha in range(1, cards - 1):
            if alpha % 2:
                expected = [cards]
            else:
                expected = [alpha // 2, (cards + 1) // 2, (cards - 1 - alpha) // 2]
            cases += 1
            good += cycle_lengths(two_queue_sigma(cards, alpha)) == sorted(expected)
    return [
        fact("formula.twoqueue51", _values(by_formula), FORMULA, _values(by_sigma), SIGMA),
        statement(
            "sigma.twoqueue",
            good == cases == 625,
            f"{good} of {cases} permutations, 3 to 51 cards, have the cycles of the formula",
            SIGMA,
        ),
    ]


def _values(periods: list[int]) -> dict:
    return {
        "values": sorted(set(periods)),
        "gcdMultipliers": common_divisor([period // 52 for period in periods]),
    }


def rigid_facts(rows: list[ShapeRow], heads: list[HeadsRow], followed: int) -> list[Fact]:
    """Work out the claims on rigid loops from the shapes of all decks."""
    by_deck = {cards: [row for row in rows if row.cards == cards] for cards in RIGID_DECKS}
    made = [
        fact(
            f"rigid.periods.n{cards}",
            _periods(cards, [row.formula for row in deck], top_headed_states(cards)),
            FORMULA,
            _periods(cards, [row.sigma for row in deck], _top_headed(cards, len(deck))),
            SIGMA,
        )
        for cards, deck in by_deck.items()
    ]
    played = [row for row in rows if row.played]
    shapes = {
        "shapes": len(rows),
        "mismatches": sum(row.formula != row.sigma for row in rows),
        "played": len(played),
        "playMismatches": sum(row.formula != row.played for row in played),
        "played51": sum(row.cards == 51 for row in played),
        "played48": sum(row.cards == 48 for row in played),
    }
    made.append(fact("rigid.shapes", shapes, f"{FORMULA}, {SIGMA} and {PLAY}"))
    made += [
        fact(
            "rigid51",
            _rigid_51([row.formula for row in by_deck[51]]),
            FORMULA,
            _rigid_51([row.sigma for row in by_deck[51]]),
            SIGMA,
        ),
        statement(
            "theorem.rigid",
            shapes["mismatches"] == shapes["playMismatches"] == 0,
            f"{len(rows)} shapes agree with the permutation, {len(played)} of them with play",
            f"{FORMULA}, {SIGMA} and {PLAY}",
        ),
        statement(
            "theorem.topHeaded",
            all(row.played > 0 for row in played),
            f"all {len(played)} top-headed states that were played come back",
            PLAY,
        ),
    ]
    counted = {str(cards): _loop_text(deck) for cards, deck in by_deck.items()}
    again = sum(
        count_extensions(shape) == row.states
        for cards in RIGID_DECKS
        if cards <= MAX_CARDS
        for shape, row in zip(rigid_shapes(cards), by_deck[cards], strict=True)
    )
    small = sum(row.cards <= MAX_CARDS for row in rows)
    made.append(
        statement(
            "ours.rigidLoops",
            again == small,
            counted,
            "sets of heads placed from the top; "
            f"the first {small} shapes also as linear extensions of their order",
        )
    )
    return made + _twelve(heads, followed)


def _periods(cards: int, periods: list[int], top_headed: int) -> dict:
    different = sorted(set(periods))
    return {
        "periods": different,
        "gcd": gcd(*different),
        "multiplesNplus1": [period for period in different if period % (cards + 1) == 0],
        "topHeaded": str(top_headed),
    }


def _top_headed(cards: int, shapes: int) -> int:
    """Count top-headed states shape by shape, in three phases each."""
    heads = cards // 3 - 1
    return 3 * shapes * factorial(heads) * factorial(cards - heads)


def _rigid_51(periods: list[int]) -> dict:
    different = sorted(set(periods))
    multiples = [period for period in different if period % 52 == 0]
    return {"count": len(different), "multiplesOf52": multiples, "gcd": gcd(*different)}


def _loop_text(deck: list[ShapeRow]) -> dict[str, str]:
    return {str(period): str(number) for period, number in count_loops(deck).items()}


def _twelve(heads: list[HeadsRow], followed: int) -> list[Fact]:
    def table(all_states: int, states: dict[tuple[str, int], int]) -> dict:
        found: dict = {"states": all_states, "onRigidLoops": sum(states.values())}
        for (names, period), number in states.items():
            found.setdefault(names, {})[str(period)] = number // period
        return found

    def top(states: dict[tuple[str, int], int]) -> int:
        return sum(number for (names, _), number in states.items() if names == "9,10,11")

    enumerated = {(row.heads, row.period): row.enumerated for row in heads}
    by_order = {(row.heads, row.period): row.by_order for row in heads}
    return [
        # Six patterns, the largest card at one of three heads, the others anywhere.
        fact(
            "rigid12",
            table(followed, enumerated),
            "enumeration",
            table(6 * 3 * factorial(11), by_order),
            "linear extensions",
        ),
        fact("topheaded.n12", top(enumerated), "enumeration", top_headed_states(12), FORMULA),
    ]


def main(shapes_path: str, heads_path: str, facts_path: str) -> None:
    """Work everything out and write the tables and the facts."""
    rows = [row for cards in RIGID_DECKS for row in shape_rows(cards)]
    heads, followed = heads_of_twelve()
    tables.write(shapes_path, ShapeRow, rows)
    tables.write(heads_path, HeadsRow, heads, {"states_followed": followed})
    tables.write(facts_path, Fact, two_queue_facts() + rigid_facts(rows, heads, followed))
