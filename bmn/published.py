"""What other people published about the game, measured again: agrees or differs, row by row.

Two tables: the known deals, played by both implementations, and single claims, right and wrong
ones. Statistics of random deals are compared in `bmn.statistics`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from bmn import api, reference, store
from bmn.cards import Deal, Deck
from bmn.errors import BAD_INPUT, InputError
from bmn.explore import backward, census, cycles, decks
from bmn.game import DEFAULT_CAP, ENDINGS, Game
from bmn.known import deal_of, known_deals
from bmn.rules import RULE_SETS
from bmn.store import Columns

AGREES, DIFFERS = "agrees", "differs"

CONVENTIONS: Mapping[str, tuple[str, Callable[[Game], tuple[int, int]]]] = {
    "Mann's": ("standard", lambda game: (game.tricks_mann, game.cards_mann)),
    "piles taken, all cards": ("standard", lambda game: (game.tricks - 1, game.card_plays)),
    "tricks begun, all cards": ("standard", lambda game: (game.tricks, game.card_plays)),
    "stops at an empty hand": (
        "ends-at-empty-hand",
        lambda game: (game.tricks - 1, game.card_plays),
    ),
}
"""Ways in which people count tricks and cards: the rule set, and the two numbers of a game."""


@cache
def published_data() -> dict[str, list[dict[str, Any]]]:
    """Return the claims and the statistics that are compared, each with its source."""
    return json.loads(files("bmn").joinpath("data/published.json").read_text("utf-8"))


def records() -> Columns:
    """Play every known deal with both implementations, and compare with what was published.

    Returns
    -------
    dict of ndarray
        A row for each deal: ``name``, ``deal``, ``ends`` (bool); ``tricks``, ``card_plays`` (of
        a game that ends, else at the first repeat), ``tricks_mann``, ``cards_mann``,
        ``preperiod_tricks``, ``period_tricks``, ``period_cards``,
        ``period_tricks_seat_normalised`` (uint64, 0 where there is none);
        ``implementations_agree`` (bool); ``published_tricks``, ``published_cards`` (text, None
        if nothing was published); ``convention``, the one in which those are right (None if in
        none); ``verdict`` and ``source``.
    """
    rows = [_ending(k) if k["terminates"] else _endless(k) for k in known_deals()]
    return _table(rows)


def _ending(known: dict[str, Any]) -> dict[str, Any]:
    deal, published = deal_of(known), known.get("published", {})
    game, other = api.play(deal), api.play(deal, engine="reference")
    convention = next((c for c in CONVENTIONS if _counted_so(deal, published, c)), None)
    counts = (game.tricks, game.card_plays, game.winner, game.ending)
    same = game == other and counts == tuple(
        known[name] for name in ("tricks", "card_plays", "winner", "ending")
    )
    return _row(
        known,
        same,
        convention if published else None,
        tricks=game.tricks,
        card_plays=game.card_plays,
        tricks_mann=game.tricks_mann,
        cards_mann=game.cards_mann,
    )


def _counted_so(deal: Deal, published: Mapping[str, Any], convention: str) -> bool:
    """Whether the published numbers are those of the game in a convention."""
    rule_set, count = CONVENTIONS[convention]
    counted = count(api.play(deal, rules=RULE_SETS[rule_set]))
    stated = (published.get("tricks"), published.get("cards"))
    return all(s is None or s == c for s, c in zip(stated, counted, strict=True))


def _endless(known: dict[str, Any]) -> dict[str, Any]:
    deal, published = deal_of(known), known.get("published", {})
    found, other = cycles.cycle(deal), reference.cycle(deal)
    if found is None or other is None:
        return _row(known, False, None)
    names = ("preperiod_tricks", "preperiod_cards", "period_tricks", "period_cards")
    same = tuple(getattr(found, name) for name in names) == other and all(
        getattr(found, name) == known[name]
        for name in (*names[::2], "period_cards", "period_tricks_seat_normalised")
    )
    first_repeat = (found.tricks_at_first_repeat, found.cards_at_first_repeat)
    right = (published.get("tricks"), published.get("cards")) == first_repeat
    return _row(
        known,
        same,
        "at the first repeat" if published and right else None,
        tricks=first_repeat[0],
        card_plays=first_repeat[1],
        preperiod_tricks=found.preperiod_tricks,
        period_tricks=found.period_tricks,
        period_cards=found.period_cards,
        period_tricks_seat_normalised=found.period_tricks_seat_normalised,
    )


NUMBERS = (
    "tricks",
    "card_plays",
    "tricks_mann",
    "cards_mann",
    "preperiod_tricks",
    "period_tricks",
    "period_cards",
    "period_tricks_seat_normalised",
)


def _row(
    known: dict[str, Any], same: bool, convention: str | None, **numbers: int
) -> dict[str, Any]:
    published = known.get("published", {})
    text = {name: published.get(name) for name in ("tricks", "cards")}
    agrees = same and (convention is not None or not published)
    return (
        {"name": known["name"], "deal": str(deal_of(known)), "ends": known["terminates"]}
        | dict.fromkeys(NUMBERS, 0)
        | numbers
        | {"implementations_agree": same}
        | {f"published_{name}": None if n is None else str(n) for name, n in text.items()}
        | {
            "convention": convention,
            "verdict": AGREES if agrees else DIFFERS,
            "source": known["source"],
        }
    )


def claims() -> Columns:
    """Measure every single claim.

    Returns
    -------
    dict of ndarray
        A row for each claim: ``claim``, ``published`` and ``ours`` (text, since the number of
        deals needs more than 64 bits), ``verdict``, ``why`` (of those that differ) and
        ``source``.
    """
    rows = []
    for claim in published_data()["claims"]:
        ours = MEASURES[claim["of"]](claim)
        rows.append(
            {
                "claim": claim["claim"],
                "published": str(claim["published"]),
                "ours": str(ours),
                "verdict": AGREES if ours == claim["published"] else DIFFERS,
                "why": claim.get("why"),
                "source": claim["source"],
            }
        )
    return _table(rows)


def _of_game(claim: Mapping[str, Any]) -> int:
    game, other = (api.play(claim["deal"], engine=engine) for engine in ("fast", "reference"))
    if game != other:
        raise RuntimeError(f"the implementations differ on {claim['deal']}; please report this")
    return getattr(game, claim["quantity"])


def _of_cycle(claim: Mapping[str, Any]) -> int:
    found = cycles.cycle(claim["deal"])
    if claim["quantity"] == "period_cards_seat_normalised":
        laps = found.period_tricks // found.period_tricks_seat_normalised
        return found.period_cards // laps
    return getattr(found, claim["quantity"])


def _of_basin(claim: Mapping[str, Any]) -> int:
    return int(backward.basin(claim["deal"])["balanced"].sum())


def _of_camicia(claim: Mapping[str, Any]) -> int:
    return camicia()[claim["quantity"]]


def _of_census(claim: Mapping[str, Any]) -> int:
    deck = Deck(*claim["deck"])
    tables = census.play_parallel(census.Census.of(deck))
    if claim["quantity"] == "deals_of_18_cards":
        return int(tables.plays["deals"][tables.plays["card_plays"] == 18].sum())
    return decks.deck_row(deck, tables)[claim["quantity"]]


def _of_every_deal(claim: Mapping[str, Any]) -> int:
    from bmn.explore import _general

    deck, rules = Deck(*claim["deck"]), RULE_SETS[claim["rules"]]
    first = (deck.size + 1) // 2
    sizes = (first, deck.size - first)
    games = _general.play_many(census.every_deal(deck), sizes, rules, DEFAULT_CAP)
    finished = games["ending"] != ENDINGS.index("capped")
    return int(np.count_nonzero(finished & (games["card_plays"] == 18)))


def _of_deck(claim: Mapping[str, Any]) -> int:
    return Deck(*claim["deck"]).deals


MEASURES: Mapping[str, Callable[[Mapping[str, Any]], int]] = {
    "game": _of_game,
    "cycle": _of_cycle,
    "basin": _of_basin,
    "camicia": _of_camicia,
    "census": _of_census,
    "every deal": _of_every_deal,
    "deck": _of_deck,
}


@cache
def camicia() -> dict[str, int]:
    """Find every balanced deal of the 40-card deck that reaches a known cycle.

    Returns
    -------
    dict
        ``deals``, how many there are; ``known``, how many of them are listed; ``cycles``,
        ``cycles_with_seats`` and ``deals_of_the_largest``.
    """
    known = {str(deal_of(k)) for k in known_deals() if k["n_cards"] == 40 and not k["terminates"]}
    found: dict[str, set[str]] = {}
    with_seats = 0
    for deal in sorted(known):
        if any(deal in deals for deals in found.values()):
            continue
        table = backward.basin(deal)
        key = min(table["state"][table["level"] == 0])
        found[key] = set(table["state"][table["balanced"]])
        one = cycles.cycle(deal)
        with_seats += 1 if one.period_tricks > one.period_tricks_seat_normalised else 2
    deals = set().union(*found.values())
    return {
        "deals": len(deals),
        "known": len(deals & known),
        "cycles": len(found),
        "cycles_with_seats": with_seats,
        "deals_of_the_largest": max(map(len, found.values())),
    }


def _table(rows: list[dict[str, Any]]) -> Columns:
    """Turn rows into columns: booleans, unsigned integers, floats, or text with None."""
    kinds = {bool: bool, int: np.uint64, float: np.float64}
    return {
        name: np.array(
            [row[name] for row in rows],
            kinds.get(type(rows[0][name]), object),
        )
        for name in rows[0]
    }


def main(records_path: str, claims_path: str) -> None:
    """Write both tables."""
    try:
        store.write(records_path, records())
        store.write(claims_path, claims())
    except InputError as error:
        print(f"bmn: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
