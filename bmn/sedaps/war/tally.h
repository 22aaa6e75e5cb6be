/* What became of states, counted: one row for every different outcome. */
#ifndef WAR_TALLY_H
#define WAR_TALLY_H

#include <stdint.h>
#include <string.h>

typedef unsigned __int128 war_u128;

static inline uint64_t war_low(war_u128 x)
{
    return (uint64_t)x;
}

static inline uint64_t war_high(war_u128 x)
{
    return (uint64_t)(x >> 64);
}

typedef struct {
    uint32_t turns;     /* turns to the end, or the period of the loop */
    uint32_t visits;    /* loop-only search: starting states on one loop */
    uint16_t alpha;     /* size of the first live queue when it is about to win */
    uint8_t loop;       /* play never ends */
    uint8_t on_loop;    /* the state itself recurs; what follows is filled only then */
    uint8_t live;       /* live queues at the end or on the loop */
    uint8_t alternates; /* two live queues: they win in turn */
    uint8_t rigid;      /* three live queues: one packet head a turn, and it wins */
    uint8_t unused;
} war_outcome;

enum { WAR_ROWS = 4096 };

typedef struct {
    war_outcome outcome;
    uint64_t leaves;
    war_u128 states;
} war_row;

typedef struct {
    war_row row[WAR_ROWS];
    uint32_t slot[2 * WAR_ROWS]; /* 1 + index of a row, 0 for none */
    uint32_t rows;
    int full;
} war_tally;

static inline uint32_t war_outcome_slot(const war_outcome *o)
{
    uint64_t word[2];
    memcpy(word, o, sizeof word);
    uint64_t mixed = (word[0] ^ word[1] << 7) * 0x9E3779B97F4A7C15u ^ word[1];
    return (uint32_t)(mixed * 0xBF58476D1CE4E5B9u >> 40) % (2 * WAR_ROWS);
}

static inline void war_count(war_tally *t, const war_outcome *o, uint64_t leaves, war_u128 states)
{
    uint32_t slot = war_outcome_slot(o);
    while (t->slot[slot] && memcmp(&t->row[t->slot[slot] - 1].outcome, o, sizeof *o))
        slot = (slot + 1) % (2 * WAR_ROWS);
    if (!t->slot[slot]) {
        if (t->rows == WAR_ROWS) {
            t->full = 1;
            return;
        }
        t->row[t->rows] = (war_row){.outcome = *o};
        t->slot[slot] = ++t->rows;
    }
    war_row *row = &t->row[t->slot[slot] - 1];
    row->leaves += leaves;
    row->states += states;
}

#endif
