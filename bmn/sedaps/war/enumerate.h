/* Direct enumeration: every concrete state of one size pattern, each played by itself.

   A queue is a 64-bit word of 4-bit ranks, front card lowest, and its length; up to 16 cards.
   Nothing is shared with the comparison tree but the rows that both fill. */
#ifndef WAR_ENUMERATE_H
#define WAR_ENUMERATE_H

#include <stdint.h>
#include <stdlib.h>

#include "tally.h"

enum { WAR_OFTEN = 128 };

typedef struct {
    uint64_t queue[3];
    uint32_t size[3];
} war_packed;

typedef struct {
    int cards, stop;
    int seat[16], shift[16];   /* of each position */
    int head[16];              /* position of the packet head above it, or -1 */
    int under[16];             /* cards its packet still needs below it */
    int rank[16];
    war_packed state;
    uint64_t often[2][4][WAR_OFTEN]; /* states off loops, by loop, live queues, turns */
    war_tally *tally;
    war_packed *loops;         /* if kept: the states on loops */
    size_t n_loops, room;
    int keep_loops, no_memory;
} war_enumeration;

static inline int war_packed_live(const war_packed *p)
{
    return (p->size[0] > 0) + (p->size[1] > 0) + (p->size[2] > 0);
}

static inline int war_packed_same(const war_packed *a, const war_packed *b)
{
    return a->queue[0] == b->queue[0] && a->queue[1] == b->queue[1] && a->queue[2] == b->queue[2]
           && a->size[0] == b->size[0] && a->size[1] == b->size[1];
}

static inline uint64_t war_front(war_packed *p, int seat)
{
    uint64_t card = p->queue[seat] & 15;
    p->queue[seat] >>= 4;
    p->size[seat]--;
    return card;
}

static inline int war_win(war_packed *p, int seat, uint64_t pot, uint32_t cards)
{
    p->queue[seat] |= pot << 4 * p->size[seat];
    p->size[seat] += cards;
    return seat;
}

/* Play one turn of three live queues; return the seat that wins. */
static inline int war_packed_turn3(war_packed *p)
{
    uint64_t a = war_front(p, 0), b = war_front(p, 1), c = war_front(p, 2);
    if (a > b && a > c)
        return war_win(p, 0, a | b << 4 | c << 8, 3);
    if (b > c)
        return war_win(p, 1, b | c << 4 | a << 8, 3);
    return war_win(p, 2, c | a << 4 | b << 8, 3);
}

/* Play one turn of queues 0 and 1, the third being empty; return the seat that wins. */
static inline int war_packed_turn2(war_packed *p)
{
    uint64_t a = war_front(p, 0), b = war_front(p, 1);
    if (a > b)
        return war_win(p, 0, a | b << 4, 2);
    return war_win(p, 1, b | a << 4, 2);
}

static inline int war_packed_turn(war_packed *p, int live)
{
    return live == 3 ? war_packed_turn3(p) : war_packed_turn2(p);
}

/* Close the gap of an empty seat: with two live queues, whose seats they are does not matter. */
static inline void war_close_gap(war_packed *p)
{
    for (int seat = 0; seat < 2; seat++)
        if (!p->size[seat]) {
            p->queue[seat] = p->queue[seat + 1], p->size[seat] = p->size[seat + 1];
            p->queue[seat + 1] = 0, p->size[seat + 1] = 0;
        }
}

static void war_describe_packed(const war_packed *start, war_outcome *o)
{
    war_packed p = *start;
    int last = -1, first_winner = -1;
    o->rigid = o->live == 3;
    o->alternates = o->live == 2;
    for (uint32_t turn = 0; turn < o->turns; turn++) {
        uint32_t size[3] = {p.size[0], p.size[1], p.size[2]};
        int winner = war_packed_turn(&p, o->live);
        int heads = (size[0] % 3 == 0) + (size[1] % 3 == 0) + (size[2] % 3 == 0);
        o->rigid &= heads == 1 && size[winner] % 3 == 0;
        o->alternates &= winner != last;
        if (winner == 0 && !o->alpha)
            o->alpha = (uint16_t)size[0];
        if (turn == 0)
            first_winner = winner;
        last = winner;
    }
    o->alternates &= first_winner != last;
    if (!o->alternates)
        o->alpha = 0;
}

