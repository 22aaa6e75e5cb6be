# cython: boundscheck=False, wraparound=False, cdivision=True
"""Compiled cycle detection, backward play and census, for the standard rules of play.

Everything works on packed states, see ``kernels/state.h``: four unsigned 64-bit words, the
leader's hand first. Decks of up to `MAX_CARDS` cards, `MAX_PENALTIES` of them penalty cards.
"""

import numpy as np

from bmn.errors import InputError

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef extern from "kernels/backward.h" nogil:
    enum:
        BMN_MAX_CARDS, BMN_MAX_PENALTIES, BMN_MAX_PREDECESSORS
        BMN_TREE_WHOLE, BMN_TREE_TOO_LARGE

    ctypedef struct bmn_hand:
        uint64_t cards, values

    ctypedef struct bmn_state:
        bmn_hand lead, other

    ctypedef struct bmn_progress:
        uint64_t tricks, cards
        uint8_t seat, ending, sound

    ctypedef struct bmn_tree:
        bmn_state *states
        uint32_t *level
        size_t count

    bmn_hand bmn_pack(const uint8_t *, unsigned)
    unsigned bmn_unpack(bmn_hand, uint8_t *)
    unsigned bmn_hand_size(bmn_hand)
    unsigned bmn_predecessors(const bmn_state *, bmn_state *)
    int bmn_tree_open(bmn_tree *, size_t, size_t)
    void bmn_tree_close(bmn_tree *)
    int bmn_ancestors(bmn_tree *, bmn_state, uint32_t)
    int bmn_basin(bmn_tree *, bmn_state, size_t, uint32_t)


cdef extern from "kernels/brent.h" nogil:
    enum:
        BMN_ENDS, BMN_CYCLES, BMN_UNDECIDED

    ctypedef struct bmn_recurrence:
        int verdict
        bmn_progress end
        uint64_t preperiod, preperiod_cards, period, period_cards, steps
        int turned
        bmn_state entrance

    void bmn_classify(bmn_state, uint64_t, uint64_t, bmn_recurrence *)


cdef extern from "kernels/census.h" nogil:
    enum:
        BMN_CENSUS_TRICKS, BMN_CENSUS_PLAYS, BMN_MAX_TAIL

    ctypedef struct bmn_census_job:
        uint64_t rank, deals
        uint8_t cards[BMN_MAX_CARDS]
        unsigned first, second, tail
        unsigned deck[5]

    ctypedef struct bmn_length:
        pass

    ctypedef struct bmn_play_count:
        pass

    ctypedef struct bmn_open_deal:
        uint64_t rank
        bmn_state start

    ctypedef struct bmn_census_table:
        bmn_length *lengths
        bmn_play_count *plays
        bmn_open_deal *open
        size_t n_open

    bmn_census_table *bmn_census_open()
    void bmn_census_close(bmn_census_table *)
    int bmn_census(bmn_census_job *, bmn_census_table *)


MAX_CARDS = BMN_MAX_CARDS
"""The largest deal, in cards."""

MAX_PENALTIES = BMN_MAX_PENALTIES
"""The most penalty cards in a deal."""

VERDICTS = ("ends", "cycle", "undecided")
"""What can be known of a deal, in the order of the codes of `classify`."""

CLASSIFIED = {
    "verdict": np.uint8,
    "tricks": np.uint64,
    "card_plays": np.uint64,
    "winner": np.uint8,
    "ending": np.uint8,
    "preperiod_tricks": np.uint64,
    "preperiod_cards": np.uint64,
    "period_tricks": np.uint64,
    "period_cards": np.uint64,
    "period_tricks_seat_normalised": np.uint64,
    "steps": np.uint64,
}
"""Columns of `classify`."""


cdef bmn_state _packed(first, second) except *:
    cdef bmn_state s
    cdef const uint8_t[::1] cards
    both = bytes(first) + bytes(second)
    penalties = len(both) - both.count(0)
    if len(both) > MAX_CARDS or penalties > MAX_PENALTIES:
        raise InputError(
            f"the deal has {len(both)} cards, {penalties} of them penalty cards; this is done for "
            f"at most {MAX_CARDS} cards and {MAX_PENALTIES} penalty cards"
        )
    if not both or max(both) > 4:
        raise InputError("a deal is one or more card values from 0 (plain) to 4 (A)")
    cards = both
    s.lead = bmn_pack(&cards[0], <unsigned> len(first))
    s.other = bmn_pack(&cards[0] + len(first), <unsigned> len(second))
    return s


def pack(first, second) -> np.ndarray:
    """Pack a state.

    Parameters
    ----------
    first, second : bytes
        The leader's hand and the other, card values 0 to 4, top card first.

    Returns
    -------
    ndarray of uint64, shape (4,)

    Raises
    ------
    InputError
        If the deal is too large, or a value is not a card.
    """
    cdef bmn_state s = _packed(first, second)
    words = np.empty(4, np.uint64)
    cdef uint64_t[::1] view = words
    memcpy(&view[0], &s, sizeof(s))
    return words


