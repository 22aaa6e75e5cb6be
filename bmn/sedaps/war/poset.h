/* Partial orders on up to 32 cards, and the exact number of their linear extensions. */
#ifndef WAR_POSET_H
#define WAR_POSET_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tally.h"

enum { WAR_LABELS = 32 };

/* Transitively closed: the cards known to be larger, and to be smaller, than each card. */
typedef struct {
    uint32_t above[WAR_LABELS], below[WAR_LABELS];
} war_order;

#define WAR_EACH(card, set) \
    for (uint32_t rest_##card = (set), card; \
         rest_##card && (card = (uint32_t)__builtin_ctz(rest_##card), 1); \
         rest_##card &= rest_##card - 1)

/* Learn that one card is larger than another. */
static inline void war_learn(war_order *order, uint32_t larger, uint32_t smaller)
{
    if (order->below[larger] >> smaller & 1)
        return;
    uint32_t up = order->above[larger] | 1u << larger;
    uint32_t down = order->below[smaller] | 1u << smaller;
    WAR_EACH(card, down)
        order->above[card] |= up;
    WAR_EACH(card, up)
        order->below[card] |= down;
}

typedef struct {
    uint32_t set, stamp;
    war_u128 count;
} war_memo;

typedef struct {
    const war_order *order;
    uint32_t covers[WAR_LABELS]; /* the largest of the cards below each card */
    uint32_t winners;            /* cards with another below them */
    uint32_t stamp, bits, used;
    war_memo *memo;
    int no_memory;
} war_extensions;

static int war_extensions_open(war_extensions *e)
{
    memset(e, 0, sizeof *e);
    e->bits = 10;
    e->memo = calloc((size_t)1 << e->bits, sizeof *e->memo);
    return e->memo ? 0 : -1;
}

static void war_extensions_close(war_extensions *e)
{
    free(e->memo);
}

static inline war_memo *war_memo_find(const war_extensions *e, uint32_t set)
{
    uint32_t slot = set * 2654435761u >> (32 - e->bits);
    while (e->memo[slot].stamp == e->stamp && e->memo[slot].set != set)
        slot = (slot + 1) & ((1u << e->bits) - 1);
    return &e->memo[slot];
}

static void war_memo_grow(war_extensions *e)
{
    war_extensions old = *e;
    e->bits++;
    e->memo = calloc((size_t)1 << e->bits, sizeof *e->memo);
    if (!e->memo) {
        *e = old;
        e->no_memory = 1;
        return;
    }
    for (size_t i = 0; i < (size_t)1 << old.bits; i++)
        if (old.memo[i].stamp == e->stamp)
            *war_memo_find(e, old.memo[i].set) = old.memo[i];
    free(old.memo);
}

/* Take the maximal card `top` off the set. Winners that become maximal join `maximal`; other
   cards that do are comparable to none of the rest, so each can stand anywhere: they leave the
   set at once, for a factor. */
static inline war_u128 war_take(const war_extensions *e, uint32_t top, uint32_t *set,
                                uint32_t *maximal)
{
    war_u128 factor = 1;
    *set ^= 1u << top;
    *maximal ^= 1u << top;
    uint32_t freed = 0;
    WAR_EACH(card, e->covers[top])
        if (!(e->order->above[card] & *set))
            freed |= 1u << card;
    *maximal |= freed & e->winners;
    WAR_EACH(alone, freed & ~e->winners) {
        factor *= (uint32_t)__builtin_popcount(*set);
        *set ^= 1u << alone;
    }
    return factor;
}

static war_u128 war_extend(war_extensions *e, uint32_t set, uint32_t maximal)
{
    war_u128 factor = 1;
    while (!(maximal & (maximal - 1))) {
        if (!maximal)
            return factor;
        factor *= war_take(e, (uint32_t)__builtin_ctz(maximal), &set, &maximal);
    }
    war_memo *known = war_memo_find(e, set);
    if (known->stamp == e->stamp)
        return factor * known->count;
    war_u128 sum = 0;
    WAR_EACH(top, maximal) {
        uint32_t less = set, next = maximal;
        war_u128 freed = war_take(e, top, &less, &next);
        sum += freed * war_extend(e, less, next);
    }
    if (e->no_memory)
        return 0;
    *war_memo_find(e, set) = (war_memo){set, e->stamp, sum};
    if (++e->used > 3u << (e->bits - 2))
        war_memo_grow(e);
    return factor * sum;
}

/* Count the linear extensions of an order on cards 0..n-1. Exact for n up to 34 (34! fits). */
static war_u128 war_count_extensions(war_extensions *e, const war_order *order, int cards)
{
    uint32_t set = cards == 32 ? ~0u : (1u << cards) - 1, maximal = 0;
    war_u128 factor = 1;
    e->order = order;
    e->winners = 0;
    e->used = 0;
    if (!++e->stamp) {
        memset(e->memo, 0, sizeof *e->memo << e->bits);
        e->stamp = 1;
    }
    for (int card = 0; card < cards; card++) {
        uint32_t covers = order->below[card];
        if (covers) {
            e->winners |= 1u << card;
            WAR_EACH(lower, order->below[card])
                covers &= ~order->below[lower];
            if (!order->above[card])
                maximal |= 1u << card;
        } else if (!order->above[card]) {
            factor *= (uint32_t)__builtin_popcount(set);
            set ^= 1u << card;
        }
        e->covers[card] = covers;
    }
    return factor * war_extend(e, set, maximal);
}

#endif
