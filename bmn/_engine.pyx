# cython: boundscheck=False, wraparound=False, cdivision=True
"""The compiled engine: play one deal, many stated deals, or search a range of seeds.

The kernels are C headers under ``kernels/``; this module checks what they are given, lets
them run without the interpreter's lock, and hands their results to NumPy.
"""

import os
from operator import index
from typing import NamedTuple

import numpy as np

from bmn.cards import MAX_CARDS, STANDARD, Deck
from bmn.errors import InputError

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset


cdef extern from "kernels/engine.h" nogil:
    enum:
        BMN_KINDS, BMN_LENGTHS, BMN_PLAYS, BMN_CAPPED, BMN_CAPTURE, BMN_N_KERNELS

    ctypedef struct bmn_job:
        uint64_t first_seed, deals
        const uint8_t *stated
        uint32_t size, split, cap
        uint32_t deck[5]
        uint64_t fault

    ctypedef struct bmn_game:
        uint64_t tag, card_plays
        uint32_t tricks
        uint8_t winner, ending, violation

    ctypedef struct bmn_length:
        uint64_t deals, card_plays, captures, leader_wins, violations, fingerprint
        uint64_t not_first, first_card_plays

    ctypedef struct bmn_play_count:
        uint64_t deals, not_first

    ctypedef struct bmn_sink:
        bmn_length *lengths
        bmn_play_count *plays
        bmn_game *rare
        size_t n_lengths, n_plays, n_rare
        int no_memory
        uint64_t *tricks
        uint64_t *card_plays
        uint8_t *winner
        uint8_t *ending
        uint8_t *violation

    ctypedef int (*bmn_run)(const bmn_job *, bmn_sink *)

    ctypedef struct bmn_kernel:
        const char *name
        bmn_run run
        int (*supported)()

    const bmn_kernel *BMN_KERNELS
    int bmn_sink_open(bmn_sink *)
    void bmn_sink_close(bmn_sink *)
    uint64_t bmn_fingerprint(const bmn_game *)


MAX_CAP = (2**31 - 1) // 52
"""The largest cap in tricks: card plays, at most 52 a trick, then fit the fingerprint."""

LENGTH_COLUMNS = (
    "finished",
    "tricks",
    "deals",
    "card_plays",
    "captures",
    "leader_wins",
    "violations",
    "fingerprint",
    "first_seed",
    "first_seed_card_plays",
)
GAME_COLUMNS = {
    "tricks": np.uint64,
    "card_plays": np.uint64,
    "winner": np.uint8,
    "ending": np.uint8,
    "violation": np.bool_,
}
PLAY_COLUMNS = ("finished", "card_plays", "deals", "first_seed")


class Tables(NamedTuple):
    """What a search counts: see `search`."""

    lengths: dict
    plays: dict
    capped: np.ndarray


def kernels() -> tuple:
    """Name the kernels this CPU can run, fastest first."""
    return tuple(
        BMN_KERNELS[i].name.decode() for i in range(BMN_N_KERNELS) if BMN_KERNELS[i].supported()
    )


def resolve_kernel(name=None) -> str:
    """Name the kernel that will run.

    Parameters
    ----------
    name : str, optional
        One of `kernels`; by default the environment variable ``BMN_KERNEL``, or else the
        fastest.

    Raises
    ------
    InputError
        If there is no such kernel, or this CPU cannot run it.
    """
    choices = kernels()
    asked = name or os.environ.get("BMN_KERNEL") or choices[0]
    if asked not in choices:
        raise InputError(
            f"the kernel {asked!r} is unknown or not supported by this CPU; "
            f"choose one of {', '.join(choices)}"
        )
    return asked


cdef bmn_run _run_of(name):
    resolved = resolve_kernel(name).encode()
    for i in range(BMN_N_KERNELS):
        if BMN_KERNELS[i].name == resolved:
            return BMN_KERNELS[i].run


cdef uint32_t _checked_cap(cap) except 0:
    cap = index(cap)
    if not 1 <= cap <= MAX_CAP:
        raise InputError(f"the cap of {cap} tricks is out of range; choose 1 to {MAX_CAP}")
    return cap


cdef _checked_size(size):
    if not 1 <= size <= MAX_CARDS:
        raise InputError(f"a deal of {size} cards is out of range; use 1 to {MAX_CARDS} cards")
    return size


