/* Backward play: predecessors, the shape test of fair deals, and depth-first search to deals.

   Undoing a turn takes a suffix off one queue and puts its cards on fronts, so a queue is a
   window that only moves towards the start of its tape, and going back up the search is only a
   matter of moving the window again. */
#ifndef WAR_BACKWARD_H
#define WAR_BACKWARD_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "queues.h"
#include "tally.h"

typedef struct {
    uint32_t head[3], tail[3];
} war_window;

typedef struct {
    uint8_t *tape[3];
    war_window now;
    uint32_t dealt;       /* cards a queue in a fair deal */
    uint32_t formula;     /* highest turn at which deals are counted by the formula; 0: never */
    uint64_t cap;         /* stop once more states than this are expanded */
    uint64_t expanded, boundary;
    war_u128 deals;
    uint32_t lowest;      /* lowest turn of a state that passed the test */
    int any, capped;
    war_u128 factorial[21];
} war_backward;

/* One undone turn: `winner` gives `pot` cards back to the seats in `seats` (a bit each). */
typedef struct {
    int winner, pot, seats;
} war_undo;

static inline uint32_t war_held(const war_window *w, int seat)
{
    return w->tail[seat] - w->head[seat];
}

static inline int war_window_live(const war_window *w)
{
    return (w->tail[0] > w->head[0]) + (w->tail[1] > w->head[1]) + (w->tail[2] > w->head[2]);
}

static inline const uint8_t *war_first(const war_backward *b, int seat)
{
    return b->tape[seat] + b->now.head[seat];
}

static void war_undo_turn(war_backward *b, const war_undo *u)
{
    war_window *w = &b->now;
    uint32_t from = w->tail[u->winner] -= (uint32_t)u->pot;
    for (int step = 0; step < 3; step++) {
        int seat = (u->winner + step) % 3;
        if (u->seats >> seat & 1)
            b->tape[seat][--w->head[seat]] = b->tape[u->winner][from++];
    }
}

/* The card at place i of a queue after undoing a turn, or -1 behind its end. */
static int war_card_after(const war_backward *b, const war_undo *u, int seat, uint32_t i)
{
    const war_window *w = &b->now;
    uint32_t size = war_held(w, seat) - (seat == u->winner ? (uint32_t)u->pot : 0);
    if (u->seats >> seat & 1) {
        if (i == 0) {
            uint32_t from = w->tail[u->winner] - (uint32_t)u->pot;
            for (int step = 0; (u->winner + step) % 3 != seat; step++)
                from += u->seats >> (u->winner + step) % 3 & 1;
            return b->tape[u->winner][from];
        }
        i--;
    }
    return i < size ? b->tape[seat][w->head[seat] + i] : -1;
}

static int war_undo_order(const war_backward *b, const war_undo *x, const war_undo *y)
{
    for (int seat = 0; seat < 3; seat++)
        for (uint32_t i = 0;; i++) {
            int one = war_card_after(b, x, seat, i), other = war_card_after(b, y, seat, i);
            if (one != other)
                return one - other;
            if (one < 0)
                break;
        }
    return 0;
}

/* List the predecessors of the state, at most four, sorted by their queues. */
static int war_list_undos(const war_backward *b, war_undo undo[4])
{
    static const int seat_sets[4] = {3, 5, 6, 7};
    const war_window *w = &b->now;
    int live = 0, found = 0;
    for (int seat = 0; seat < 3; seat++)
        live |= (war_held(w, seat) > 0) << seat;
    for (int set = 0; set < 4; set++) {
        int seats = seat_sets[set], pot = seats == 7 ? 3 : 2;
        if (live & ~seats)
            continue;
        for (int winner = 0; winner < 3; winner++) {
            if (!(live >> winner & 1) || war_held(w, winner) < (uint32_t)pot)
                continue;
            const uint8_t *won = b->tape[winner] + w->tail[winner] - pot;
            if (won[1] > won[0] || (pot == 3 && won[2] > won[0]))
                continue;
            war_undo new = {winner, pot, seats};
            int at = found++;
            for (; at && war_undo_order(b, &undo[at - 1], &new) > 0; at--)
                undo[at] = undo[at - 1];
            undo[at] = new;
        }
    }
    return found;
}

