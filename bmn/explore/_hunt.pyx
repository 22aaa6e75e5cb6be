# cython: boundscheck=False, wraparound=False, cdivision=True
"""Compiled walks along trunks, see ``kernels/trunk.h``, on packed states as in ``_explore``."""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef extern from "kernels/trunk.h" nogil:
    enum:
        BMN_MAX_CARDS, BMN_MAX_PREDECESSORS, BMN_GOING

    ctypedef struct bmn_hand:
        uint64_t cards, values

    ctypedef struct bmn_state:
        bmn_hand lead, other

    ctypedef struct bmn_progress:
        uint64_t tricks, cards
        uint8_t seat, ending, sound

    ctypedef struct bmn_deepest:
        bmn_state deal
        uint64_t depth, nodes
        int found

    bmn_hand bmn_pack(const uint8_t *, unsigned)
    unsigned bmn_predecessors(const bmn_state *, bmn_state *)
    void bmn_play_on(bmn_state *, bmn_progress *, uint64_t)
    int bmn_in_trunk(const bmn_state *)
    int bmn_trunk_back(bmn_state *)
    uint64_t bmn_trunk_head(bmn_state *, uint64_t)
    int bmn_same_state(const bmn_state *, const bmn_state *)
    unsigned bmn_bush_levels(bmn_state, uint64_t *)
    void bmn_deepest_deal(bmn_state, uint64_t, bmn_deepest *)


cdef extern from "../kernels/plain.h" nogil:
    ctypedef struct bmn_job:
        uint32_t size
        uint32_t deck[5]

    ctypedef struct bmn_board:
        uint8_t *deck

    int bmn_board_open(bmn_board *, const bmn_job *)
    void bmn_board_close(bmn_board *)
    int bmn_shuffle(bmn_board *, const bmn_job *, uint64_t)


def deal_rows(first_seed, seeds, deck, cuts=1) -> np.ndarray:
    """Deal a range of seeds.

    Parameters
    ----------
    first_seed, seeds : int
        The range, within 64 bits.
    deck : bmn.cards.Deck
        What is dealt.
    cuts : int
        Deals made of each seed: the cards of both hands, end to end, are cut in so many places.

    Returns
    -------
    ndarray of uint8, shape (seeds * cuts, size)
        One deal a row, as `bmn._engine.play_many` takes them; the deal of a seed, then its cuts.
    """
    cdef bmn_job job
    cdef bmn_board board
    cdef uint64_t first = first_seed
    cdef Py_ssize_t n = seeds, m = cuts, i, k, c, at
    cdef uint32_t size = deck.size, second = (size + 1) // 2
    job.size = size
    job.deck = deck
    rows = np.empty((n * m, size), np.uint8)
    cdef uint8_t[:, ::1] view = rows
    if bmn_board_open(&board, &job):
        raise MemoryError
    with nogil:
        for i in range(n):
            bmn_shuffle(&board, &job, first + i)
            for k in range(size):
                view[i * m, (k >> 1) + (second if k & 1 else 0)] = board.deck[k]
            for c in range(1, m):
                at = c * size // m
                memcpy(&view[i * m + c, 0], &view[i * m, at], size - at)
                memcpy(&view[i * m + c, size - at], &view[i * m, 0], at)
    bmn_board_close(&board)
    return rows


def pack_rows(rows, split) -> np.ndarray:
    """Pack deals, one a row, whose first hand has `split` cards: uint64, shape (n, 4)."""
    cdef const uint8_t[:, ::1] cards = np.ascontiguousarray(rows, np.uint8)
    cdef Py_ssize_t n = cards.shape[0], i
    cdef unsigned size = cards.shape[1], first = split
    cdef bmn_state s
    states = np.empty((n, 4), np.uint64)
    cdef uint64_t[:, ::1] view = states
    for i in range(n):
        s.lead = bmn_pack(&cards[i, 0], first)
        s.other = bmn_pack(&cards[i, 0] + first, size - first)
        _put(view, i, s)
    return states


cdef bmn_state _state(const uint64_t[:, ::1] states, Py_ssize_t i) noexcept nogil:
    cdef bmn_state s
    memcpy(&s, &states[i, 0], sizeof(s))
    return s


cdef void _put(uint64_t[:, ::1] states, Py_ssize_t i, bmn_state s) noexcept nogil:
    memcpy(&states[i, 0], &s, sizeof(s))


def to_trunk(states, limit) -> tuple:
    """Play games to the first state of their trunks.

    Parameters
    ----------
    states : ndarray of uint64, shape (n, 4)
        Packed states.
    limit : int
        The most tricks to play.

    Returns
    -------
    reached : ndarray of uint64, shape (n, 4)
        The first state in which both hands are exact.
    tricks : ndarray of int64, shape (n,)
        Tricks to it; -1 where the game ends, or reaches the limit, before there is one.
    """
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(states, np.uint64)
    cdef Py_ssize_t n = words.shape[0], i
    cdef uint64_t most = limit
    cdef bmn_state s
    cdef bmn_progress p
    reached, tricks = np.zeros((n, 4), np.uint64), np.full(n, -1, np.int64)
    cdef uint64_t[:, ::1] view = reached
    cdef long[::1] count = tricks
    with nogil:
        for i in range(n):
            s = _state(words, i)
            p.tricks = p.cards = p.seat = 0
            p.ending = BMN_GOING
            while p.ending == BMN_GOING:
                if bmn_in_trunk(&s):
                    count[i] = p.tricks
                    _put(view, i, s)
                    break
                if p.tricks == most:
                    break
                bmn_play_on(&s, &p, 1)
    return reached, tricks