cdef bmn_state _state(const uint64_t[:, ::1] states, Py_ssize_t i) noexcept nogil:
    cdef bmn_state s
    memcpy(&s, &states[i, 0], sizeof(s))
    return s


def texts(states) -> list:
    """Write packed states as deals, the leader's hand first.

    Parameters
    ----------
    states : ndarray of uint64, shape (n, 4)

    Returns
    -------
    list of str
    """
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(states, np.uint64)
    cdef uint8_t cards[BMN_MAX_CARDS + 1]
    cdef bmn_state s
    cdef unsigned first, i
    written = []
    for row in range(words.shape[0]):
        s = _state(words, row)
        first = bmn_unpack(s.lead, cards)
        hand = bytes(cards[:first])
        first = bmn_unpack(s.other, cards)
        written.append((hand + b"\5" + bytes(cards[:first])).translate(SYMBOLS).decode())
    return written


SYMBOLS = b"-JQKA/" + bytes(range(6, 256))


def sizes(states) -> np.ndarray:
    """Count the cards in both hands of packed states: int64, shape (n, 2)."""
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(states, np.uint64)
    counts = np.empty((len(words), 2), np.int64)
    cdef long[:, ::1] view = counts
    cdef bmn_state s
    for row in range(words.shape[0]):
        s = _state(words, row)
        view[row, 0] = bmn_hand_size(s.lead)
        view[row, 1] = bmn_hand_size(s.other)
    return counts


def classify(states, budget) -> tuple:
    """Find out of every state whether the game from it ends, by Brent's cycle detection.

    Parameters
    ----------
    states : ndarray of uint64, shape (n, 4)
        Packed states; seat 0 leads.
    budget : int
        Tricks after which a game is left undecided.

    Returns
    -------
    columns : dict of ndarray, each of shape (n,)
        ``verdict``, an index of `VERDICTS`. For a game that ends ``tricks`` begun,
        ``card_plays``, ``winner`` and ``ending`` (an index of `bmn.game.ENDINGS`); for a cycle
        ``tricks`` and ``card_plays`` up to the first repeat, and the preperiod and the period of
        the exact state with its seats; ``period_tricks_seat_normalised`` leaves the seats aside.
        ``steps`` is the number of tricks played to find out.
    entrances : ndarray of uint64, shape (n, 4)
        The first state of each cycle; zeros where there is none.
    """
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(states, np.uint64)
    cdef Py_ssize_t n = words.shape[0], i
    cdef uint64_t limit = budget
    cdef bmn_recurrence r
    columns = {name: np.zeros(n, kind) for name, kind in CLASSIFIED.items()}
    entrances = np.zeros((n, 4), np.uint64)
    cdef uint64_t[:, ::1] entrance = entrances
    cdef uint8_t[::1] verdict = columns["verdict"], winner = columns["winner"]
    cdef uint8_t[::1] ending = columns["ending"]
    cdef uint64_t[::1] tricks = columns["tricks"], cards = columns["card_plays"]
    cdef uint64_t[::1] pre = columns["preperiod_tricks"], pre_cards = columns["preperiod_cards"]
    cdef uint64_t[::1] period = columns["period_tricks"], lap = columns["period_cards"]
    cdef uint64_t[::1] normal = columns["period_tricks_seat_normalised"]
    cdef uint64_t[::1] steps = columns["steps"]
    with nogil:
        for i in range(n):
            bmn_classify(_state(words, i), 0, limit, &r)
            verdict[i] = r.verdict
            steps[i] = r.steps
            if r.verdict == BMN_CYCLES:
                pre[i], pre_cards[i], normal[i] = r.preperiod, r.preperiod_cards, r.period
                period[i] = r.period * (1 + r.turned)
                lap[i] = r.period_cards * (1 + r.turned)
                tricks[i], cards[i] = pre[i] + period[i], pre_cards[i] + lap[i]
                ending[i] = 2
                memcpy(&entrance[i, 0], &r.entrance, sizeof(r.entrance))
            else:
                tricks[i], cards[i] = r.end.tricks, r.end.cards
                winner[i], ending[i] = r.end.seat, r.end.ending
                if r.verdict == BMN_UNDECIDED:
                    winner[i] = 0
    return columns, entrances


def predecessors(state) -> np.ndarray:
    """Return all states that come to a packed state in one trick: uint64, shape (n, 4)."""
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(state, np.uint64).reshape(1, 4)
    cdef bmn_state out[BMN_MAX_PREDECESSORS]
    cdef bmn_state s = _state(words, 0)
    cdef size_t n = bmn_predecessors(&s, out)
    found = np.empty((n, 4), np.uint64)
    cdef uint64_t[:, ::1] view = found
    if n:
        memcpy(&view[0, 0], out, n * sizeof(bmn_state))
    return found


