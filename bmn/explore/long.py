"""Long games: a deal made longer along its trunk, and the search that looks both ways.

`docs/science.md` says what a trunk is and proves what is used here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bmn import api
from bmn.cards import STANDARD, Deal, Deck
from bmn.errors import InputError
from bmn.explore.columns import columns
from bmn.explore.cycles import DEFAULT_BUDGET, cycle
from bmn.store import Columns

MARGIN = 40
"""Trunks shorter by so many tricks than enough others are not looked at: no bush is so deep."""

NO_LIMIT = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Extension:
    """The longest deal of a trunk.

    Attributes
    ----------
    deal
        The longest balanced deal that comes to the trunk, the smallest of equally long ones in
        the order of packed states; the first hand leads.
    tricks, card_plays
        How long its game is.
    gain
        By how many tricks it is longer than the deal it was found from.
    trunk_tricks
        The length of the game from the head of the trunk on.
    nodes
        States the search looked at.
    """

    deal: str
    tricks: int
    card_plays: int
    gain: int
    trunk_tricks: int
    nodes: int


def extend(deal: str | Deal) -> Extension:
    """Make a deal longer: find the longest balanced deal whose game joins this one's trunk.

    The trunk is the line of states in which both players have won a trick and both have a
    penalty card. Each has at most one predecessor of this kind, so the line can be followed back
    without a search to its head. All deals are in the bushes beside it.

    Parameters
    ----------
    deal
        Any deal of at most 63 cards whose game ends and comes to a state in which both hands
        end with a penalty card and just the plain cards it demands.

    Raises
    ------
    InputError
        If the game never ends or has no trunk, or no balanced deal comes to its trunk.

    Examples
    --------
    >>> found = extend("A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-")
    >>> found.tricks, found.gain
    (1048, 88)
    """
    from bmn.explore import _explore, _hunt

    deal = Deal.parse(deal) if isinstance(deal, str) else Deal(*deal)
    if cycle(deal, budget=DEFAULT_BUDGET) is not None:
        raise InputError(f"the game of {deal} never ends, so it cannot be made longer")
    game = api.play(deal)
    end, tricks = _hunt.trunk_end(_explore.pack(*deal))
    if end is None:
        raise InputError(
            f"the game of {deal} has no trunk, as one player wins no trick; give a longer one"
        )
    heads, lengths = _hunt.heads(end[None], NO_LIMIT)
    rest, length = game.tricks - tricks, int(lengths[0])
    found, depth, nodes = _hunt.deepest(heads[0], length)
    if found is None:
        raise InputError(f"no deal with even hands comes to the trunk of {deal}")
    (text,) = _explore.texts(found[None])
    longest = api.play(text)
    assert longest.tricks == depth + rest, "the game from the deal found differs from its search"
    return Extension(
        text, longest.tricks, longest.card_plays, longest.tricks - game.tricks, length + rest, nodes
    )


@dataclass(frozen=True)
class TwoSided:
    """A search for long games that looks forward and backward.

    Attributes
    ----------
    key
        The search's own number: it deals the seeds ``key << 40`` and so on.
    deals
        How many deals it plays.
    threshold
        Deals of at least so many tricks are followed back to the heads of their trunks.
    keep
        So many of the longest trunks found are listed.
    deck
        What is dealt.
    """

    key: int
    deals: int
    threshold: int = 140
    keep: int = 10
    deck: Deck = STANDARD

    def __post_init__(self) -> None:
        if not 0 <= self.key < 1 << 24 or not 1 <= self.deals <= 1 << 40:
            raise InputError(
                f"a two-sided search with key {self.key} and {self.deals} deals is out of range; "
                f"choose a key below {1 << 24} and 1 to {1 << 40} deals"
            )

    @property
    def first_seed(self) -> int:
        """The first seed it deals."""
        return self.key << 40

    @property
    def about(self) -> dict:
        """What a file of this search says of itself."""
        return {
            "key": self.key,
            "deals": self.deals,
            "threshold": self.threshold,
            "keep": self.keep,
            "deck": list(self.deck),
        }


CUTS = 13
"""Deals made of each seed, each as random as the seed's own: to shuffle costs more than to play."""