def trunk_end(state) -> tuple:
    """Play a game that ends to the last state of its trunk.

    Parameters
    ----------
    state : ndarray of uint64, shape (4,)
        A packed state.

    Returns
    -------
    ndarray of uint64, shape (4,), or None
        The last state in which both hands are exact; None if there is none.
    int
        Tricks to it.
    """
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(state, np.uint64).reshape(1, 4)
    cdef bmn_state s = _state(words, 0), last
    cdef bmn_progress p
    cdef uint64_t at = 0
    cdef bint met = False
    p.tricks = p.cards = p.seat = 0
    p.ending = BMN_GOING
    with nogil:
        while p.ending == BMN_GOING:
            if bmn_in_trunk(&s):
                met, last, at = True, s, p.tricks
            bmn_play_on(&s, &p, 1)
    if not met:
        return None, 0
    found = np.empty((1, 4), np.uint64)
    _put(found, 0, last)
    return found[0], at


def heads(states, limit) -> tuple:
    """Go back to the heads of trunks.

    Parameters
    ----------
    states : ndarray of uint64, shape (n, 4)
        Packed states with both hands exact.
    limit : int
        The most tricks to go back.

    Returns
    -------
    heads : ndarray of uint64, shape (n, 4)
        Where a trunk begins, or the state `limit` tricks before.
    tricks : ndarray of uint64, shape (n,)
        Tricks from there to the given state.
    """
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(states, np.uint64)
    cdef Py_ssize_t n = words.shape[0], i
    cdef uint64_t most = limit
    cdef bmn_state s
    found, tricks = np.empty((n, 4), np.uint64), np.empty(n, np.uint64)
    cdef uint64_t[:, ::1] view = found
    cdef uint64_t[::1] count = tricks
    with nogil:
        for i in range(n):
            s = _state(words, i)
            count[i] = bmn_trunk_head(&s, most)
            _put(view, i, s)
    return found, tricks


def deepest(head, length) -> tuple:
    """Find the deepest balanced deal of a trunk.

    Parameters
    ----------
    head : ndarray of uint64, shape (4,)
        The first state of the trunk, packed.
    length : int
        How many tricks of the trunk are searched, if it takes so many.

    Returns
    -------
    ndarray of uint64, shape (4,), or None
        The deal, the smallest of equally deep ones; None if there is none.
    int
        Its game's tricks to the end of the part searched.
    int
        States looked at.
    """
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(head, np.uint64).reshape(1, 4)
    cdef bmn_state s = _state(words, 0)
    cdef bmn_deepest best
    cdef uint64_t tricks = length
    best.found = best.depth = best.nodes = 0
    with nogil:
        bmn_deepest_deal(s, tricks, &best)
    if not best.found:
        return None, 0, best.nodes
    found = np.empty((1, 4), np.uint64)
    _put(found, 0, best.deal)
    return found[0], best.depth, best.nodes


def backward_counts(states) -> dict:
    """Count what comes to states with both hands exact.

    Parameters
    ----------
    states : ndarray of uint64, shape (n, 4)
        Packed states.

    Returns
    -------
    dict of ndarray, each of shape (n,)
        ``predecessors`` (uint8): all there are; ``on_trunk`` (uint8): those with both hands
        exact, found by trying all; ``agrees`` (bool): whether the trunk predecessor is just
        these; ``bush`` (uint64): states that come to this one through states off the trunk;
        ``bush_levels`` (uint64): the most tricks they take.
    """
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(states, np.uint64)
    cdef Py_ssize_t n = words.shape[0], i
    cdef unsigned found, k
    cdef bmn_state before[BMN_MAX_PREDECESSORS]
    cdef bmn_state s
    kinds = {"predecessors": np.uint8, "on_trunk": np.uint8, "agrees": np.uint8,
             "bush": np.uint64, "bush_levels": np.uint64}
    columns = {name: np.zeros(n, kind) for name, kind in kinds.items()}
    cdef uint8_t[::1] predecessors = columns["predecessors"], on_trunk = columns["on_trunk"]
    cdef uint8_t[::1] agrees = columns["agrees"]
    cdef uint64_t[::1] bush = columns["bush"], levels = columns["bush_levels"]
    with nogil:
        for i in range(n):
            s = _state(words, i)
            found = bmn_predecessors(&s, before)
            predecessors[i] = found
            for k in range(found):
                on_trunk[i] += bmn_in_trunk(&before[k])
            levels[i] = bmn_bush_levels(s, &bush[i])
            agrees[i] = _agrees(s, before, found)
    columns["agrees"] = columns["agrees"].astype(bool)
    return columns


cdef bint _agrees(bmn_state s, const bmn_state *before, unsigned found) noexcept nogil:
    """Whether the trunk predecessor is the one of all predecessors with both hands exact."""
    cdef unsigned k
    cdef bint there = bmn_trunk_back(&s), met = False
    for k in range(found):
        if bmn_in_trunk(&before[k]):
            if not there or not bmn_same_state(&before[k], &s):
                return False
            met = True
    return met == there
