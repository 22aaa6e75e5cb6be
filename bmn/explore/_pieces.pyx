# cython: boundscheck=False, wraparound=False, cdivision=True
"""Compiled search for pieces and the cycles made of them, see ``kernels/pieces.h``."""

import numpy as np

from bmn.errors import InputError

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy


cdef extern from "kernels/mutate.h" nogil:
    enum:
        BMN_MAX_CARDS, BMN_MOST_PASSES, BMN_PERIODIC

    ctypedef struct bmn_hand:
        uint64_t cards, values

    ctypedef struct bmn_piece_rules:
        bmn_hand head
        unsigned spare
        unsigned most[5]
        unsigned passes

    ctypedef struct bmn_piece:
        bmn_hand word
        uint32_t passes, tricks, card_plays, reach

    ctypedef struct bmn_catalogue:
        bmn_piece *pieces
        size_t count

    ctypedef struct bmn_mutations:
        uint64_t seed, first_trial, trials
        uint32_t reach

    bmn_hand bmn_pack(const uint8_t *, unsigned)
    unsigned bmn_unpack(bmn_hand, uint8_t *)
    int bmn_test_piece(bmn_hand, const bmn_piece_rules *, bmn_piece *)
    bmn_hand bmn_phase(bmn_hand, const bmn_piece_rules *, unsigned)
    int bmn_catalogue_open(bmn_catalogue *, size_t)
    void bmn_catalogue_close(bmn_catalogue *)
    int bmn_catalogue_add(bmn_catalogue *, const bmn_piece *)
    uint64_t bmn_mutate(bmn_catalogue *, const bmn_piece_rules *, const bmn_mutations *)


cdef extern from "kernels/tape.h" nogil:
    enum:
        BMN_HEADS

    ctypedef struct bmn_sweep:
        bmn_piece_rules rules
        unsigned heads, lag, split
        uint64_t part, parts, branches, nodes
        bmn_catalogue *found

    void bmn_sweep_all(bmn_sweep *)
    void bmn_enumerate(bmn_sweep *)


cdef extern from "kernels/assemble.h" nogil:
    enum:
        BMN_MOST_PIECES

    ctypedef struct bmn_state:
        bmn_hand lead, other

    ctypedef struct bmn_loop:
        bmn_state key
        uint32_t tricks, card_plays, turned, reach, origin

    ctypedef struct bmn_loops:
        bmn_loop *loops
        size_t count

    ctypedef struct bmn_parts:
        const bmn_hand *phases
        uint32_t first[BMN_MOST_PIECES]
        uint32_t passes[BMN_MOST_PIECES]
        uint32_t same[BMN_MOST_PIECES]
        uint32_t count, origin
        uint64_t limit, tried, failed

    ctypedef struct bmn_endless:
        bmn_state deal
        uint32_t loop, preperiod

    ctypedef struct bmn_endless_list:
        bmn_endless *deals
        size_t count, room

    int bmn_loops_open(bmn_loops *)
    void bmn_loops_close(bmn_loops *)
    int bmn_loops_add(bmn_loops *, const bmn_loop *)
    int bmn_close_loop(bmn_state, uint32_t, bmn_loop *)
    int bmn_assemble(
        const bmn_piece_rules *, bmn_parts *, uint32_t, unsigned, bmn_hand *, bmn_loops *)
    int bmn_endless_deals(const bmn_loop *, uint32_t, bmn_endless_list *)


cdef extern from "kernels/neighbours.h" nogil:
    ctypedef struct bmn_near:
        uint64_t seed, first_trial, trials, closed
        uint32_t changes, reach, tricks

    int bmn_neighbours(bmn_near *, bmn_loops *)


PIECE = np.dtype(
    [
        ("cards", np.uint64),
        ("values", np.uint64),
        ("passes", np.uint32),
        ("tricks", np.uint32),
        ("card_plays", np.uint32),
        ("reach", np.uint32),
    ]
)
"""A periodic piece: its smallest phase, packed like a hand; passes until it comes back, tricks
and card plays of all passes, and the most cards that the head has between two tricks."""

LOOP = np.dtype(
    [
        ("key", np.uint64, 4),
        ("tricks", np.uint32),
        ("card_plays", np.uint32),
        ("turned", np.uint32),
        ("reach", np.uint32),
        ("origin", np.uint32),
    ],
    align=True,
)
"""A cycle: its smallest state, packed; tricks and card plays until the same hands lead again,
and whether the seats are then exchanged; the most cards that the smaller hand has; the number of
the composition that gave it."""

ENDLESS = np.dtype([("deal", np.uint64, 4), ("loop", np.uint32), ("preperiod", np.uint32)])
"""A balanced deal, packed; the number of the cycle it comes to, and the tricks it takes."""

assert PIECE.itemsize == sizeof(bmn_piece) and LOOP.itemsize == sizeof(bmn_loop)
assert ENDLESS.itemsize == sizeof(bmn_endless)


cdef bmn_hand _hand(cards) except *:
    cdef const uint8_t[::1] view = bytes(cards) or b"\0"
    return bmn_pack(&view[0], len(cards))


