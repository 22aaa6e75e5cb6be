# cython: boundscheck=False, wraparound=False, cdivision=True
"""The compiled game under any rule set: play seeds or stated deals, and detect cycles."""

import numpy as np

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy


cdef extern from "kernels/recur.h" nogil:
    enum:
        BMN_MAX_PLAYERS, BMN_CYCLES, BMN_ENDS

    ctypedef struct bmn_rules:
        uint32_t players, leader, blocks, last_on_top
        uint8_t penalties[8]
        uint32_t reversed, payer_leads, ends_when_empty, stop_tricks, stop_on_repeat

    ctypedef struct bmn_table:
        uint64_t tricks, laid
        uint8_t ending, winner, violation

    ctypedef struct bmn_pair:
        bmn_table ahead

    ctypedef struct bmn_recurring:
        int verdict
        uint64_t preperiod, preperiod_cards, period, period_cards
        uint32_t laps

    int bmn_pair_open(bmn_pair *, const bmn_rules *, uint32_t)
    void bmn_pair_close(bmn_pair *)
    void bmn_shuffle_by(uint8_t *, uint32_t, uint64_t)
    void bmn_deal_out(const bmn_rules *, const uint8_t *, uint32_t, uint8_t *, uint32_t *)
    void bmn_general_game(bmn_pair *, const uint8_t *, const uint32_t *, uint64_t)
    void bmn_general_classify(
        bmn_pair *, const uint8_t *, const uint32_t *, uint64_t, bmn_recurring *)


DRAW = 255
"""The winner of a draw."""

GAME_COLUMNS = {
    "tricks": np.uint64,
    "card_plays": np.uint64,
    "winner": np.uint8,
    "ending": np.uint8,
    "violation": np.bool_,
}


cdef class _Pair:
    """Two tables, and the rules they are played by."""

    cdef bmn_rules rules
    cdef bmn_pair pair

    def __cinit__(self, rules, uint32_t size):
        self.rules.players, self.rules.leader = rules.players, rules.leader
        self.rules.blocks = rules.dealing == "blocks"
        self.rules.last_on_top = rules.top == "last"
        for value, demand in enumerate(rules.penalties):
            self.rules.penalties[value] = demand
        self.rules.reversed = rules.pile == "reversed"
        self.rules.payer_leads = rules.next_leader == "payer"
        self.rules.ends_when_empty = rules.ends == "empty hand"
        self.rules.stop_tricks = rules.stop_tricks or 0
        self.rules.stop_on_repeat = rules.stop_on_repeat
        if bmn_pair_open(&self.pair, &self.rules, size):
            raise MemoryError

    def __dealloc__(self):
        bmn_pair_close(&self.pair)


def play_seeds(first_seed, seeds, rules, cap) -> dict:
    """Play the deals of a range of seeds.

    Parameters
    ----------
    first_seed, seeds : int
        The range, within 64 bits.
    rules : bmn.rules.Rules
        Deck, dealing and play.
    cap : int
        Tricks after which a game still undecided is given up.

    Returns
    -------
    dict of ndarray, each of shape (seeds,)
        ``tricks``, ``card_plays`` (uint64), ``winner`` (uint8, a player or `DRAW`), ``ending``
        (uint8, an index of `bmn.game.ENDINGS`) and ``violation`` (bool).
    """
    cdef uint32_t size = rules.deck.size
    cdef _Pair pair = _Pair(rules, size)
    cdef bmn_table *table = &pair.pair.ahead
    cdef uint64_t first = first_seed, limit = cap
    cdef Py_ssize_t n = seeds, i
    cdef uint32_t sizes[BMN_MAX_PLAYERS]
    cdef const uint8_t[::1] in_order = rules.deck.cards
    cdef uint8_t[::1] deck = np.empty(size, np.uint8), cards = np.empty(size, np.uint8)
    columns = {name: np.empty(n, kind) for name, kind in GAME_COLUMNS.items()}
    cdef uint64_t[::1] tricks = columns["tricks"], card_plays = columns["card_plays"]
    cdef uint8_t[::1] winner = columns["winner"], ending = columns["ending"]
    cdef uint8_t[::1] violation = columns["violation"].view(np.uint8)
    with nogil:
        for i in range(n):
            memcpy(&deck[0], &in_order[0], size)
            bmn_shuffle_by(&deck[0], size, first + i)
            bmn_deal_out(&pair.rules, &deck[0], size, &cards[0], sizes)
            bmn_general_game(&pair.pair, &cards[0], sizes, limit)
            tricks[i], card_plays[i] = table.tricks, table.laid
            winner[i], ending[i] = table.winner, table.ending
            violation[i] = table.violation
    return columns


