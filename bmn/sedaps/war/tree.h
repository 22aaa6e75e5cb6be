/* The comparison tree: play labelled cards whose values are not fixed.

   All that is known of the values is a partial order. Each turn branches on which front card
   wins: one child for every front card not known to be smaller than another. A branch ends when
   too few queues are live, or when a labelled state comes back (then every comparison from there
   on is known, and play is a loop). A leaf stands for as many concrete states as its order has
   linear extensions; the leaves of a tree are disjoint and together are all concrete states.

   Queues are tapes that only grow, so the state before every turn of the branch stays readable:
   it is a window on each tape.

   In the loop-only search the state is on a loop of three live queues, so the largest card of
   each queue (`maximum`) never loses and two of them never meet: other branches are cut. */
#ifndef WAR_TREE_H
#define WAR_TREE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "poset.h"
#include "tally.h"

enum { WAR_TURNS = 1 << 16, WAR_DEPTH = WAR_LABELS * WAR_LABELS / 2 };
enum { WAR_OK, WAR_NO_MEMORY, WAR_TOO_LONG, WAR_TOO_MANY };

typedef struct {
    uint32_t head[3], tail[3];
} war_moment;

typedef struct {
    uint32_t period;
    war_order order;
} war_loop;

typedef struct {
    int cards, seats, stop;  /* fewer than `stop` live queues end a branch */
    int loops_only;
    uint8_t maximum[3];      /* loop-only search: the largest card of each queue */
    uint64_t nodes;
    uint8_t *tape[3];
    war_moment *at;          /* by turn */
    uint32_t *sign;          /* by turn: equal states have equal signs */
    war_order *known;        /* by depth */
    war_extensions extensions;
    war_tally *tally;
    war_loop *loops;         /* if kept: the leaves that start on a loop */
    size_t n_loops, room;
    int keep_loops, fault;
} war_tree;

static void war_tree_close(war_tree *t)
{
    for (int seat = 0; seat < 3; seat++)
        free(t->tape[seat]);
    free(t->at);
    free(t->sign);
    free(t->known);
    free(t->loops);
    war_extensions_close(&t->extensions);
}

static int war_tree_open(war_tree *t, war_tally *tally)
{
    memset(t, 0, sizeof *t);
    int missing = war_extensions_open(&t->extensions) != 0;
    t->tally = tally;
    for (int seat = 0; seat < 3; seat++)
        missing |= !(t->tape[seat] = malloc(3 * WAR_TURNS + 2 * WAR_LABELS));
    missing |= !(t->at = malloc((WAR_TURNS + 2) * sizeof *t->at));
    missing |= !(t->sign = malloc((WAR_TURNS + 2) * sizeof *t->sign));
    missing |= !(t->known = calloc(WAR_DEPTH + 1, sizeof *t->known));
    return missing ? -1 : 0;
}

/* Lay out one state of the given sizes: labels in order, queue after queue; with `packets`, each
   queue is size mod 3 free cards, then threes led by their largest. */
static void war_tree_start(war_tree *t, const int size[3], int packets)
{
    int label = 0;
    memset(&t->known[0], 0, sizeof t->known[0]);
    for (int seat = 0; seat < 3; seat++) {
        t->at[0].head[seat] = 0;
        t->at[0].tail[seat] = (uint32_t)size[seat];
        for (int i = 0; i < size[seat]; i++, label++) {
            t->tape[seat][i] = (uint8_t)label;
            if (packets && i >= size[seat] % 3 && (i - size[seat] % 3) % 3)
                war_learn(&t->known[0], (uint32_t)(label - (i - size[seat] % 3) % 3),
                          (uint32_t)label);
        }
    }
}

static inline uint32_t war_length(const war_moment *m, int seat)
{
    return m->tail[seat] - m->head[seat];
}

static int war_same_moment(const war_tree *t, uint32_t a, uint32_t b)
{
    const war_moment *x = &t->at[a], *y = &t->at[b];
    for (int seat = 0; seat < t->seats; seat++)
        if (war_length(x, seat) != war_length(y, seat)
            || memcmp(t->tape[seat] + x->head[seat], t->tape[seat] + y->head[seat],
                      war_length(x, seat)))
            return 0;
    return 1;
}

static int war_winner_at(const war_tree *t, uint32_t turn)
{
    for (int seat = 0; seat < t->seats; seat++)
        if (t->at[turn + 1].tail[seat] > t->at[turn].tail[seat])
            return seat;
    return -1;
}

/* Describe the loop that the starting state is on, its turns being 0..period-1. */
static void war_describe_loop(const war_tree *t, war_outcome *o)
{
    int last = war_winner_at(t, o->turns - 1), first_live = -1;
    for (int seat = t->seats - 1; seat >= 0; seat--)
        if (war_length(&t->at[0], seat))
            first_live = seat;
    o->rigid = o->live == 3;
    o->alternates = o->live == 2;
    for (uint32_t turn = 0; turn < o->turns; turn++) {
        const war_moment *m = &t->at[turn];
        int winner = war_winner_at(t, turn), heads = 0;
        for (int seat = 0; seat < t->seats; seat++)
            heads += war_length(m, seat) % 3 == 0;
        o->rigid &= heads == 1 && war_length(m, winner) % 3 == 0;
        o->alternates &= winner != last;
        if (winner == first_live && !o->alpha)
            o->alpha = (uint16_t)war_length(m, winner);
        if (t->loops_only)
            o->visits += t->tape[0][m->head[0]] == t->maximum[0];
        last = winner;
    }
    if (!o->alternates)
        o->alpha = 0;
}

