# cython: boundscheck=False, wraparound=False, cdivision=True
"""The compiled half of the three-queue War.

States are given as two or three ``bytes`` of card *ranks*, front card first: the cards of n are
ranked 0..n-1, larger wins. The algorithms are C headers under ``war/``; this module hands them
plain values and lets them run without the interpreter's lock. It trusts its callers, which are
`bmn.sedaps.fates`, `bmn.sedaps.backward` and `bmn.sedaps.census`, to check states.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy


cdef extern from "war/queues.h" nogil:
    enum:
        WAR_CARDS

    ctypedef struct war_queues:
        int seats
        uint32_t *head
        uint32_t *tail
        uint8_t **tape

    ctypedef struct war_fate:
        uint64_t turns, period

    uint32_t war_size(const war_queues *, int)
    int war_live(const war_queues *)
    int war_turn(war_queues *)
    int war_find_fate(const war_queues *, int, uint64_t, war_fate *)


cdef extern from "war/tally.h" nogil:
    ctypedef struct u128 "war_u128":
        pass

    uint64_t war_low(u128)
    uint64_t war_high(u128)

    ctypedef struct war_outcome:
        uint32_t turns, visits
        uint16_t alpha
        uint8_t loop, on_loop, live, alternates, rigid

    ctypedef struct war_row:
        war_outcome outcome
        uint64_t leaves
        u128 states

    ctypedef struct war_tally:
        war_row *row
        uint32_t rows
        int full


cdef extern from "war/poset.h" nogil:
    enum:
        WAR_LABELS

    ctypedef struct war_order:
        uint32_t *above
        uint32_t *below

    ctypedef struct war_extensions:
        int no_memory

    int war_extensions_open(war_extensions *)
    void war_extensions_close(war_extensions *)
    void war_learn(war_order *, uint32_t, uint32_t)
    u128 war_count_extensions(war_extensions *, const war_order *, int)


cdef extern from "war/tree.h" nogil:
    enum:
        WAR_NO_MEMORY, WAR_TOO_LONG, WAR_TOO_MANY

    ctypedef struct war_loop:
        uint32_t period
        war_order order

    ctypedef struct war_tree:
        int cards, seats, stop, loops_only, keep_loops, fault
        uint64_t nodes
        war_loop *loops
        size_t n_loops

    int war_tree_open(war_tree *, war_tally *)
    void war_tree_close(war_tree *)
    void war_tree_start(war_tree *, const int *, int)
    void war_tree_set_maxima(war_tree *, const int *, int, int)
    void war_grow(war_tree *, uint32_t, uint32_t, int)


cdef extern from "war/enumerate.h" nogil:
    ctypedef struct war_packed:
        uint64_t *queue
        uint32_t *size

    ctypedef struct war_enumeration:
        int stop, keep_loops, no_memory
        war_tally *tally
        war_packed *loops
        size_t n_loops

    void war_enumerate(war_enumeration *, const int *, int)


cdef extern from "war/rigid.h" nogil:
    ctypedef struct war_rigid_row:
        uint32_t heads, period
        uint64_t states

    ctypedef struct war_rigid:
        uint64_t states
        war_rigid_row *row
        int rows, full

    void war_rigid_enumerate(war_rigid *, const int *)


cdef extern from "war/backward.h" nogil:
    ctypedef struct war_window:
        uint32_t *head
        uint32_t *tail

    ctypedef struct war_undo:
        pass

    ctypedef struct war_backward:
        uint8_t **tape
        war_window now
        uint32_t dealt, lowest, formula
        int any, capped
        uint64_t cap, expanded, boundary
        u128 deals

    int war_backward_open(war_backward *, const uint8_t **, const uint32_t *, uint32_t)
    void war_backward_close(war_backward *)
    int war_list_undos(const war_backward *, war_undo *)
    void war_undo_turn(war_backward *, const war_undo *)
    uint32_t war_held(const war_window *, int)
    int war_shape(const war_backward *, uint32_t)
    void war_search_back(war_backward *, uint32_t)
    const uint8_t *war_first(const war_backward *, int)


MAX_CARDS = WAR_CARDS
"""The largest number of cards play can handle."""

MAX_TREE_CARDS = WAR_LABELS
"""The largest number of cards a comparison tree can handle."""

MAX_ENUMERATED_CARDS = 16
"""The largest number of cards direct enumeration can handle."""


# ---------------------------------------------------------------- play


cdef int load(war_queues *w, tuple state) except -1:
    """Lay out the queues of a state."""
    cdef int seat
    cdef bytes queue
    w.seats = len(state)
    for seat in range(w.seats):
        queue = state[seat]
        w.head[seat] = 0
        w.tail[seat] = len(queue)
        memcpy(<uint8_t *>w.tape[seat], <const uint8_t *>queue, len(queue))
    return 0


cdef tuple unload(war_queues *w):
    cdef int seat
    return tuple([
        (<const char *>w.tape[seat])[w.head[seat]:w.tail[seat]] for seat in range(w.seats)
    ])


def fate(tuple state, uint64_t limit, int stop=2):
    """Return (turns, period): the turn of the end and 0, or preperiod and period of the cycle.

    A state with fewer than `stop` live queues is an end. Returns None if neither an end nor a
    repetition comes within `limit` turns.
    """
    cdef war_queues w
    cdef war_fate found
    cdef int lost
    load(&w, state)
    with nogil:
        lost = war_find_fate(&w, stop, limit, &found)
    return None if lost else (found.turns, found.period)


def advance(tuple state, uint64_t turns):
    """Play some turns; return the state and the seats that won them, as bytes."""
    cdef war_queues w
    cdef uint64_t turn
    cdef int winner
    winners = bytearray(turns)
    cdef uint8_t[:] won = winners
    load(&w, state)
    for turn in range(turns):
        winner = war_turn(&w)
        if winner < 0:
            return unload(&w), bytes(winners[:turn])
        won[turn] = winner
    return unload(&w), bytes(winners)


# ---------------------------------------------------------------- backward


cdef int load_back(war_backward *b, tuple state, uint32_t turns) except -1:
    cdef const uint8_t *card[3]
    cdef uint32_t size[3]
    cdef int seat
    for seat in range(3):
        card[seat] = <const uint8_t *><bytes>state[seat]
        size[seat] = len(state[seat])
    if war_backward_open(b, card, size, turns):
        war_backward_close(b)
        raise MemoryError
    b.dealt = sum(map(len, state)) // 3
    return 0


def predecessors(tuple state):
    """Return the predecessors of a three-queue state, sorted."""
    cdef war_backward b
    cdef war_undo undo[4]
    cdef war_window here
    cdef int way, ways, seat
    load_back(&b, state, 1)
    here = b.now
    ways = war_list_undos(&b, undo)
    found = []
    for way in range(ways):
        war_undo_turn(&b, &undo[way])
        found.append(tuple([
            (<const char *>war_first(&b, seat))[:war_held(&b.now, seat)] for seat in range(3)
        ]))
        b.now = here
    war_backward_close(&b)
    return found


def shape(tuple state, uint32_t turn):
    """Return whether a three-queue state has the shape of a fair deal's state at that turn."""
    cdef war_backward b
    load_back(&b, state, 0)
    passed = war_shape(&b, turn) != 0
    war_backward_close(&b)
    return passed


