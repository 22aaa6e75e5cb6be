/* Trunks: the game is almost one-to-one, and backward its lines are unique.
 *
 * A hand is exact if its last penalty card is followed by exactly as many plain cards as it
 * demands: so ends the hand of who won last. D is the set of states with both hands exact, where
 * a game is from when both players have won a trick until one of them has only plain cards.
 *
 * A state of D has at most one predecessor in D. Of the trick before, let r be the lowest penalty
 * card that the taker kept. Their hand was exact, so r was followed by just the v cards that it
 * demands, and the pile begins below those. All penalty cards under r are in the pile, and each
 * is nearer to the one above it than that one demands; r is not, so r is the first such card from
 * the bottom. If there is none, the taker kept plain cards only, under the last penalty card laid,
 * and they are as many as this one demands. So the cards tell where the pile begins.
 *
 *   trunk    . . -> s -> s -> s -> end      each state of D has one predecessor in D, or none
 *                   ^    ^
 *                  bush bush                states in which a player has not yet won a trick
 *
 * In a bush, all tricks but the last one are won by one and the same player, and the other loses
 * a card in each: a bush is no deeper than 1 + what that player was dealt.
 */
#ifndef BMN_TRUNK_H
#define BMN_TRUNK_H

#include "backward.h"

static inline int bmn_exact(bmn_hand h)
{
    unsigned end = (unsigned)__builtin_ctzll(h.cards);
    uint64_t cards = h.cards & (h.cards - 1);
    if (!cards)
        return 0;
    unsigned demand = (unsigned)(h.values >> (__builtin_ctzll(h.values) + 1)) & 3;
    return (unsigned)__builtin_ctzll(cards) - end == demand + 2;
}

static inline int bmn_in_trunk(const bmn_state *s)
{
    return bmn_exact(s->lead) && bmn_exact(s->other);
}

/* Replace a state of D by its predecessor in D; 0 if it has none, and is the head of its trunk. */
static inline int bmn_trunk_back(bmn_state *s)
{
    bmn_chain c;
    if (!bmn_chain_begin(&c, s->lead))
        return 0;
    unsigned last = (unsigned)(c.values & 3);
    while (bmn_chain_up(&c))
        ;
    unsigned kept = (c.more ? bmn_chain_demand(&c) : last) + 1;
    if (c.gap < kept)
        return 0;
    *s = bmn_chain_undo(&c, s->other, c.gap - kept);
    return 1;
}

/* Go back to the head of a trunk, at most `limit` tricks; return how many. */
static inline uint64_t bmn_trunk_head(bmn_state *s, uint64_t limit)
{
    uint64_t tricks = 0;
    while (tricks < limit && bmn_trunk_back(s))
        tricks++;
    return tricks;
}

/* Whether both players are dealt equally many cards, or the leader one more. */
static inline int bmn_balanced(const bmn_state *s)
{
    return bmn_hand_size(s->lead) - bmn_hand_size(s->other) <= 1;
}

/* The deepest balanced deal found, the smallest of equally deep ones. */
typedef struct {
    bmn_state deal;
    uint64_t depth; /* tricks before the root of the search */
    uint64_t nodes; /* states looked at */
    int found;
} bmn_deepest;

static inline int bmn_less_state(const bmn_state *a, const bmn_state *b)
{
    const uint64_t x[4] = {a->lead.cards, a->lead.values, a->other.cards, a->other.values};
    const uint64_t y[4] = {b->lead.cards, b->lead.values, b->other.cards, b->other.values};
    for (unsigned i = 0; i < 4; i++)
        if (x[i] != y[i])
            return x[i] < y[i];
    return 0;
}

static inline void bmn_keep_deepest(bmn_deepest *best, const bmn_state *s, uint64_t depth)
{
    if (best->found && (depth < best->depth ||
                        (depth == best->depth && !bmn_less_state(s, &best->deal))))
        return;
    best->deal = *s;
    best->depth = depth;
    best->found = 1;
}

/* Search the bush of a state of D, `depth` tricks before the root of the search. */
static void bmn_bush(bmn_state s, uint64_t depth, bmn_deepest *best)
{
    bmn_state before[BMN_MAX_PREDECESSORS];
    unsigned found = bmn_predecessors(&s, before);
    best->nodes += found;
    for (unsigned i = 0; i < found; i++) {
        if (bmn_balanced(&before[i]))
            bmn_keep_deepest(best, &before[i], depth + 1);
        if (bmn_exact(before[i].lead) && !bmn_exact(before[i].other))
            bmn_bush(before[i], depth + 1, best);
    }
}

/* Count the states of the bush of a state; return how many tricks deep it is. */
static unsigned bmn_bush_levels(bmn_state s, uint64_t *states)
{
    bmn_state before[BMN_MAX_PREDECESSORS];
    unsigned found = bmn_predecessors(&s, before), levels = 0;
    for (unsigned i = 0; i < found; i++) {
        if (bmn_in_trunk(&before[i]))
            continue;
        *states += 1;
        unsigned above = bmn_exact(before[i].lead) ? bmn_bush_levels(before[i], states) : 0;
        levels = above + 1 > levels ? above + 1 : levels;
    }
    return levels;
}

/* Find the deepest balanced deal that comes to a state of D, or that state itself, by going from
 * the head of the trunk towards it until no bush further down can reach deeper. The trunk has
 * `length` tricks before the state: `head` is its beginning. */
static void bmn_deepest_deal(bmn_state head, uint64_t length, bmn_deepest *best)
{
    unsigned cards = bmn_hand_size(head.lead) + bmn_hand_size(head.other);
    uint64_t deepest_bush = 1 + (cards + 1) / 2;
    bmn_state s = head;
    for (uint64_t depth = length;; depth--) {
        if (best->found && best->depth >= depth + deepest_bush)
            return;
        if (bmn_balanced(&s))
            bmn_keep_deepest(best, &s, depth);
        bmn_bush(s, depth, best);
        if (depth == 0)
            return;
        bmn_trick(&s);
    }
}

#endif