cdef class Rules:
    """What pieces are looked for.

    Parameters
    ----------
    head : bytes
        The small hand that reads, card values, top card first.
    spare : int
        How many spare plain cards lie under the pieces.
    most : sequence of int
        The most cards of each kind in a piece, plain first.
    """

    cdef bmn_piece_rules rules

    def __init__(self, head, spare, most):
        self.rules.head = _hand(head)
        self.rules.spare = spare
        self.rules.most = tuple(most)
        self.rules.passes = BMN_MOST_PASSES


def words(pieces) -> list:
    """Return the words of pieces as bytes of card values."""
    cdef uint8_t cards[BMN_MAX_CARDS + 1]
    cdef bmn_hand h
    cdef unsigned size
    found = []
    for piece in pieces:
        h.cards, h.values = piece["cards"], piece["values"]
        size = bmn_unpack(h, cards)
        found.append(bytes(cards[:size]))
    return found


def test(words, Rules rules) -> np.ndarray:
    """Return the periodic pieces among words, each once, in their order.

    Parameters
    ----------
    words : sequence of bytes
        Card values, top card first.
    rules : Rules
        Head and spare cards.
    """
    cdef bmn_catalogue catalogue
    cdef bmn_piece piece
    if bmn_catalogue_open(&catalogue, len(words) + 1):
        raise MemoryError
    try:
        for word in words:
            if bmn_test_piece(_hand(word), &rules.rules, &piece) == BMN_PERIODIC:
                bmn_catalogue_add(&catalogue, &piece)
        return _pieces(&catalogue)
    finally:
        bmn_catalogue_close(&catalogue)


def phases(piece, Rules rules) -> list:
    """Return all phases of a periodic piece as bytes, its smallest first."""
    cdef bmn_hand h
    cdef uint8_t cards[BMN_MAX_CARDS + 1]
    cdef unsigned size
    found = []
    for passes in range(piece["passes"]):
        h.cards, h.values = piece["cards"], piece["values"]
        h = bmn_phase(h, &rules.rules, passes)
        size = bmn_unpack(h, cards)
        found.append(bytes(cards[:size]))
    return found


def sweep(Rules rules, heads, lag, part=0, parts=1, limit=1 << 20) -> tuple:
    """Find all periodic pieces of few passes, see ``kernels/tape.h``.

    Parameters
    ----------
    rules : Rules
        Head, spare cards, and the most cards of each kind in a piece.
    heads : int
        Pieces that come back after so many passes are found, at most `MAX_HEADS`. With 0, every
        piece within the rules is tested, however many passes it takes.
    lag : int
        The most penalty cards that may be read and not yet have come back.
    part, parts : int
        Which part of the search is done.
    limit : int
        The most pieces there may be.

    Returns
    -------
    pieces : ndarray of PIECE
        In the order they were found.
    nodes : int
        Cards fed to the first head: the work done.
    """
    cdef bmn_catalogue catalogue
    cdef bmn_sweep w
    if bmn_catalogue_open(&catalogue, limit):
        raise MemoryError
    try:
        w.rules, w.heads, w.lag, w.split = rules.rules, heads, lag, SPLIT
        w.part, w.parts, w.branches, w.nodes = part, parts, 0, 0
        w.found = &catalogue
        with nogil:
            if w.heads:
                bmn_sweep_all(&w)
            else:
                bmn_enumerate(&w)
        return _pieces(&catalogue), w.nodes
    finally:
        bmn_catalogue_close(&catalogue)


MAX_HEADS = BMN_HEADS
"""The most passes `sweep` can follow."""

SPLIT = 10
"""After so many cards a search is cut into parts."""


def mutate(pieces, Rules rules, seed, first_trial, trials, reach, limit) -> tuple:
    """Look for new periodic pieces by changing known ones, see ``kernels/mutate.h``.

    Parameters
    ----------
    pieces : ndarray of PIECE
        What is known.
    rules : Rules
        Head, spare cards, and how many cards a piece may have.
    seed, first_trial, trials : int
        Which random numbers are used: those of so many trials from the first one on.
    reach : int
        Only pieces whose head reaches so far are changed.
    limit : int
        The most pieces there may be.

    Returns
    -------
    pieces : ndarray of PIECE
        The known pieces and then the new ones.
    hits : int
        Trials that gave a periodic piece, known or new.
    """
    cdef bmn_catalogue catalogue
    cdef bmn_mutations m
    cdef uint64_t hits
    cdef const uint8_t[::1] known = np.ascontiguousarray(pieces, PIECE).view(np.uint8)
    cdef size_t i, n = len(pieces)
    m.seed, m.first_trial, m.trials, m.reach = seed, first_trial, trials, reach
    if bmn_catalogue_open(&catalogue, max(limit, n)):
        raise MemoryError
    try:
        with nogil:
            for i in range(n):
                bmn_catalogue_add(&catalogue, <const bmn_piece *> &known[i * sizeof(bmn_piece)])
            hits = bmn_mutate(&catalogue, &rules.rules, &m)
        return _pieces(&catalogue), hits
    finally:
        bmn_catalogue_close(&catalogue)


