"""The longest deals of a search: found in the tables, replayed by the reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from bmn import api, checks, store
from bmn import lengths as lt
from bmn.cards import hands_text
from bmn.chunks import Search, play_parallel, read_table
from bmn.game import Game
from bmn.known import deal_of, known_deals
from bmn.store import Columns
from bmn.tree import Node, Tree

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
    tree: Tree,
    longest: int,
    lengths_path: str | Path,
    record_path: str | Path,
    replay_path: str | Path,
    threads: int = 1,
) -> None:
    """Write the longest deals of a search, and what the reference says of them.

    Parameters
    ----------
    tree
        The chunks of the search.
    longest
        How many deals to keep; ties go to the smaller seed.
    lengths_path
        The merged length table.
    record_path, replay_path
        Where the two tables go.
    threads
        Threads that search chunks again, where several of the longest deals are in one.
    """
    search = tree.search
    seeds = longest_seeds(tree, longest, lengths_path, threads)
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
    tree: Tree, longest: int, lengths_path: str | Path, threads: int = 1
) -> list[int]:
    """Return the seeds of the longest finished deals, longest first, ties by seed.

    The tables keep only the smallest seed of each length. Where several deals share one, they are
    looked for in the tree, from the top down to the chunks, and these are searched again, by
    halves.
    """
    table = lt.finished(read_table(tree.search, lengths_path)[0])
    top: list[tuple[Node, Columns]] = []
    seeds: list[int] = []
    for tricks, deals, first_seed in zip(
        table["tricks"][::-1].tolist(),
        table["deals"][::-1].tolist(),
        table["first_seed"][::-1].tolist(),
        strict=True,
    ):
        wanted = min(longest - len(seeds), deals)
        if not wanted:
            break
        if deals == 1:
            seeds.append(first_seed)
            continue
        top = top or list(tree.each(tree.top, "lengths"))
        seeds += islice(_seeds_in_tree(tree, top, tricks, threads), wanted)
    return seeds


def _seeds_in_tree(
    tree: Tree, nodes: Iterable[tuple[Node, Columns]], tricks: int, threads: int
) -> Iterator[int]:
    """Yield the seeds below some nodes whose deals end after so many tricks, in order."""
    for node, rows in nodes:
        (hits,) = np.nonzero(rows["finished"] & (rows["tricks"] == tricks))
        if node.level and len(hits) and rows["deals"][hits[0]] > 1:
            below = tree.each(tree.below(node), "lengths")
            yield from islice(
                _seeds_in_tree(tree, below, tricks, threads), int(rows["deals"][hits[0]])
            )
        else:
            yield from _seeds_of_length(tree.part(node), tricks, rows, threads)


def _seeds_of_length(part: Search, tricks: int, rows: Columns, threads: int) -> list[int]:
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
        lengths, _ = play_parallel(piece, workers=threads)
        found += _seeds_of_length(piece, tricks, lengths, threads)
    return found


def _tell(game: Game) -> str:
    outcome = "a draw" if game.winner is None else f"seat {game.winner + 1} wins"
    return f"{game.tricks} tricks, {game.card_plays} card plays, {outcome}, {game.ending}"