def basin(entrance, period, depth, limit) -> tuple:
    """Return a cycle and all states that come to it.

    Parameters
    ----------
    entrance : ndarray of uint64, shape (4,)
        A state on the cycle.
    period : int
        Its period in tricks, the seats left aside.
    depth : int
        The greatest distance from the cycle, in tricks.
    limit : int
        The most states there may be.

    Returns
    -------
    states : ndarray of uint64, shape (n, 4)
        The cycle in its order, then level after level.
    levels : ndarray of uint32, shape (n,)
        Tricks to the cycle; 0 on it.

    Raises
    ------
    InputError
        If there are more states than `limit`.
    """
    return _grown(entrance, period, depth, limit)


def ancestors(state, depth, limit) -> tuple:
    """Return a state and all that come to it; as `basin`, but levels are tricks to the state."""
    return _grown(state, 0, depth, limit)


cdef _grown(root, size_t period, uint32_t depth, size_t limit):
    """Grow the tree of a cycle or, with period 0, of a state."""
    cdef const uint64_t[:, ::1] words = np.ascontiguousarray(root, np.uint64).reshape(1, 4)
    cdef bmn_state start = _state(words, 0)
    cdef bmn_tree tree
    cdef int status
    cdef uint64_t[:, ::1] state_view
    cdef uint32_t[::1] level_view
    try:
        with nogil:
            status = bmn_tree_open(&tree, 4096, limit)
            if status == BMN_TREE_WHOLE:
                if period:
                    status = bmn_basin(&tree, start, period, depth)
                else:
                    status = bmn_ancestors(&tree, start, depth)
        if status == BMN_TREE_TOO_LARGE:
            raise InputError(
                f"there are more than {limit} states; give a smaller depth or a larger limit"
            )
        if status != BMN_TREE_WHOLE:
            raise MemoryError
        states, levels = np.empty((tree.count, 4), np.uint64), np.empty(tree.count, np.uint32)
        state_view, level_view = states, levels
        memcpy(&state_view[0, 0], tree.states, tree.count * sizeof(bmn_state))
        memcpy(&level_view[0], tree.level, tree.count * sizeof(uint32_t))
        return states, levels
    finally:
        bmn_tree_close(&tree)


def census(first, second, rank, deals, tail) -> tuple:
    """Play the deals of consecutive ranks, see ``kernels/census.h``.

    Parameters
    ----------
    first, second : bytes
        The hands of the first deal, card values 0 to 4, top card first.
    rank, deals : int
        Its rank, and how many deals there are.
    tail : int
        How many cards at the end of the second hand have their orders prepared, at most
        `MAX_TAIL`: no matter for the result.

    Returns
    -------
    lengths : ndarray of uint64, shape (rows, 9)
        Tricks, then the columns of the length table from ``deals`` on.
    plays : ndarray of uint64, shape (rows, 3)
        Card plays, deals, and the smallest rank.
    open_ranks : ndarray of uint64, shape (n,)
        Deals that were not decided within `CENSUS_TRICKS` tricks and are in neither table.
    open_states : ndarray of uint64, shape (n, 4)
        Those deals, packed.
    """
    cdef bmn_census_job job
    cdef bmn_census_table *table = bmn_census_open()
    cdef int failed
    cdef size_t i
    if table == NULL:
        raise MemoryError
    try:
        job.first, job.second, job.tail = len(first), len(second), tail
        job.rank, job.deals = rank, deals
        cards = first + second
        for i in range(<size_t> len(cards)):
            job.cards[i] = cards[i]
        for i in range(5):
            job.deck[i] = cards.count(i)
        with nogil:
            failed = bmn_census(&job, table)
        if failed:
            raise MemoryError
        open_ranks = np.empty(table.n_open, np.uint64)
        open_states = np.empty((table.n_open, 4), np.uint64)
        for i in range(table.n_open):
            _keep_open(open_ranks, open_states, i, &table.open[i])
        return (
            _rows(<uint64_t *> table.lengths, CENSUS_TRICKS + 1, 8, 6),
            _rows(<uint64_t *> table.plays, BMN_CENSUS_PLAYS, 2, 1),
            open_ranks,
            open_states,
        )
    finally:
        bmn_census_close(table)


MAX_TAIL = BMN_MAX_TAIL
"""The longest tail of a census."""

CENSUS_TRICKS = BMN_CENSUS_TRICKS
"""Tricks after which a deal of a census is handed to cycle detection."""


cdef _keep_open(uint64_t[::1] ranks, uint64_t[:, ::1] states, size_t i, bmn_open_deal *deal):
    ranks[i] = deal.rank
    memcpy(&states[i, 0], &deal.start, sizeof(bmn_state))


cdef _rows(uint64_t *memory, Py_ssize_t rows, Py_ssize_t columns, Py_ssize_t complement):
    """Copy the rows in use, each after its number; one column is kept as its complement."""
    table = np.asarray(<uint64_t[:rows, :columns]> memory)
    used = np.flatnonzero(table[:, 0])
    table = table[used]
    table[:, complement] = ~table[:, complement]
    return np.column_stack([used.astype(np.uint64), table])
