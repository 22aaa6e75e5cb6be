"""What the censuses of many decks say: a row for each deck, and which decks never end."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from bmn import checks, store
from bmn import lengths as lt
from bmn.cards import SYMBOLS, Deck
from bmn.errors import InputError
from bmn.explore import census as censuses
from bmn.explore.census import Census, Tables, unrank
from bmn.store import Columns

EXACT = (
    "deals",
    "infinite",
    "first_wins",
    "sum_tricks",
    "sum_card_plays",
    "max_tricks",
    "max_card_plays",
    "loop_periods_tricks",
)
"""What `census` says of a deck that is compared with other people's counts."""


def census(
    deck: str | Mapping[str, int] | Sequence[int],
    *,
    workers: int | None = None,
    done: Callable[[int], None] = lambda deals: None,
) -> dict[str, Any]:
    """Play every deal of a deck and count how they go.

    Parameters
    ----------
    deck
        Five counts, by kind or in the order plain, J, Q, K, A, or the name of a deck. At most 63
        cards, 31 of them penalty cards. The first hand leads and has the odd card.
    workers
        Threads; by default one a core.
    done
        Called now and then with the number of deals just played.

    Returns
    -------
    dict
        ``deck`` (counts by kind), ``n_cards``, ``deals``, ``infinite`` (deals that never end),
        ``first_wins``, ``captures``, ``sum_tricks``, ``sum_card_plays`` (of the deals that end),
        ``max_tricks``, ``max_card_plays`` (0 if none ends), ``max_tricks_deal`` (the one of
        smallest rank; None if none ends), ``loop_periods_tricks`` (how many infinite deals have
        a period of so many tricks, seats told apart; the periods are text, as in JSON),
        ``infinite_deal`` (one of them, or None), ``violations`` (0) and ``fingerprint``.

    Raises
    ------
    InputError
        If the deck is malformed or too large.

    Examples
    --------
    >>> found = census({"plain": 8, "J": 2, "Q": 2, "K": 2, "A": 0})
    >>> found["deals"], found["infinite"], found["loop_periods_tricks"]
    (270270, 90, {'10': 90})
    """
    whole = Census.of(Deck.parse(deck))
    return deck_row(whole.deck, censuses.play_parallel(whole, workers, done))


def deck_row(deck: Deck, tables: Tables) -> dict[str, Any]:
    """Sum up the tables of a deck's whole census: the result of `census`."""
    ended = lt.finished(tables.lengths)
    cycles = tables.cycles
    some = len(ended["tricks"]) > 0
    periods: dict[str, int] = {}
    for period, deals in sorted(zip(cycles["period_tricks"], cycles["deals"], strict=True)):
        periods[str(period)] = periods.get(str(period), 0) + int(deals)
    return {
        "deck": deck._asdict(),
        "n_cards": deck.size,
        "deals": lt.total(tables.lengths, "deals"),
        "infinite": lt.total(cycles, "deals"),
        "first_wins": lt.total(ended, "leader_wins"),
        "captures": lt.total(ended, "captures"),
        "sum_tricks": int(np.sum(ended["tricks"] * ended["deals"], dtype=np.uint64)),
        "sum_card_plays": lt.total(ended, "card_plays"),
        "max_tricks": int(ended["tricks"][-1]) if some else 0,
        "max_card_plays": int(lt.finished(tables.plays)["card_plays"][-1]) if some else 0,
        "max_tricks_deal": str(unrank(deck, int(ended["first_seed"][-1]))) if some else None,
        "loop_periods_tricks": periods,
        "infinite_deal": _smallest(deck, cycles["first_rank"]),
        "violations": lt.total(tables.lengths, "violations"),
        "fingerprint": f"{lt.fingerprint(tables.lengths):016x}",
    }


def _smallest(deck: Deck, ranks: np.ndarray) -> str | None:
    return str(unrank(deck, int(ranks.min()))) if len(ranks) else None


def rows_table(rows: Iterable[Mapping[str, Any]]) -> Columns:
    """Turn the results of `census` into columns: the deck as five, the periods as JSON text."""
    flat = [
        row["deck"]
        | {key: value for key, value in row.items() if key != "deck"}
        | {"loop_periods_tricks": json.dumps(row["loop_periods_tricks"])}
        for row in rows
    ]
    text = ("max_tricks_deal", "loop_periods_tricks", "infinite_deal", "fingerprint")
    return {
        name: np.array([row[name] for row in flat], object if name in text else np.uint64)
        for name in flat[0]
    }


def table_rows(table: Columns) -> list[dict[str, Any]]:
    """Turn the columns of `rows_table` back into the results of `census`."""
    names = [name for name in table if name not in Deck._fields]
    return [
        {"deck": dict(zip(Deck._fields, counts, strict=True))}
        | dict(zip(names, values, strict=True))
        | {"loop_periods_tricks": json.loads(values[names.index("loop_periods_tricks")])}
        for counts, values in zip(
            zip(*(table[kind].tolist() for kind in Deck._fields), strict=True),
            zip(*(table[name].tolist() for name in names), strict=True),
            strict=True,
        )
    ]


@cache
def counted_decks() -> tuple[dict, ...]:
    """Return the decks an independent program has counted: the exact values of their censuses."""
    text = files("bmn").joinpath("data/small_decks.json").read_text("utf-8")
    return tuple(json.loads(text)["rows"])