def search(first_seed, seeds, cap=100_000, kernel=None, deck=STANDARD, *, fault=0) -> Tables:
    """Play the deals of a range of seeds and count them by their length.

    Parameters
    ----------
    first_seed, seeds : int
        The range; ``first_seed + seeds`` is at most 2**64.
    cap : int
        Tricks after which a deal still undecided is given up as capped, 1 to `MAX_CAP`.
    kernel : str, optional
        See `resolve_kernel`.
    deck : Deck
        The deck that is shuffled; one that does not fit the kernel is played by a simpler one.
    fault : int
        For tests: if not 0, the seed of one flipped bit in every deal.

    Returns
    -------
    Tables
        ``lengths`` and ``plays`` map column names to arrays; every column is uint64 but
        ``finished``. Rows are sorted by (finished, tricks) and (finished, card_plays), capped
        deals first; empty rows are left out. The row of capped deals has ``tricks`` = cap and
        no captures or wins. ``fingerprint`` is a sum mod 2**64, ``first_seed`` the smallest
        seed of the row and ``first_seed_card_plays`` its card plays. ``capped`` holds the
        capped seeds, ascending, uint64.

    Raises
    ------
    InputError
        If the range, the cap, the deck or the kernel is not as said above.
    """
    cdef bmn_job job
    cdef bmn_sink sink
    cdef bmn_run run = _run_of(kernel)
    cdef int failed
    first_seed, seeds = index(first_seed), index(seeds)
    if seeds < 1 or first_seed < 0 or first_seed + seeds > 2**64:
        raise InputError(
            f"the range of {seeds} seeds from {first_seed} is not within 0 to {2**64 - 1}; "
            "choose at least one seed, all of them in that range"
        )
    deck = Deck(*deck)
    if min(deck) < 0:
        raise InputError(f"the {deck} has a negative count; use counts of at least 0")
    job.stated = NULL
    job.first_seed = first_seed
    job.deals = seeds
    job.cap = _checked_cap(cap)
    job.fault = fault
    job.size = _checked_size(deck.size)
    job.split = (deck.size + 1) // 2
    job.deck = deck
    if bmn_sink_open(&sink):
        bmn_sink_close(&sink)
        raise MemoryError
    try:
        with nogil:
            failed = run(&job, &sink)
        if failed or sink.no_memory:
            raise MemoryError
        return _tables(&sink)
    finally:
        bmn_sink_close(&sink)


cdef _tables(bmn_sink *sink):
    """Turn the counting arrays and the rare games into sorted columns."""
    rows = np.asarray(<uint64_t[:BMN_LENGTHS, :8]> <uint64_t *> sink.lengths)[: sink.n_lengths]
    counts = np.asarray(<uint64_t[:BMN_PLAYS, :2]> <uint64_t *> sink.plays)[: sink.n_plays]
    tricks = np.flatnonzero(rows[:, 0]).astype(np.uint64)
    card_plays = np.flatnonzero(counts[:, 0]).astype(np.uint64)
    rows, counts = rows[tricks], counts[card_plays]
    rows[:, 6] = ~rows[:, 6]
    counts[:, 1] = ~counts[:, 1]
    lengths = [np.ones(len(rows), bool), tricks, *rows.T]
    plays = [np.ones(len(counts), bool), card_plays, *counts.T]
    capped = np.empty(0, np.uint64)
    if sink.n_rare:
        rare = _rare_games(sink)
        finished = rare["finished"]
        capped = np.sort(rare["seed"][~finished])
        lengths = _joined(
            lengths, _length_rows(_taken(rare, ~finished | (rare["tricks"] >= BMN_LENGTHS)))
        )
        plays = _joined(
            plays, _play_rows(_taken(rare, ~finished | (rare["card_plays"] >= BMN_PLAYS)))
        )
    return Tables(
        {name: np.ascontiguousarray(c) for name, c in zip(LENGTH_COLUMNS, lengths)},
        {name: np.ascontiguousarray(c) for name, c in zip(PLAY_COLUMNS, plays)},
        capped,
    )


cdef _rare_games(bmn_sink *sink):
    """Copy the rare games into columns."""
    cdef size_t i
    games = np.asarray(<bmn_game[:sink.n_rare]> sink.rare)
    share = np.empty(sink.n_rare, np.uint64)
    cdef uint64_t[::1] shares = share
    for i in range(sink.n_rare):
        shares[i] = bmn_fingerprint(sink.rare + i)
    finished = games["ending"] != BMN_CAPPED
    return {
        "finished": finished,
        "seed": games["tag"].copy(),
        "tricks": games["tricks"].astype(np.uint64),
        "card_plays": games["card_plays"].copy(),
        "capture": games["ending"] == BMN_CAPTURE,
        "leader": finished & (games["winner"] == 0),
        "violation": games["violation"].copy(),
        "share": share,
    }


cdef _taken(columns, rows):
    return {name: column[rows] for name, column in columns.items()}