def play_many(deals, sizes, rules, cap) -> dict:
    """Play many stated deals.

    Parameters
    ----------
    deals : ndarray of uint8, shape (n, m)
        One deal a row, one hand after the other; card values 0 to 4, top card first.
    sizes : sequence of int
        The number of cards in each hand; they add up to m.
    rules, cap
        See `play_seeds`.

    Returns
    -------
    dict of ndarray, each of shape (n,)
        As from `play_seeds`.
    """
    cdef const uint8_t[:, ::1] cards = np.ascontiguousarray(deals, np.uint8)
    cdef _Pair pair = _Pair(rules, cards.shape[1])
    cdef bmn_table *table = &pair.pair.ahead
    cdef uint64_t limit = cap
    cdef Py_ssize_t n = cards.shape[0], i
    cdef uint32_t hands[BMN_MAX_PLAYERS]
    for i in range(rules.players):
        hands[i] = sizes[i]
    columns = {name: np.empty(n, kind) for name, kind in GAME_COLUMNS.items()}
    cdef uint64_t[::1] tricks = columns["tricks"], card_plays = columns["card_plays"]
    cdef uint8_t[::1] winner = columns["winner"], ending = columns["ending"]
    cdef uint8_t[::1] violation = columns["violation"].view(np.uint8)
    with nogil:
        for i in range(n):
            bmn_general_game(&pair.pair, &cards[i, 0], hands, limit)
            tricks[i], card_plays[i] = table.tricks, table.laid
            winner[i], ending[i] = table.winner, table.ending
            violation[i] = table.violation
    return columns


def play(hands, rules, cap) -> tuple:
    """Play one stated deal.

    Parameters
    ----------
    hands : sequence of bytes
        A hand for each player, card values 0 to 4, top card first.
    rules, cap
        See `play_seeds`.

    Returns
    -------
    tuple of int
        Tricks, card plays, winner, ending and violation as in `play_seeds`.
    """
    deal = np.frombuffer(b"".join(hands), np.uint8)[None, :]
    games = play_many(deal, [len(hand) for hand in hands], rules, cap)
    return tuple(int(games[name][0]) for name in GAME_COLUMNS)


def classify(hands, rules, budget) -> tuple:
    """Find out whether a game ends, by Brent's cycle detection.

    Parameters
    ----------
    hands, rules
        See `play`; house rules that stop a game are left aside.
    budget : int
        Tricks after which the game is left undecided.

    Returns
    -------
    verdict : int
        An index of ``("ends", "cycle", "undecided")``.
    tricks, card_plays, winner, ending : int
        Of a game that ends.
    preperiod_tricks, preperiod_cards, period_tricks, period_cards, laps : int
        Of a cycle: the period leaves the seats aside; they are as before after ``laps`` periods.
    """
    cdef uint32_t sizes[BMN_MAX_PLAYERS]
    cdef const uint8_t[::1] cards = _flat(hands, sizes)
    cdef _Pair pair = _Pair(rules, cards.shape[0])
    cdef bmn_table *table = &pair.pair.ahead
    cdef bmn_recurring r
    cdef uint64_t limit = budget
    with nogil:
        bmn_general_classify(&pair.pair, &cards[0], sizes, limit, &r)
    game = (table.tricks, table.laid, table.winner, table.ending)
    cycle = (r.preperiod, r.preperiod_cards, r.period, r.period_cards, r.laps)
    return r.verdict, game if r.verdict == BMN_ENDS else None, cycle if r.verdict == BMN_CYCLES else None


cdef _flat(hands, uint32_t *sizes):
    """Put the hands into one buffer, and their sizes into `sizes`."""
    for player, hand in enumerate(hands):
        sizes[player] = len(hand)
    return b"".join(hands)