def compare(rows: Iterable[Mapping[str, Any]]) -> Columns:
    """Compare censuses with independent counts of the same decks, value by value."""
    found = {tuple(row["deck"].values()): row for row in rows}
    return checks.table(
        [
            checks.row(
                f"{deck_text(Deck(**counted['deck']))}: {name.replace('_', ' ')}",
                counted[name],
                found[tuple(counted["deck"].values())][name],
            )
            for counted in counted_decks()
            for name in EXACT
        ]
    )


def deck_text(deck: Deck) -> str:
    """Write a deck as its five counts: ``14-2-2-2-0``."""
    return "-".join(map(str, deck))


def deck_named(text: str) -> Deck:
    """Read a deck written by `deck_text`."""
    return Deck.parse(text.replace("-", ","))


def write_row(deck: Deck, table_paths: Iterable[str], path: str | Path) -> None:
    """Sum up the merged tables of a deck and write its row."""
    tables = censuses.read_chunk(Census.of(deck), table_paths)
    store.write(path, rows_table([deck_row(deck, tables)]), {"deck": list(deck)})


def write_rows(row_paths: Iterable[str], table_path: str, compared_path: str) -> None:
    """Put the rows of counted decks into one table, and compare it with the other counts."""
    rows = [row for path in row_paths for row in table_rows(store.read(path)[0])]
    store.write(table_path, rows_table(rows))
    store.write(compared_path, compare(rows))


def compare_expected(row_path: str | Path, expected_path: str | Path) -> Columns:
    """Compare a deck's row with the committed one, value by value."""
    expected = store.read_json(expected_path)
    (row,) = table_rows(store.read(row_path)[0])
    return checks.table([checks.row(name, expected[name], row.get(name)) for name in expected])


def atlas_decks(most_cards: int, most_of_a_kind: int, most_deals: int) -> list[Deck]:
    """List every deck within three bounds that has a penalty card, fewest deals first."""
    found = [
        Deck(cards - sum(kinds), *kinds)
        for kinds in product(range(most_of_a_kind + 1), repeat=4)
        for cards in range(max(2, sum(kinds)), most_cards + 1)
        if any(kinds)
    ]
    counted = sorted((deck.deals, deck.size, deck) for deck in found)
    return [deck for deals, _, deck in counted if deals <= most_deals]


def atlas_parts(
    most_cards: int, most_of_a_kind: int, most_deals: int, parts: int
) -> list[list[Deck]]:
    """Share the decks of `atlas_decks` out to so many jobs of about the same size."""
    found = atlas_decks(most_cards, most_of_a_kind, most_deals)
    if parts > len(found):
        raise InputError(f"there are {len(found)} decks for {parts} parts; ask for fewer parts")
    return [found[part::parts] for part in range(parts)]


def write_atlas_part(decks: Sequence[Deck], path: str | Path) -> None:
    """Play the censuses of some decks on one core and write a row for each."""
    rows = [deck_row(deck, censuses.play_parallel(Census.of(deck), 1)) for deck in decks]
    store.write(path, rows_table(rows), {"decks": [deck_text(deck) for deck in decks]})


def merge_atlas(
    parts: Sequence[Sequence[Deck]], part_paths: Iterable[str], atlas: str, smallest: str
) -> None:
    """Merge the parts of an atlas: by cards and counts, and where infinite deals begin."""
    rows = []
    for decks, path in zip(parts, part_paths, strict=True):
        table, about = store.read(path)
        if about["decks"] != [deck_text(deck) for deck in decks]:
            raise InputError(f"{path} holds other decks; delete it and run the workflow again")
        rows += table_rows(table)
    rows.sort(key=lambda row: (row["n_cards"], tuple(row["deck"].values())))
    store.write(atlas, rows_table(rows))
    store.write(smallest, smallest_infinite(rows))


def smallest_infinite(rows: Iterable[Mapping[str, Any]]) -> Columns:
    """Say for each choice of penalty kinds which decks have infinite deals.

    Parameters
    ----------
    rows
        Results of `census`.

    Returns
    -------
    dict of ndarray
        A row for each set of kinds and number of cards: ``kinds`` (text, such as ``JQ``),
        ``n_cards``, ``decks`` counted, ``decks_infinite`` (those with infinite deals),
        ``deals``, ``infinite``; ``smallest`` (bool), whether no fewer cards of these kinds have
        an infinite deal; ``deck`` and ``deal``, one of the decks and a deal of it (None if
        there is none).
    """
    groups: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
    for row in rows:
        counts = row["deck"].values()
        kinds = "".join(s for s, n in zip(SYMBOLS, counts, strict=True) if n and s != "-")
        groups.setdefault((kinds, row["n_cards"]), []).append(row)
    table, seen = [], set()
    for (kinds, cards), group in sorted(groups.items(), key=lambda g: (len(g[0][0]), g[0])):
        endless = [row for row in group if row["infinite"]]
        best = max(endless, key=lambda row: row["infinite"], default=None)
        table.append(
            {
                "kinds": kinds,
                "n_cards": cards,
                "decks": len(group),
                "decks_infinite": len(endless),
                "deals": sum(row["deals"] for row in group),
                "infinite": sum(row["infinite"] for row in group),
                "smallest": bool(endless) and kinds not in seen,
                "deck": deck_text(Deck(**best["deck"])) if best else None,
                "deal": best["infinite_deal"] if best else None,
            }
        )
        seen |= {kinds} if endless else set()
    return checks.table(table)