cdef _grouped(rare, key):
    """Sort rare games by (finished, key, seed); return them, where groups start, their sizes."""
    rare = _taken(rare, np.lexsort((rare["seed"], rare[key], rare["finished"])))
    games = len(rare["seed"])
    change = (np.diff(rare[key]) != 0) | np.diff(rare["finished"])
    starts = np.flatnonzero(np.concatenate(([True], change))[:games])
    return rare, starts, np.diff(np.append(starts, games)).astype(np.uint64)


cdef _length_rows(games):
    rare, starts, deals = _grouped(games, "tricks")
    first = _taken(rare, starts)
    totals = [
        np.add.reduceat(rare[name], starts, dtype=np.uint64)
        for name in ("card_plays", "capture", "leader", "violation", "share")
    ]
    return [first["finished"], first["tricks"], deals, *totals, first["seed"], first["card_plays"]]


cdef _play_rows(games):
    rare, starts, deals = _grouped(games, "card_plays")
    first = _taken(rare, starts)
    return [first["finished"], first["card_plays"], deals, first["seed"]]


cdef _joined(common, rare):
    """Put capped rows before the common ones, and longer ones after them."""
    capped = int(np.count_nonzero(~rare[0]))
    return [np.concatenate((r[:capped], c, r[capped:])) for c, r in zip(common, rare)]


def play(first, second, cap=100_000, kernel=None) -> tuple:
    """Play one stated deal.

    Parameters
    ----------
    first, second : bytes
        The hands as card values 0 to 4, top card first; the first hand leads.
    cap, kernel
        See `search`.

    Returns
    -------
    tuple of int
        Tricks begun, card plays, winner (0 or 1), ending (an index of `bmn.game.ENDINGS`) and
        violations (0 or 1). A capped deal has tricks = cap and winner 0.

    Raises
    ------
    InputError
        If a value is not a card, there is no card or there are too many.
    """
    deals = np.frombuffer(bytes(first) + bytes(second), np.uint8)[None, :]
    games = play_many(deals, cap, kernel, split=len(first))
    return tuple(int(games[name][0]) for name in GAME_COLUMNS)


def play_many(deals, cap=100_000, kernel=None, *, split=None, fault=0) -> dict:
    """Play many stated deals of the same size.

    Parameters
    ----------
    deals : ndarray of uint8, shape (n, m)
        One deal a row: the first hand, top card first, then the second; card values 0 to 4.
    split : int, optional
        The number of cards in the first hand; by default ``m // 2``.
    cap, kernel, fault
        See `search`.

    Returns
    -------
    dict of ndarray, each of shape (n,)
        ``tricks`` and ``card_plays`` (uint64), ``winner`` (uint8, 0 or 1), ``ending`` (uint8,
        an index of `bmn.game.ENDINGS`) and ``violation`` (bool).

    Raises
    ------
    InputError
        If the array is not as said above, the split not within a row or the cap out of range.
    """
    cdef bmn_job job
    cdef bmn_sink sink
    cdef bmn_run run = _run_of(kernel)
    cdef int failed
    rows = np.ascontiguousarray(deals)
    if rows.ndim != 2 or rows.dtype != np.uint8:
        raise InputError(
            f"the deals are an array of {rows.dtype} with {rows.ndim} dimensions; "
            "give uint8 with one row per deal"
        )
    n, m = rows.shape
    split = m // 2 if split is None else split
    if not 0 <= split <= m:
        raise InputError(f"the split {split} is out of range; deals of {m} cards take 0 to {m}")
    job.first_seed = 0
    job.deals = n
    job.size = _checked_size(m)
    job.split = split
    job.cap = _checked_cap(cap)
    job.fault = fault
    job.deck = (0, 0, 0, 0, 0)
    if n and rows.max() > 4:
        bad = np.argwhere(rows > 4)[0]
        raise InputError(
            f"the deals have the value {rows[tuple(bad)]} in row {bad[0]}, column {bad[1]}; "
            "cards are 0 (plain) to 4 (A)"
        )
    games = {name: np.empty(n, kind) for name, kind in GAME_COLUMNS.items()}
    cdef const uint8_t[::1] cards = rows.reshape(-1)
    cdef uint64_t[::1] tricks = games["tricks"], card_plays = games["card_plays"]
    cdef uint8_t[::1] winner = games["winner"], ending = games["ending"]
    cdef uint8_t[::1] violation = games["violation"].view(np.uint8)
    if n:
        memset(&sink, 0, sizeof(sink))
        job.stated = &cards[0]
        sink.tricks, sink.card_plays = &tricks[0], &card_plays[0]
        sink.winner, sink.ending, sink.violation = &winner[0], &ending[0], &violation[0]
        with nogil:
            failed = run(&job, &sink)
        if failed:
            raise MemoryError
    return games