static inline int war_led(const uint8_t *card, uint32_t from, uint32_t to)
{
    for (; from < to; from += 3)
        if (card[from + 1] > card[from] || card[from + 2] > card[from])
            return 0;
    return 1;
}

/* Whether a queue is 0..2 free cards, then threes, then twos, each led by its largest. */
static int war_splits(const uint8_t *card, uint32_t size)
{
    uint32_t reach[3]; /* how far threes go on from 0, 1 and 2 free cards */
    for (uint32_t free = 0; free < 3; free++) {
        reach[free] = free;
        while (reach[free] + 3 <= size && war_led(card, reach[free], reach[free] + 3))
            reach[free] += 3;
    }
    for (uint32_t end = size;; end -= 2) {
        if (reach[end % 3] >= end)
            return 1;
        if (end < 2 || card[end - 1] > card[end - 2])
            return 0;
    }
}

/* The shape test of a state `turn` turns after a fair deal. */
static int war_shape(const war_backward *b, uint32_t turn)
{
    const war_window *w = &b->now;
    int live = war_window_live(w);
    if (live < 2 || (live == 2 && turn < b->dealt))
        return 0;
    uint32_t free = turn < b->dealt ? b->dealt - turn : (3 - (turn - b->dealt) % 3) % 3;
    for (int seat = 0; seat < 3; seat++) {
        uint32_t size = war_held(w, seat);
        const uint8_t *card = war_first(b, seat);
        if (live == 3 ? size < free || (size - free) % 3 || !war_led(card, free, size)
                      : size && !war_splits(card, size))
            return 0;
    }
    return 1;
}

/* Search backward from a state `turn` turns after the deal. */
static void war_search_back(war_backward *b, uint32_t turn)
{
    if (b->capped || !war_shape(b, turn))
        return;
    if (!b->any || turn < b->lowest)
        b->lowest = turn;
    b->any = 1;
    if (turn == 0) {
        b->deals++; /* the test at turn 0 leaves only three queues of the dealt size */
        return;
    }
    if (++b->expanded > b->cap) {
        b->capped = 1;
        return;
    }
    war_window here = b->now;
    if (turn <= b->formula && war_window_live(&here) == 3) {
        /* The packets were won in some order, and any order will do. */
        war_u128 orders = b->factorial[turn];
        for (int seat = 0; seat < 3; seat++)
            orders /= b->factorial[(war_held(&here, seat) - (b->dealt - turn)) / 3];
        b->deals += orders;
        b->boundary++;
        return;
    }
    war_undo undo[4];
    int ways = war_list_undos(b, undo);
    for (int way = 0; way < ways; way++) {
        war_undo_turn(b, &undo[way]);
        war_search_back(b, turn - 1);
        b->now = here;
    }
}

static void war_backward_close(war_backward *b)
{
    for (int seat = 0; seat < 3; seat++)
        free(b->tape[seat]);
}

/* Lay out a state with room for undoing `turns` turns. */
static int war_backward_open(war_backward *b, const uint8_t *card[3], const uint32_t size[3],
                             uint32_t turns)
{
    memset(b, 0, sizeof *b);
    for (int seat = 0; seat < 3; seat++) {
        if (!(b->tape[seat] = malloc((size_t)turns + WAR_CARDS)))
            return -1;
        b->now.head[seat] = turns;
        b->now.tail[seat] = turns + size[seat];
        memcpy(b->tape[seat] + turns, card[seat], size[seat]);
    }
    b->factorial[0] = 1;
    for (int k = 1; k <= 20; k++)
        b->factorial[k] = b->factorial[k - 1] * (war_u128)k;
    return 0;
}

#endif
