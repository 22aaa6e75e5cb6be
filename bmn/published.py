"""What other people published about the game, measured again: agrees or differs, row by row.

Three tables: the known deals, played by both implementations; single claims, right and wrong
ones; the known cycles and their basins. `bmn.statistics` compares statistics of random deals.
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
    stated = (published.get("tricks"), published.get("cards"))
    return all(s is None or s == c for s, c in zip(stated, counted(deal, convention), strict=True))


def counted(deal: Deal | str, convention: str) -> tuple[int, int]:
    """Count the tricks and cards of a deal's game in one of the `CONVENTIONS`."""
    rule_set, count = CONVENTIONS[convention]
    return count(api.play(deal, rules=RULE_SETS[rule_set]))


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
    deck, tables = Deck(*claim["deck"]), _census(Deck(*claim["deck"]))
    if claim["quantity"] == "deals_of_18_cards":
        return int(tables.plays["deals"][tables.plays["card_plays"] == 18].sum())
    return decks.deck_row(deck, tables)[claim["quantity"]]


@cache
def _census(deck: Deck) -> census.Tables:
    return census.play_parallel(census.Census.of(deck))


def _of_every_deal(claim: Mapping[str, Any]) -> int:
    return _deals_of_18_cards(Deck(*claim["deck"]), claim["rules"])


@cache
def _deals_of_18_cards(deck: Deck, rule_set: str) -> int:
    from bmn.explore import _general

    first = (deck.size + 1) // 2
    sizes = (first, deck.size - first)
    deals = census.every_deal(deck)
    games = _general.play_many(deals, sizes, RULE_SETS[rule_set], DEFAULT_CAP)
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


def known_cycles() -> Columns:
    """Find the basin of every cycle that a known deal runs into.

    Returns
    -------
    dict of ndarray
        A row for each cycle, seats left aside, largest decks first: ``deck`` (five counts as
        text), ``n_cards``, ``cycle`` (its smallest state, ``LEADER/OTHER``), ``period_tricks``,
        ``period_cards``, ``period_tricks_seat_normalised``, ``states`` (in the basin),
        ``levels`` (the greatest distance from the cycle), ``states_by_level`` (text),
        ``balanced`` (deals in the basin) and ``known_deals`` (how many of them are known).
    """
    known = {str(deal_of(k)) for k in known_deals() if not k["terminates"]}
    rows, met = [], set()
    for deal in sorted(known):
        if deal in met:
            continue
        table = backward.basin(deal)
        found, deck = cycles.cycle(deal), Deal.parse(deal).deck
        deals = set(table["state"][table["balanced"]])
        met |= deals
        by_level = table["level"].value_counts().sort_index().tolist()
        rows.append(
            {
                "deck": decks.deck_text(deck),
                "n_cards": deck.size,
                "cycle": min(table["state"][table["level"] == 0]),
                "period_tricks": found.period_tricks,
                "period_cards": found.period_cards,
                "period_tricks_seat_normalised": found.period_tricks_seat_normalised,
                "states": len(table),
                "levels": len(by_level) - 1,
                "states_by_level": " ".join(map(str, by_level)),
                "balanced": len(deals),
                "known_deals": len(deals & known),
            }
        )
    rows.sort(key=lambda row: (-row["n_cards"], row["deck"], -row["balanced"], row["cycle"]))
    return _table(rows)


@cache
def camicia() -> dict[str, int]:
    """Sum up the cycles of the 40-card deck.

    Returns
    -------
    dict
        ``deals``, how many balanced deals reach a known cycle; ``cycles``, seats left aside, and
        ``cycles_with_seats``; ``deals_of_the_largest``.
    """
    table = known_cycles()
    rows = table["n_cards"] == 40
    exchanged = table["period_tricks"] > table["period_tricks_seat_normalised"]
    return {
        "deals": int(table["balanced"][rows].sum()),
        "cycles": int(np.count_nonzero(rows)),
        "cycles_with_seats": int(np.where(exchanged, 1, 2)[rows].sum()),
        "deals_of_the_largest": int(table["balanced"][rows].max()),
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


def grouped(text: str) -> str:
    """Group the digits of a whole number; leave any other text as it is."""
    return f"{int(text):,}" if text.isdecimal() else text


def main(records_path: str, claims_path: str, cycles_path: str) -> None:
    """Write the three tables."""
    try:
        store.write(records_path, records())
        store.write(claims_path, claims())
        store.write(cycles_path, known_cycles())
    except InputError as error:
        print(f"bmn: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