static void war_keep_packed(war_enumeration *e)
{
    if (e->n_loops == e->room) {
        size_t room = e->room ? 2 * e->room : 1024;
        war_packed *more = realloc(e->loops, room * sizeof *more);
        if (!more) {
            e->no_memory = 1;
            return;
        }
        e->loops = more;
        e->room = room;
    }
    e->loops[e->n_loops++] = e->state;
}

/* Follow play while `live` queues are. Return the period if it repeats (Brent's method), or 0 if
   a queue empties; `turn` counts the turns. */
static inline uint32_t war_follow(war_packed *run, int live, uint32_t *turn)
{
    war_packed p = *run, mark = p;
    uint32_t since = 0, span = 4, played = *turn;
    for (;;) {
        war_packed_turn(&p, live);
        played++, since++;
        if (!p.size[0] || !p.size[1] || (live == 3 && !p.size[2])) {
            *run = p;
            *turn = played;
            return 0;
        }
        if (war_packed_same(&p, &mark))
            return since;
        if (since == span) {
            mark = p;
            span *= 2, since = 0;
        }
    }
}

/* Play the state to its end or its loop, and count what became of it. */
static void war_packed_play(war_enumeration *e)
{
    war_packed start = e->state, run;
    war_close_gap(&start);
    run = start;
    uint32_t turn = 0, period = 0;
    int live = war_packed_live(&run);
    if (live == 3 && e->stop <= 3) {
        period = war_follow(&run, 3, &turn);
        if (!period) {
            war_close_gap(&run);
            live = war_packed_live(&run);
        }
    }
    if (live == 2 && e->stop <= 2) {
        period = war_follow(&run, 2, &turn);
        live -= !period;
    }
    war_outcome o = {.loop = period > 0, .live = (uint8_t)live, .turns = period ? period : turn};
    if (period && live == war_packed_live(&start)) {
        run = start;
        for (turn = 0; turn < period; turn++)
            war_packed_turn(&run, live);
        if (war_packed_same(&run, &start)) {
            o.on_loop = 1;
            war_describe_packed(&start, &o);
            if (e->keep_loops)
                war_keep_packed(e);
        }
    }
    if (!o.on_loop && o.turns < WAR_OFTEN)
        e->often[o.loop][live][o.turns]++;
    else
        war_count(e->tally, &o, 1, 1);
}

/* Fill the positions from `position` on with the ranks that are left. */
static void war_place(war_enumeration *e, int position, uint32_t left)
{
    if (position == e->cards) {
        war_packed_play(e);
        return;
    }
    int head = e->head[position], seat = e->seat[position], shift = e->shift[position];
    uint32_t may = head < 0 ? left : left & ((1u << e->rank[head]) - 1);
    uint64_t others = e->state.queue[seat] & ~((uint64_t)15 << shift);
    for (; may; may &= may - 1) {
        int rank = __builtin_ctz(may);
        uint32_t rest = left ^ 1u << rank;
        if (__builtin_popcount(rest & ((1u << rank) - 1)) < e->under[position])
            continue;
        e->rank[position] = rank;
        e->state.queue[seat] = others | (uint64_t)rank << shift;
        war_place(e, position + 1, rest);
    }
}

/* Enumerate the states of one size pattern; with `packets`, those in packet form. */
static void war_enumerate(war_enumeration *e, const int size[3], int packets)
{
    int position = 0;
    for (int seat = 0; seat < 3; seat++) {
        e->state.size[seat] = (uint32_t)size[seat];
        e->state.queue[seat] = 0;
        for (int i = 0; i < size[seat]; i++, position++) {
            int after = i - size[seat] % 3, place = after % 3;
            int packed = packets && after >= 0;
            e->seat[position] = seat;
            e->shift[position] = 4 * i;
            e->head[position] = packed && place ? position - place : -1;
            e->under[position] = packed && !place ? 2 : 0;
        }
    }
    e->cards = position;
    war_place(e, 0, (1u << position) - 1);
    for (int loop = 0; loop < 2; loop++)
        for (int live = 0; live < 4; live++)
            for (uint32_t turns = 0; turns < WAR_OFTEN; turns++) {
                uint64_t states = e->often[loop][live][turns];
                war_outcome o = {.loop = (uint8_t)loop, .live = (uint8_t)live, .turns = turns};
                if (states)
                    war_count(e->tally, &o, states, states);
            }
}

#endif
