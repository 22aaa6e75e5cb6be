"""The catalogue of cycles made of pieces, as the workflow builds it file by file.

sweep parts -> pieces of a tape -> cycles of a tape -> cycles beside them -> all cycles, and all
balanced deals that run into them -> what the reference says of those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bmn import checks, store
from bmn.cards import STANDARD, SYMBOLS, Deck
from bmn.errors import InputError
from bmn.explore import assemble, pieces
from bmn.explore.columns import columns
from bmn.explore.pieces import Tape, Trials
from bmn.known import deal_of, known_deals
from bmn.store import Columns

PASSES = (1, 2, 3)
"""Pieces that come back after so many passes are searched for exhaustively, within a lag."""

TAPES = (("J-", 1), ("Q--", 1))
"""Heads and spare cards whose pieces are looked for."""

CHANGES = 3
"""The most cards that change places at a time beside a known cycle."""

CYCLE_COLUMNS = {
    "cycle": object,
    "period_tricks": np.uint32,
    "period_cards": np.uint32,
    "period_tricks_seat_normalised": np.uint32,
    "smaller_hand": np.uint32,
    "head": object,
    "balanced_deals": np.uint32,
}
"""Columns of the table of cycles."""

DEAL_COLUMNS = {
    "deal": object,
    "cycle": object,
    "preperiod_tricks": np.uint32,
    "period_tricks": np.uint32,
    "period_cards": np.uint32,
}
"""Columns of the table of balanced deals."""


@dataclass(frozen=True)
class Plan:
    """How far cycles are looked for.

    Attributes
    ----------
    lag
        The lag up to which all pieces of one pass are found; for pieces of two and three passes
        it is smaller by one and two.
    trials
        Random changes of pieces, in each of three stretches; a fourth tries a quarter of that.
    near
        Random changes of cycles to which balanced deals come, in each part.
    parts
        A sweep, and the search near known cycles, is cut into so many jobs.
    limit
        The most assemblies of one choice of pieces.
    deck
        All the cards.
    """

    lag: int
    trials: int
    near: int
    parts: int = 8
    limit: int = 1_000_000
    deck: Deck = STANDARD

    @property
    def tapes(self) -> dict[str, Tape]:
        """The tapes by the names of their folders: those the deck has the cards for."""
        found = {}
        for head, spare in TAPES:
            kinds = Deck.of(bytes(SYMBOLS.index(card) for card in head))
            if all(have >= need for have, need in zip(self.deck, kinds, strict=True)):
                found[f"{head.rstrip('-')}{head.count('-')}.{spare}"] = Tape(head, spare, self.deck)
        return found

    @property
    def reach(self) -> int:
        """Balanced deals come to no cycle whose smaller hand is always smaller than this.

        Not proved: of the standard deck, no cycle below 18 of 52 cards has any, and 16 are
        taken. It only directs the random search: all cycles are played backwards.
        """
        return 4 * self.deck.size // 13

    def sweeps(self) -> list[tuple[int, int]]:
        """List the jobs of the sweeps of a tape: passes and part."""
        return [(passes, part) for passes in PASSES for part in range(self.parts)]


def write_sweep(plan: Plan, tape: Tape, passes: int, part: int, path: str | Path) -> None:
    """Find the periodic pieces of so many passes in one part of the sweep."""
    found = _sweep(plan, tape, passes, part, plan.parts)
    store.write(path, pieces.table(tape, found), tape.about)


def write_pieces(plan: Plan, tape: Tape, sweeps: Iterable[str], path: str | Path) -> None:
    """Join the sweeps of a tape, and look for more pieces by changing those."""
    pool = pieces.join(pieces.from_table(tape, _read(file, tape.about)) for file in sweeps)
    store.write(path, pieces.table(tape, _more(plan, tape, pool)), tape.about)


def find_pieces(
    plan: Plan, tape: Tape, done: Callable[[int], None] = lambda jobs: None
) -> np.ndarray:
    """Find pieces as the jobs of the workflow do, one after another.

    Parameters
    ----------
    plan
        How far is looked.
    tape
        Head, spare cards and deck.
    done
        Called with 1 after each job of ``plan.sweeps()``.
    """
    found = []
    for passes, part in plan.sweeps():
        found.append(_sweep(plan, tape, passes, part, plan.parts))
        done(1)
    return _more(plan, tape, pieces.join(found))


def _more(plan: Plan, tape: Tape, pool: np.ndarray) -> np.ndarray:
    """Look for more pieces: beside any, and then beside those of farther and farther reach.

    Of far reach there are few, and the links between their families are rare.
    """
    stretches = [
        Trials(1, plan.trials // 4, 0),
        Trials(2, plan.trials, plan.reach * 5 // 8),
        Trials(3, plan.trials, plan.reach),
        Trials(11, plan.trials, plan.reach * 11 // 8),
    ]
    return pieces.change(tape, pool, stretches)


def _sweep(plan: Plan, tape: Tape, passes: int, part: int, parts: int) -> np.ndarray:
    from bmn.explore import _pieces

    if passes > plan.lag:
        return np.empty(0, _pieces.PIECE)
    return _pieces.sweep(tape.rules(), passes, plan.lag + 1 - passes, part, parts)[0]


def write_assembled(
    plan: Plan, tape: Tape, pieces_path: str, path: str | Path, count_path: str | Path
) -> None:
    """Put the pieces of a tape together in every way, and count what became of it."""
    pool = pieces.from_table(tape, _read(pieces_path, tape.about))
    found = assemble.assemble(tape, pool, pieces.compositions(tape, pool), plan.limit)
    store.write(path, _packed(found.cycles), tape.about)
    counts = {
        "pieces": len(pool),
        "compositions": found.compositions,
        "assemblies": found.tried,
        "failed": found.failed,
        "cycles": len(found.cycles),
    }
    kinds = {"head": object, "what": object, "count": np.uint64}
    rows = [(tape.head, what, count) for what, count in counts.items()]
    store.write(count_path, columns(rows, kinds), tape.about)


def write_near(plan: Plan, assembled: Iterable[str], part: int, path: str | Path) -> None:
    """Look for cycles beside those to which balanced deals come: one part of the trials."""
    known = assemble.in_order(
        np.concatenate([_unpacked(store.read(file)[0]) for file in assembled])
    )
    known = known[known["reach"] >= plan.reach]
    known = known[np.unique(assemble.endless_deals(known)["loop"])]
    trials = Trials(part + 1, plan.near, plan.reach)
    store.write(path, _packed(assemble.neighbours(known, trials, CHANGES)))


def write_catalogue(
    plan: Plan,
    assembled: Sequence[str],
    near: Sequence[str],
    counts: Sequence[str],
    cycles_path: str | Path,
    deals_path: str | Path,
    summary_path: str | Path,
) -> None:
    """List all cycles and every balanced deal that comes to one, and sum up.

    Parameters
    ----------
    plan
        How far was looked.
    assembled, counts
        The cycles and the counts of each tape, in the order of the plan.
    near
        The cycles found beside these.
    cycles_path, deals_path, summary_path
        Where the tables go.
    """
    heads = [tape.head for tape in plan.tapes.values()]
    parts = [_unpacked(store.read(file)[0]) for file in assembled]
    labels = [np.full(len(part), k) for k, part in enumerate(parts)]
    parts += [_unpacked(store.read(file)[0]) for file in near]
    labels.append(np.full(sum(map(len, parts[len(heads) :])), len(heads)))
    cycles, label = np.concatenate(parts), np.concatenate(labels)
    # What was put together counts before what was found beside it.
    order = np.lexsort((label, *cycles["key"].T[::-1]))
    cycles, label = cycles[order], label[order]
    new = np.ones(len(cycles), bool)
    new[1:] = np.any(cycles["key"][1:] != cycles["key"][:-1], axis=1)
    cycles, label = cycles[new], label[new]
    deals = assemble.endless_deals(cycles)
    counted = np.bincount(deals["loop"], minlength=len(cycles))
    about = {"deck": list(plan.deck), "lag": plan.lag, "trials": plan.trials, "near": plan.near}
    keys = np.array(texts(cycles["key"]), object)
    seats = 1 + cycles["turned"]
    table = {
        "cycle": keys,
        "period_tricks": cycles["tricks"] * seats,
        "period_cards": cycles["card_plays"] * seats,
        "period_tricks_seat_normalised": cycles["tricks"],
        "smaller_hand": cycles["reach"],
        "head": np.array([*heads, ""], object)[label],
        "balanced_deals": counted.astype(np.uint32),
    }
    store.write(cycles_path, table, about)
    loop = deals["loop"]
    listed = {
        "deal": np.array(texts(deals["deal"]), object),
        "cycle": keys[loop],
        "preperiod_tricks": deals["preperiod"],
        "period_tricks": table["period_tricks"][loop],
        "period_cards": table["period_cards"][loop],
    }
    store.write(deals_path, listed, about)
    store.write(summary_path, _summary(plan, counts, table, listed), about)


def _summary(plan: Plan, counts: Iterable[str], cycles: Columns, deals: Columns) -> Columns:
    """Count what was found: rows of (what, count)."""
    rows = []
    for path in counts:
        table, _ = store.read(path)
        rows += [
            (f"{what} with the head {head}", count)
            for head, what, count in zip(*table.values(), strict=True)
        ]
    with_deals = cycles["balanced_deals"] > 0
    known = {
        str(deal_of(entry))
        for entry in known_deals()
        if not entry["terminates"] and deal_of(entry).deck == plan.deck
    }
    listed = dict(zip(deals["deal"], deals["cycle"], strict=True))
    met = {listed[deal] for deal in known & set(listed)}
    beside = cycles["head"] == ""
    rows += [
        ("distinct cycles", len(with_deals)),
        ("of them found beside others", np.count_nonzero(beside)),
        ("cycles with balanced deals", np.count_nonzero(with_deals)),
        ("of them found only beside others", np.count_nonzero(with_deals & beside)),
        ("balanced deals that never end", len(listed)),
        ("known deals that never end", len(known)),
        ("of them in the catalogue", len(known & set(listed))),
        ("deals on the cycles of these", sum(cycle in met for cycle in listed.values())),
    ]
    if len(with_deals):
        rows += [
            ("shortest period in tricks", cycles["period_tricks"].min()),
            ("longest period in tricks", cycles["period_tricks"].max()),
        ]
    if np.any(with_deals):
        least = cycles["smaller_hand"][with_deals].min()
        rows.append(("least reach of a smaller hand with deals", least))
    return columns(rows, {"what": object, "count": np.uint64})


def write_all_pieces(tables: Iterable[str], path: str | Path) -> None:
    """Join the pieces of all tapes into one table."""
    parts = [store.read(file)[0] for file in tables]
    store.write(path, {n: np.concatenate([part[n] for part in parts]) for n in pieces.COLUMNS})


def compare_expected(plan: Plan, paths: dict[str, str], expected_paths: Iterable[str]) -> Columns:
    """Compare a catalogue with the committed digests and counts of the same plan, if there are any.

    Parameters
    ----------
    plan
        The plan of the catalogue.
    paths
        The tables ``cycles``, ``balanced_deals``, ``pieces``, ``summary`` and ``confirmed``.
    expected_paths
        JSON files made of `expectation`.
    """
    agrees = store.read(paths["confirmed"])[0]["agrees"]
    rows = [checks.row("replays that agree", len(agrees), int(agrees.sum()))]
    found = expectation(plan, paths)
    for path in expected_paths:
        expected = store.read_json(path)
        if expected["plan"] == found["plan"]:
            rows += [checks.row(name, value, found.get(name)) for name, value in expected.items()]
    return checks.table(rows)


def expectation(plan: Plan, paths: dict[str, str]) -> dict:
    """Return the digests and counts of a catalogue, small enough to be committed."""
    names = ("cycles", "balanced_deals", "pieces", "summary")
    tables = {name: store.read(paths[name]) for name in names}
    summary = tables["summary"][0]
    return {
        "plan": [plan.lag, plan.trials, plan.near, plan.parts, plan.limit, list(plan.deck)],
        **{f"digest of {name}": store.digest(*table) for name, table in tables.items()},
        **dict(zip(summary["what"].tolist(), summary["count"].tolist(), strict=True)),
    }


def _read(path: str, about: dict) -> Columns:
    table, said = store.read(path)
    if said != about:
        raise InputError(
            f"{path} holds {said} where {about} belongs; delete it and run the workflow again"
        )
    return table


def texts(states: np.ndarray) -> list[str]:
    """Write packed states as deals."""
    from bmn.explore import _explore

    return _explore.texts(np.ascontiguousarray(states))


def _packed(cycles: np.ndarray) -> Columns:
    """Write cycles with their keys as four words."""
    words = {f"key{k}": np.ascontiguousarray(cycles["key"][:, k]) for k in range(4)}
    return words | {
        name: np.ascontiguousarray(cycles[name])
        for name in ("tricks", "card_plays", "turned", "reach", "origin")
    }


def _unpacked(table: Columns) -> np.ndarray:
    from bmn.explore import _pieces

    cycles = np.zeros(len(table["tricks"]), _pieces.LOOP)
    for name, values in table.items():
        if name.startswith("key"):
            cycles["key"][:, int(name[3:])] = values
        else:
            cycles[name] = values
    return cycles