cdef _pieces(const bmn_catalogue *catalogue):
    found = np.empty(catalogue.count, PIECE)
    cdef uint8_t[::1] view = found.view(np.uint8)
    if catalogue.count:
        memcpy(&view[0], catalogue.pieces, catalogue.count * sizeof(bmn_piece))
    return found


cdef class Assembly:
    """Distinct cycles put together from pieces.

    Attributes
    ----------
    tried, failed : int
        Assemblies played, and those of them that were not a cycle.
    """

    cdef bmn_loops loops
    cdef readonly uint64_t tried, failed

    def __cinit__(self):
        if bmn_loops_open(&self.loops):
            raise MemoryError

    def __dealloc__(self):
        bmn_loops_close(&self.loops)

    def add(self, phases, equal, Rules rules, origin, limit):
        """Put pieces together in all orders and phases.

        Parameters
        ----------
        phases : sequence of sequence of bytes
            The phases of each piece, the piece with the most phases first.
        equal : sequence of int
            Numbers below 32, equal for equal pieces.
        rules : Rules
            Head and spare cards.
        origin : int
            The number of the composition.
        limit : int
            The most assemblies that are tried.
        """
        cdef bmn_parts parts
        cdef bmn_hand words[BMN_MOST_PIECES]
        cdef int status
        flat = np.empty((sum(map(len, phases)), 2), np.uint64)
        cdef uint64_t[:, ::1] view = flat
        cdef bmn_hand h
        cdef uint32_t at = 0
        if len(phases) > BMN_MOST_PIECES:
            raise InputError(f"{len(phases)} pieces are too many; at most {BMN_MOST_PIECES}")
        for i, piece in enumerate(phases):
            parts.first[i], parts.passes[i], parts.same[i] = at, len(piece), equal[i]
            for word in piece:
                h = _hand(word)
                view[at, 0], view[at, 1] = h.cards, h.values
                at += 1
        parts.phases = <const bmn_hand *> &view[0, 0]
        parts.count, parts.origin, parts.limit = len(phases), origin, limit
        parts.tried = parts.failed = 0
        with nogil:
            status = bmn_assemble(
                &rules.rules, &parts, (<uint32_t> 1 << parts.count) - 1, 0, words, &self.loops)
        if status:
            raise MemoryError
        self.tried += parts.tried
        self.failed += parts.failed

    def extend(self, cycles):
        """Add known cycles: ndarray of LOOP."""
        cdef size_t i, n = len(cycles)
        cdef const uint8_t[::1] known = np.ascontiguousarray(cycles, LOOP).view(np.uint8)
        for i in range(n):
            if bmn_loops_add(&self.loops, <const bmn_loop *> &known[i * sizeof(bmn_loop)]) < 0:
                raise MemoryError

    def neighbours(self, seed, first_trial, trials, changes, reach, tricks) -> int:
        """Add cycles that differ by a few exchanges or moves of cards from some of these.

        Parameters
        ----------
        seed, first_trial, trials : int
            Which random numbers are used.
        changes : int
            The most exchanges and moves.
        reach : int
            Only cycles whose smaller hand has so many cards at some time are added.
        tricks : int
            The longest lap.

        Returns
        -------
        int
            Trials that gave a cycle, known or new.
        """
        cdef bmn_near near
        cdef int status
        near.seed, near.first_trial, near.trials = seed, first_trial, trials
        near.changes, near.reach, near.tricks, near.closed = changes, reach, tricks, 0
        with nogil:
            status = bmn_neighbours(&near, &self.loops)
        if status:
            raise MemoryError
        return near.closed

    def cycles(self) -> np.ndarray:
        """Return all cycles in the order they were found: ndarray of LOOP."""
        found = np.empty(self.loops.count, LOOP)
        cdef uint8_t[::1] view = found.view(np.uint8)
        if self.loops.count:
            memcpy(&view[0], self.loops.loops, self.loops.count * sizeof(bmn_loop))
        return found


def endless_deals(cycles) -> np.ndarray:
    """Return all balanced deals that come to cycles.

    Parameters
    ----------
    cycles : ndarray of LOOP
        The cycles.

    Returns
    -------
    ndarray of ENDLESS
        Cycle after cycle.
    """
    cdef bmn_endless_list deals
    cdef int status = 0
    cdef size_t i, n = len(cycles)
    cdef const uint8_t[::1] known = np.ascontiguousarray(cycles, LOOP).view(np.uint8)
    deals.deals, deals.count, deals.room = NULL, 0, 0
    try:
        with nogil:
            for i in range(n):
                status = bmn_endless_deals(
                    <const bmn_loop *> &known[i * sizeof(bmn_loop)], i, &deals)
                if status:
                    break
        if status:
            raise MemoryError
        return _endless(&deals)
    finally:
        free(deals.deals)


cdef _endless(const bmn_endless_list *deals):
    found = np.empty(deals.count, ENDLESS)
    cdef uint8_t[::1] view = found.view(np.uint8)
    if deals.count:
        memcpy(&view[0], deals.deals, deals.count * sizeof(bmn_endless))
    return found
