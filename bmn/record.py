"""The longest deals of a search: found in the tables, replayed by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bmn import api, checks, store
from bmn import lengths as lt
from bmn.cards import hands_text
from bmn.chunks import Search, play_tables, read_chunk, read_table
from bmn.game import Game
from bmn.known import deal_of, known_deals
from bmn.store import Columns

RECORD = {
    "rank": np.uint64,
    "seed": np.uint64,
    "seed_hex": object,
    "deal": object,
    "tricks": np.uint64,
    "card_plays": np.uint64,
    "tricks_mann": np.uint64,
    "cards_mann": np.uint64,
    "ending": object,
    "winner": np.uint64,
    "replay_agrees": bool,
}
"""The columns of the record; it has no row if every deal was capped."""


def write_record(
    search: Search,
    size: int,
    longest: int,
    lengths_path: str | Path,
    chunk_paths: Sequence[str],
    record_path: str | Path,
    replay_path: str | Path,
) -> None:
    """Write the longest deals of a search, and what the reference says of them.

    Parameters
    ----------
    search, size
        The search and its chunk size.
    longest
        How many deals to keep; ties go to the smaller seed.
    lengths_path, chunk_paths
        The merged length table, and the chunks' own in the order of their seeds.
    record_path, replay_path
        Where the two tables go.
    """
    seeds = longest_seeds(search, size, longest, lengths_path, chunk_paths)
    record, replays = [], []
    for rank, seed in enumerate(seeds, 1):
        hands = search.rules.deal(seed)
        game = api.play(hands, cap=search.cap, rules=search.rules)
        replayed = api.play(hands, cap=search.cap, rules=search.rules, engine="reference")
        replays.append(
            checks.row(f"longest deal {rank}: seed {seed}", _tell(game), _tell(replayed))
        )
        record.append(
            {
                "rank": rank,
                "seed": seed,
                "seed_hex": f"{seed:016x}",
                "deal": hands_text(hands),
                "tricks": game.tricks,
                "card_plays": game.card_plays,
                "tricks_mann": game.tricks_mann,
                "cards_mann": game.cards_mann,
                "ending": game.ending,
                "winner": search.rules.players if game.winner is None else game.winner,
                "replay_agrees": game == replayed,
            }
        )
    for known in known_deals():
        published = known.get("published", {})
        if known["source"].startswith("record table") and known["terminates"]:
            game = api.play(deal_of(known), engine="reference")
            expected = f"{published['tricks']} tricks, {published['cards']} cards (Mann)"
            found = f"{game.tricks_mann} tricks, {game.cards_mann} cards (Mann)"
            replays.append(checks.row(f"published record: {known['name']}", expected, found))
    store.write(record_path, checks.table(record, RECORD), search.about)
    store.write(replay_path, checks.table(replays), search.about)


def longest_seeds(
    search: Search,
    size: int,
    longest: int,
    lengths_path: str | Path,
    chunk_paths: Sequence[str],
) -> list[int]:
    """Return the seeds of the longest finished deals, longest first, ties by seed.

    The tables keep only the smallest seed of each length. Where several deals share one, the
    chunks that hold them are searched again, by halves.
    """
    table = lt.finished(read_table(search, lengths_path)[0])
    chunks: list[tuple[Search, Columns]] = []
    seeds: list[int] = []
    for tricks, deals, first_seed in zip(
        table["tricks"][::-1].tolist(),
        table["deals"][::-1].tolist(),
        table["first_seed"][::-1].tolist(),
        strict=True,
    ):
        if len(seeds) >= longest:
            break
        if deals == 1:
            seeds.append(first_seed)
            continue
        if not chunks:
            parts = search.split(size)
            chunks = [(p, read_chunk(p, f)) for p, f in zip(parts, chunk_paths, strict=True)]
        for part, rows in chunks:
            if len(seeds) >= longest:
                break
            seeds += _seeds_of_length(part, tricks, rows)
    return seeds[:longest]


def _seeds_of_length(part: Search, tricks: int, rows: Columns) -> list[int]:
    """List the seeds of a part whose deals end after so many tricks, in order."""
    (hits,) = np.nonzero(rows["finished"] & (rows["tricks"] == tricks))
    if not len(hits):
        return []
    if rows["deals"][hits[0]] == 1:
        return [int(rows["first_seed"][hits[0]])]
    found = []
    half = part.seeds // 2
    for first, seeds in ((0, half), (half, part.seeds - half)):
        piece = part.part(part.first_seed + first, seeds)
        tables, _ = play_tables(piece)
        found += _seeds_of_length(piece, tricks, tables.lengths)
    return found


def _tell(game: Game) -> str:
    outcome = "a draw" if game.winner is None else f"seat {game.winner + 1} wins"
    return f"{game.tricks} tricks, {game.card_plays} card plays, {outcome}, {game.ending}"
