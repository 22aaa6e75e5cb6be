"""Looking versus searching: hill climbing from a deal, beside plain sampling.

A climb proposes one exchange of two cards after another, measures the deal with the engine, and
keeps it if it is longer. Proposals are numbered and each has its own random numbers, so a climb
is the same however many deals are measured at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from bmn.cards import STANDARD, Deal, Deck, hand_text
from bmn.errors import InputError
from bmn.explore.columns import columns
from bmn.shuffle import GOLDEN
from bmn.store import Columns

TRACE = {
    "chain": np.uint32,
    "deals": np.uint64,
    "tricks": np.uint64,
    "deal": object,
}
"""Columns of a trace: after so many deals examined, the best deal so far and its length."""

SMALLEST, LARGEST = 64, 1 << 14
"""Deals measured at a time: few after a step was taken, more and more until the next one."""

WALKERS = 256
"""Deals that an annealing or a beam has at a time."""


@dataclass(frozen=True)
class Climb:
    """How to climb.

    Attributes
    ----------
    chain
        The number of the climb: its random numbers.
    deals
        How many deals it examines.
    anywhere
        Exchange any two cards, and not only those among the first 26 dealt.
    plateau
        Also go to deals that are just as long.
    patience
        After so many deals examined in vain it starts again from a random deal; 0 for never.
    """

    chain: int
    deals: int
    anywhere: bool = False
    plateau: bool = False
    patience: int = 0

    @property
    def about(self) -> dict:
        """What a file of this climb says of itself."""
        return asdict(self)


def climb(start: str | Deal, how: Climb) -> Columns:
    """Climb from a deal.

    Parameters
    ----------
    start
        Two hands of the same size, or the first larger by one.
    how
        The rules of the climb.

    Returns
    -------
    dict of ndarray
        The trace: a row for each new best deal, beginning with the start, and one at the end.

    Raises
    ------
    InputError
        If the hands are uneven.
    """
    deal = Deal.parse(start) if isinstance(start, str) else Deal(*start)
    if len(deal.first) - len(deal.second) not in (0, 1):
        raise InputError(
            f"the deal {deal} has uneven hands, so nobody deals it; climb from another"
        )
    split = len(deal.first)
    places = _places(split, len(deal.second), how.anywhere)
    here = np.frombuffer(deal.first + deal.second, np.uint8).copy()
    _check_differ(here[places], here, split)
    length = int(_measure(here[None], split)[0])
    trace = _Trace(how.chain, split)
    trace.note(0, length, here)
    proposal = examined = waited = starts = 0
    batch = SMALLEST
    while examined < how.deals:
        rows, steps = _exchanged(here, places, how.chain, proposal, batch)
        allowed = how.deals - examined
        if how.patience:
            allowed = min(allowed, how.patience - waited)
        tricks = _measure(rows[:allowed], split)
        (better,) = np.nonzero(tricks >= length if how.plateau else tricks > length)
        used = int(better[0]) + 1 if len(better) else len(tricks)
        proposal = steps[used - 1] + 1 if used < len(rows) else proposal + batch
        examined, waited, batch = examined + used, waited + used, min(2 * batch, LARGEST)
        if len(better):
            waited = 0 if tricks[used - 1] > length else waited
            here, length, batch = rows[used - 1].copy(), int(tricks[used - 1]), SMALLEST
        elif how.patience and waited == how.patience and examined < how.deals:
            starts += 1
            here = _random_rows(_restart_seed(how.chain, starts), 1, deal.deck)[0]
            _check_differ(here[places], here, split)
            length = int(_measure(here[None], split)[0])
            examined, waited, batch = examined + 1, 0, SMALLEST
        trace.note(examined, length, here)
    return trace.table(how.deals)


def sample(chain: int, deals: int, deck: Deck = STANDARD) -> Columns:
    """Look at so many random deals, those of the seeds from ``chain << 40`` on: their trace."""
    split = (deck.size + 1) // 2
    trace = _Trace(chain, split)
    for first in range(0, deals, LARGEST):
        rows = _random_rows((chain << 40) + first, min(LARGEST, deals - first), deck)
        tricks = _measure(rows, split)
        for at in np.flatnonzero(tricks > np.maximum.accumulate(np.append(0, tricks[:-1]))):
            trace.note(first + int(at) + 1, int(tricks[at]), rows[at])
    return trace.table(deals)


def anneal(chain: int, deals: int, deck: Deck = STANDARD, hot: float = 30.0) -> Columns:
    """Anneal `WALKERS` random deals at once: their common trace.

    A walker goes to a deal shorter by d tricks with probability exp(-d / T). The temperature T
    falls evenly from `hot` tricks to 1.
    """

    def accept(tricks: np.ndarray, proposed: np.ndarray, done: float, luck: np.ndarray):
        temperature = hot + (1 - hot) * done
        drop = tricks.astype(float) - proposed
        return luck < np.exp(-np.maximum(drop, 0) / temperature)

    return _walk(chain, deals, deck, accept)


def late_acceptance(chain: int, deals: int, deck: Deck = STANDARD, memory: int = 50) -> Columns:
    """Walk `WALKERS` deals at once to deals no shorter than theirs `memory` steps ago."""
    past: list[np.ndarray] = []

    def accept(tricks: np.ndarray, proposed: np.ndarray, done: float, luck: np.ndarray):
        past.append(tricks)
        then = past[-memory] if len(past) >= memory else past[0]
        return proposed >= np.minimum(then, tricks)

    return _walk(chain, deals, deck, accept)


Accept = Callable[[np.ndarray, np.ndarray, float, np.ndarray], np.ndarray]
"""Which walkers take their step: of their tricks, those proposed, the share done, and luck."""


def _walk(chain: int, deals: int, deck: Deck, accept: Accept) -> Columns:
    """Walk `WALKERS` deals in step, each by one exchange of any two cards at a time."""
    split = (deck.size + 1) // 2
    places = _places(split, deck.size - split, True)
    rows = _random_rows(_restart_seed(chain, 0), WALKERS, deck)
    tricks = _measure(rows, split)
    trace = _Trace(chain, split)
    examined, each = WALKERS, np.arange(WALKERS)
    trace.note(examined, int(tricks.max()), rows[tricks.argmax()])
    while examined + WALKERS <= deals:
        one, other, luck = _pairs(chain, examined, WALKERS, len(places))
        new = rows.copy()
        new[each, places[one]], new[each, places[other]] = (
            rows[each, places[other]],
            rows[each, places[one]],
        )
        proposed = _measure(new, split)
        examined += WALKERS
        best = proposed.argmax()
        trace.note(examined, int(proposed[best]), new[best])
        take = accept(tricks, proposed, examined / deals, luck)
        rows, tricks = np.where(take[:, None], new, rows), np.where(take, proposed, tricks)
    return trace.table(deals)


class _Trace:
    """The best deal so far, whenever there is a new one."""

    def __init__(self, chain: int, split: int) -> None:
        self.chain, self.split, self.rows = chain, split, []

    def note(self, examined: int, tricks: int, cards: np.ndarray) -> None:
        if not self.rows or tricks > self.rows[-1][2]:
            self.rows.append((self.chain, examined, tricks, _text(cards, self.split)))

    def table(self, examined: int) -> Columns:
        last = (self.chain, examined, *self.rows[-1][2:])
        return columns([*self.rows, last], TRACE)


def _measure(rows: np.ndarray, split: int) -> np.ndarray:
    """Play deals and return their tricks: uint64. What is capped counts as nothing."""
    from bmn import _engine
    from bmn.game import ENDINGS

    games = _engine.play_many(rows, split=split)
    return np.where(games["ending"] == ENDINGS.index("capped"), np.uint64(0), games["tricks"])


def _random_rows(first_seed: int, deals: int, deck: Deck) -> np.ndarray:
    from bmn.explore import _hunt

    return _hunt.deal_rows(first_seed, deals, deck)


def _restart_seed(chain: int, number: int) -> int:
    """Seeds that no sample of the same chain deals."""
    return (chain << 40) + (1 << 39) + number


def _places(first: int, second: int, anywhere: bool) -> np.ndarray:
    """Return the places, hand after hand, of the cards that may be exchanged.

    Cards are dealt in turn, so the first 26 dealt of 52 are the upper halves of both hands.
    """
    if anywhere:
        return np.arange(first + second)
    return np.concatenate([np.arange((first + 1) // 2), first + np.arange(second // 2)])


def _check_differ(cards: np.ndarray, here: np.ndarray, split: int) -> None:
    """Make sure that an exchange can change anything."""
    if np.all(cards == cards[0]):
        raise InputError(
            f"all cards of {_text(here, split)} that may be exchanged are alike; "
            "allow exchanges anywhere or climb from another deal"
        )


def _text(cards: np.ndarray, split: int) -> str:
    return f"{hand_text(bytes(cards[:split]))}/{hand_text(bytes(cards[split:]))}"


def _exchanged(here: np.ndarray, places: np.ndarray, chain: int, proposal: int, batch: int):
    """Return the deals of numbered proposals that change anything, and the numbers of these."""
    one, other, _ = _pairs(chain, proposal, batch, len(places))
    one, other = places[one], places[other]
    (changed,) = np.nonzero(here[one] != here[other])
    rows = np.repeat(here[None], len(changed), 0)
    each = np.arange(len(changed))
    rows[each, one[changed]], rows[each, other[changed]] = here[other[changed]], here[one[changed]]
    return rows, proposal + changed


def _pairs(chain: int, first: int, count: int, places: int):
    """Return two different places and a number in [0, 1) for each of numbered proposals."""
    z = np.arange(first, first + count, dtype=np.uint64) * np.uint64(3)
    key = np.uint64((chain + 1) * GOLDEN % 2**64)
    one, other, luck = (_mix64(z + np.uint64(k) ^ key) >> np.uint64(32) for k in range(3))
    one = one * np.uint64(places) >> np.uint64(32)
    other = other * np.uint64(places - 1) >> np.uint64(32)
    return one.astype(np.intp), (other + (other >= one)).astype(np.intp), luck / 2.0**32


def _mix64(z: np.ndarray) -> np.ndarray:
    """`bmn.shuffle.mix64` of an array."""
    z = (z + np.uint64(GOLDEN)) & np.uint64(2**64 - 1)
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return z ^ z >> np.uint64(31)