def search_back(tuple state, uint32_t turn, uint64_t cap, uint32_t formula):
    """Search backward for deals; return (expanded, lowest or None, deals, boundary, capped).

    `formula` is the highest turn, less than a queue's dealt cards, at which the deals behind a
    three-live state are counted by the formula.
    """
    cdef war_backward b
    load_back(&b, state, turn)
    b.cap = cap
    b.formula = formula
    with nogil:
        war_search_back(&b, turn)
    war_backward_close(&b)
    lowest = b.lowest if b.any else None
    return b.expanded, lowest, exact(b.deals), b.boundary, b.capped != 0


def along(tuple state, uint32_t first, uint32_t last):
    """Follow three queues and look at the states at turns `first` to `last`, while play lasts.

    Returns
    -------
    states, passed, terminal, predecessors : int
        States looked at, those that pass the shape test of their turn, those that play ends
        with, and the predecessors of all of them together.
    """
    cdef war_queues w
    cdef war_backward b
    cdef war_undo undo[4]
    cdef uint32_t turn
    cdef uint64_t states = 0, passed = 0, terminal = 0, before = 0
    cdef int seat
    load(&w, state)
    load_back(&b, state, 0)
    for turn in range(last + 1):
        if turn >= first:
            for seat in range(3):
                b.now.head[seat] = 0
                b.now.tail[seat] = war_size(&w, seat)
                memcpy(b.tape[seat], w.tape[seat] + w.head[seat], war_size(&w, seat))
            states += 1
            passed += war_shape(&b, turn)
            terminal += war_live(&w) < 2
            before += war_list_undos(&b, undo)
        if war_turn(&w) < 0:
            break
    war_backward_close(&b)
    return states, passed, terminal, before


# ---------------------------------------------------------------- censuses


cdef object exact(u128 value):
    return int(war_high(value)) << 64 | int(war_low(value))


cdef list rows_of(const war_tally *t):
    """List (loop, on_loop, live, turns, rigid, alternates, alpha, visits, leaves, states)."""
    cdef uint32_t i
    cdef const war_outcome *o
    found = []
    for i in range(t.rows):
        o = &t.row[i].outcome
        found.append((
            o.loop != 0, o.on_loop != 0, o.live, o.turns, o.rigid != 0, o.alternates != 0,
            o.alpha, o.visits, t.row[i].leaves, exact(t.row[i].states),
        ))
    return sorted(found)


cdef int check_fault(int fault) except -1:
    if fault == WAR_NO_MEMORY:
        raise MemoryError
    if fault == WAR_TOO_LONG:
        raise OverflowError("a branch of the comparison tree is too long to follow")
    if fault == WAR_TOO_MANY:
        raise OverflowError("there are too many different outcomes to count")
    return 0