BATCH = 5_000
"""Seeds dealt at a time."""

FOUND = {
    "key": np.uint64,
    "rank": np.uint64,
    "seed": np.uint64,
    "cut": np.uint8,
    "seed_tricks": np.uint64,
    "back_tricks": np.uint64,
    "trunk_tricks": np.uint64,
    "deal": object,
    "tricks": np.uint64,
    "card_plays": np.uint64,
}
"""Columns of what a two-sided search found."""


def two_sided(search: TwoSided) -> Columns:
    """Look for long games forward from random deals, and backward from the long ones.

    A random deal lies anywhere on the way from the head of its trunk to the end of its game. The
    ways before it and behind it are independent, so their sum is long far more often than one of
    them; and to follow a trunk back costs little, for only the few deals that are already long.

    Returns
    -------
    dict of ndarray
        A row for each of the longest deals found, longest first: the ``key`` and the ``rank``;
        the ``seed`` and the ``cut`` of the deal it was found from, the tricks of its game, and
        those from the head of the trunk to its first state on it; the tricks of the game from
        the head on; the longest ``deal`` of the trunk, its ``tricks`` and ``card_plays``.
    """
    from bmn import _engine
    from bmn.explore import _hunt

    split = (search.deck.size + 1) // 2
    trunks = []
    for first in range(0, search.deals, BATCH * CUTS):
        seed = search.first_seed + first // CUTS
        left = search.deals - first
        rows = _hunt.deal_rows(seed, min(BATCH, -(-left // CUTS)), search.deck, CUTS)[:left]
        tricks = _engine.play_many(rows, split=split)["tricks"]
        (long,) = np.nonzero(tricks >= search.threshold)
        if not len(long):
            continue
        reached, before = _hunt.to_trunk(_hunt.pack_rows(rows[long], split), NO_LIMIT)
        long, reached, before = long[before >= 0], reached[before >= 0], before[before >= 0]
        heads, back = _hunt.heads(reached, NO_LIMIT)
        rest = tricks[long] - before.astype(np.uint64)
        trunks.append((seed * CUTS + long.astype(np.uint64), tricks[long], back, rest, heads))
        trunks = [_longest(trunks, search.keep)]
    return _ranked(search, *trunks[0]) if trunks else _ranked(search, *[[]] * 5)


def _longest(trunks: list[tuple], keep: int) -> tuple:
    """Join trunks and leave out those too short to carry one of the `keep` longest deals."""
    numbers, tricks, back, rest, heads = map(np.concatenate, zip(*trunks, strict=True))
    length = back + rest
    least = np.sort(length)[::-1][:keep].min()
    kept = length + np.uint64(MARGIN) >= least
    return numbers[kept], tricks[kept], back[kept], rest[kept], heads[kept]


def _ranked(search: TwoSided, numbers, tricks, back, rest, heads) -> Columns:
    """Find the longest deal of each trunk and list the longest of them."""
    from bmn.explore import _explore, _hunt

    found = {}
    for number, length, behind, ahead, head in zip(numbers, tricks, back, rest, heads, strict=True):
        deal, depth, _ = _hunt.deepest(head, int(behind))
        if deal is not None:
            (text,) = _explore.texts(deal[None])
            row = (*divmod(int(number), CUTS), int(length), int(behind), int(behind + ahead))
            # Several deals can lie on one trunk; the first one found counts.
            found.setdefault(text, (depth + int(ahead), row))
    best = sorted(found.items(), key=lambda item: (-item[1][0], item[0]))[: search.keep]
    rows = []
    for rank, (text, (depth, row)) in enumerate(best, 1):
        game = api.play(text)
        assert game.tricks == depth, "the game from the deal found differs from its search"
        rows.append((search.key, rank, *row, text, game.tricks, game.card_plays))
    return columns(rows, FOUND)
