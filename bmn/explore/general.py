"""Playing under any rule set: stated deals, and ranges of seeds as the engine does them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bmn import lengths as lt
from bmn.game import ENDINGS, Game
from bmn.rules import Rules
from bmn.store import Columns

if TYPE_CHECKING:
    from bmn.chunks import Search

BLOCK = 1 << 16
"""Seeds played before their games are put into tables."""

CAPPED = ENDINGS.index("capped")
CAPTURE = ENDINGS.index("capture")


class Tables(NamedTuple):
    """What a search counts: the length table, the plays table and the capped seeds."""

    lengths: Columns
    plays: Columns
    capped: np.ndarray


def play(hands: Sequence[bytes], rules: Rules, cap: int) -> Game:
    """Play a stated deal, a hand for each player."""
    from bmn.explore import _general

    tricks, card_plays, winner, ending, violation = _general.play(hands, rules, cap)
    if violation:
        raise RuntimeError(f"the general kernel broke an invariant on {hands}; please report this")
    return Game(tricks, card_plays, None if winner == _general.DRAW else winner, ENDINGS[ending])


def search(plan: Search) -> Tables:
    """Play the deals of a range of seeds under the rules of the search.

    ``leader_wins`` counts the games won by whoever led first, and the winner's bit of the
    fingerprint is 0 for them and for capped games: for two players and the standard rules
    every table equals the engine's.
    """
    from bmn.explore import _general

    parts = []
    for first in range(plan.first_seed, plan.first_seed + plan.seeds, BLOCK):
        seeds = min(BLOCK, plan.first_seed + plan.seeds - first)
        games = _general.play_seeds(first, seeds, plan.rules, plan.cap)
        numbers = np.arange(seeds, dtype=np.uint64) + np.uint64(first)
        rows = _rows(games, numbers, plan.rules.leader)
        plays = {name: rows[name] for name in lt.PLAY_COLUMNS}
        capped = numbers[~rows["finished"]]
        parts.append((lt.merge_lengths([rows]), lt.merge_plays([plays]), capped))
    lengths, plays, capped = zip(*parts, strict=True)
    return Tables(lt.merge_lengths(lengths), lt.merge_plays(plays), np.concatenate(capped))


def _rows(games: Columns, seeds: np.ndarray, leader: int) -> Columns:
    """Make a length table with a row for each game."""
    finished = games["ending"] != CAPPED
    leader_wins = games["winner"] == leader
    bit = (finished & ~leader_wins).astype(np.uint64)
    return {
        "finished": finished,
        "tricks": games["tricks"],
        "deals": np.ones(len(seeds), np.uint64),
        "card_plays": games["card_plays"],
        "captures": (games["ending"] == CAPTURE).astype(np.uint64),
        "leader_wins": (finished & leader_wins).astype(np.uint64),
        "violations": games["violation"].astype(np.uint64),
        "fingerprint": lt.shares(seeds, games["tricks"], games["card_plays"], bit),
        "first_seed": seeds,
        "first_seed_card_plays": games["card_plays"],
    }