def tree(tuple sizes, int stop, bint packets, list maxima=None, bint keep_loops=False):
    """Grow the comparison tree of one size pattern.

    Parameters
    ----------
    sizes
        Cards in two or three queues, at most `MAX_TREE_CARDS` together.
    stop
        A branch ends when fewer queues than this are live.
    packets
        Whether the states are those in packet form.
    maxima
        For the loop-only search: the positions of the largest cards of queues 1 and 2, as pairs,
        one start each; the global maximum is the first card of queue 0.
    keep_loops
        Whether to return the orders of the leaves that start on a loop.

    Returns
    -------
    rows : list of tuple
        As in `rows_of`.
    nodes : int
        Turns in the tree.
    loops : list of tuple
        (period, cards above each card as bit masks) of each kept leaf.
    """
    cdef war_tree t
    cdef war_tally *tally = <war_tally *>calloc(1, sizeof(war_tally))
    cdef int size[3]
    cdef int seat, first, second
    cdef size_t i
    cdef bint opened = False
    size[0], size[1], size[2] = (*sizes, 0)[:3]
    try:
        if not tally:
            raise MemoryError
        opened = True
        open_tree(&t, tally)
        t.cards, t.seats, t.stop = sum(sizes), len(sizes), stop
        t.keep_loops = keep_loops
        if maxima is None:
            with nogil:
                war_tree_start(&t, size, packets)
                war_grow(&t, 0, 0, 0)
        else:
            t.loops_only = 1
            for first, second in maxima:
                with nogil:
                    war_tree_start(&t, size, packets)
                    war_tree_set_maxima(&t, size, first, second)
                    war_grow(&t, 0, 0, 0)
        check_fault(t.fault)
        loops = [
            (t.loops[i].period, [t.loops[i].order.above[seat] for seat in range(t.cards)])
            for i in range(t.n_loops)
        ]
        return rows_of(tally), t.nodes, loops
    finally:
        if opened:
            war_tree_close(&t)
        free(tally)


cdef int open_tree(war_tree *t, war_tally *tally) except -1:
    if war_tree_open(t, tally):
        raise MemoryError
    return 0


def extensions(list below):
    """Count the linear extensions of an order, given the cards below each card as bit masks."""
    cdef war_extensions e
    cdef war_order order
    cdef int card, lower
    if war_extensions_open(&e):
        raise MemoryError
    for card in range(WAR_LABELS):
        order.above[card] = order.below[card] = 0
    for card in range(len(below)):
        for lower in range(len(below)):
            if below[card] >> lower & 1:
                war_learn(&order, card, lower)
    count = exact(war_count_extensions(&e, &order, len(below)))
    no_memory = e.no_memory
    war_extensions_close(&e)
    check_fault(WAR_NO_MEMORY if no_memory else 0)
    return count


def enumerate_states(tuple sizes, int stop, bint packets, bint keep_loops=False):
    """Play every concrete state of one size pattern.

    Returns
    -------
    rows : list of tuple
        As in `rows_of`, with leaves equal to states.
    loops : list of tuple
        The states that are on loops, each three ``bytes`` of ranks, if they are kept.
    """
    cdef war_enumeration *e = <war_enumeration *>calloc(1, sizeof(war_enumeration))
    cdef war_tally *tally = <war_tally *>calloc(1, sizeof(war_tally))
    cdef int size[3]
    cdef size_t i
    size[0], size[1], size[2] = (*sizes, 0)[:3]
    try:
        if not e or not tally:
            raise MemoryError
        e.tally, e.stop, e.keep_loops = tally, stop, keep_loops
        with nogil:
            war_enumerate(e, size, packets)
        check_fault(WAR_NO_MEMORY if e.no_memory else WAR_TOO_MANY if tally.full else 0)
        return rows_of(tally), [unpack(&e.loops[i]) for i in range(e.n_loops)]
    finally:
        if e:
            free(e.loops)
        free(e)
        free(tally)


cdef tuple unpack(const war_packed *p):
    cdef int seat
    cdef uint32_t i
    return tuple([
        bytes([p.queue[seat] >> 4 * i & 15 for i in range(p.size[seat])]) for seat in range(3)
    ])


def enumerate_rigid(tuple sizes):
    """Follow every state of one size pattern whose largest card is a packet head.

    Returns
    -------
    states : int
        States followed.
    rows : list of tuple
        (ranks of the heads as a bit mask, period, states) of those on rigid loops.
    """
    cdef war_rigid *r = <war_rigid *>calloc(1, sizeof(war_rigid))
    cdef int size[3]
    cdef int i
    size[0], size[1], size[2] = sizes
    if not r:
        raise MemoryError
    try:
        with nogil:
            war_rigid_enumerate(r, size)
        check_fault(WAR_TOO_MANY if r.full else 0)
        return r.states, sorted(
            (r.row[i].heads, r.row[i].period, r.row[i].states) for i in range(r.rows)
        )
    finally:
        free(r)