static void war_keep_loop(war_tree *t, uint32_t period, const war_order *order)
{
    if (t->n_loops == t->room) {
        size_t room = t->room ? 2 * t->room : 64;
        war_loop *more = realloc(t->loops, room * sizeof *more);
        if (!more) {
            t->fault = WAR_NO_MEMORY;
            return;
        }
        t->loops = more;
        t->room = room;
    }
    t->loops[t->n_loops++] = (war_loop){period, *order};
}

static void war_leaf(war_tree *t, war_outcome *o, int depth)
{
    war_count(t->tally, o, 1, war_count_extensions(&t->extensions, &t->known[depth], t->cards));
    if (t->keep_loops && o->on_loop)
        war_keep_loop(t, o->turns, &t->known[depth]);
    if (t->extensions.no_memory)
        t->fault = WAR_NO_MEMORY;
    if (t->tally->full)
        t->fault = WAR_TOO_MANY;
}

/* Follow the state before `turn`; no comparison has been new since turn `since`. */
static void war_grow(war_tree *t, uint32_t turn, uint32_t since, int depth)
{
    for (;; turn++) {
        const war_moment *m = &t->at[turn];
        uint32_t fronts = 0, front[3], sign = 0;
        int live = 0, at_maximum = -1;
        for (int seat = 0; seat < t->seats; seat++) {
            front[seat] = WAR_LABELS;
            if (war_length(m, seat)) {
                live++;
                front[seat] = t->tape[seat][m->head[seat]];
                fronts |= 1u << front[seat];
            }
            sign = sign << 10 | front[seat] << 5 | war_length(m, seat);
        }
        if (live < t->stop) {
            war_outcome o = {.turns = turn, .live = (uint8_t)live};
            if (!t->loops_only)
                war_leaf(t, &o, depth);
            return;
        }
        for (uint32_t past = since; past < turn; past++)
            if (t->sign[past] == sign && war_same_moment(t, past, turn)) {
                uint32_t period = turn - past;
                while (past && war_same_moment(t, past - 1, past - 1 + period))
                    past--;
                war_outcome o = {.loop = 1, .live = (uint8_t)live, .turns = period,
                                 .on_loop = past == 0};
                if (o.on_loop)
                    war_describe_loop(t, &o);
                if (o.on_loop || !t->loops_only)
                    war_leaf(t, &o, depth);
                return;
            }
        if (turn == WAR_TURNS)
            t->fault = WAR_TOO_LONG;
        if (t->fault)
            return;
        t->sign[turn] = sign;
        t->nodes++;

        if (t->loops_only)
            for (int seat = 0; seat < 3; seat++)
                if (front[seat] == t->maximum[seat]) {
                    if (at_maximum >= 0)
                        return;
                    at_maximum = seat;
                }
        const war_order *order = &t->known[depth];
        int may_win[3], choices = 0;
        for (int seat = 0; seat < t->seats; seat++)
            if (front[seat] < WAR_LABELS && !(order->above[front[seat]] & fronts)
                && (at_maximum < 0 || at_maximum == seat))
                may_win[choices++] = seat;

        int new = 0;
        for (int choice = 0; choice < choices; choice++) {
            int winner = may_win[choice];
            uint32_t unknown = fronts & ~(1u << front[winner] | order->below[front[winner]]);
            new = unknown != 0;
            if (new) {
                t->known[depth + 1] = *order;
                WAR_EACH(loser, unknown)
                    war_learn(&t->known[depth + 1], front[winner], loser);
            }
            war_moment *next = &t->at[turn + 1];
            for (int seat = 0; seat < t->seats; seat++) {
                next->head[seat] = m->head[seat] + (front[seat] < WAR_LABELS);
                next->tail[seat] = m->tail[seat];
            }
            for (int step = 0; step < t->seats; step++) {
                int seat = (winner + step) % t->seats;
                if (front[seat] < WAR_LABELS)
                    t->tape[winner][next->tail[winner]++] = (uint8_t)front[seat];
            }
            if (new)
                war_grow(t, turn + 1, turn + 1, depth + 1);
        }
        if (new || !choices)
            return;
    }
}

/* Prepare the loop-only search of one start: the global maximum is the first card of queue 0,
   and positions are given for the largest cards of queues 1 and 2. */
static void war_tree_set_maxima(war_tree *t, const int size[3], int position1, int position2)
{
    int base[3] = {0, size[0], size[0] + size[1]}, position[3] = {0, position1, position2};
    for (int seat = 0; seat < 3; seat++) {
        int maximum = base[seat] + position[seat];
        t->maximum[seat] = (uint8_t)maximum;
        for (int i = 0; i < (seat ? size[seat] : t->cards); i++)
            if ((seat ? base[seat] : 0) + i != maximum)
                war_learn(&t->known[0], (uint32_t)maximum, (uint32_t)((seat ? base[seat] : 0) + i));
    }
}

#endif
