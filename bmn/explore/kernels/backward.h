/* The game backwards: every state that comes to a given one, and whole trees of them.
 *
 * The pile won last lies at the bottom of the leader's hand W, in the order it was played:
 *
 *   W   kept . . . | 0 0 0 | q . . r . . . s . . .        top ... bottom
 *                   lead-in   first        last penalty, then exactly what it demands
 *
 * The last penalty card says what W must end with. Going up, the next penalty card was laid in
 * the same trick just if fewer plain cards lie between the two than it demands. Wherever the
 * pile is taken to begin, at the first penalty q of such a chain or some plain cards (the
 * lead-in) above it, the cards tell who laid them: from q on, a run and the penalty card after
 * it belong to one player, the next ones to the other; the lead-in was laid alternately. So each
 * length of the pile gives at most one predecessor, and none is missed.
 *
 * A state has one successor. Backward from a state or a cycle the predecessors therefore make a
 * tree: no state is met twice, and no table of states met is needed.
 */
#ifndef BMN_BACKWARD_H
#define BMN_BACKWARD_H

#include <stdlib.h>
#include <string.h>

#include "state.h"

#define BMN_MAX_PREDECESSORS BMN_MAX_CARDS /* one for each length of the pile */

/* Cards a player laid in the trick, the last at bit 0. */
typedef struct {
    uint64_t cards, values;
    unsigned size, value_bits;
} bmn_laid;

/* Put what a player laid, with plain cards before it, back on top of what they kept. */
static inline bmn_hand bmn_taken_back(bmn_hand kept, const bmn_laid *laid, unsigned plain)
{
    kept.cards = bmn_over(kept.cards, laid->cards, laid->size + plain);
    kept.values = bmn_over(kept.values, laid->values, laid->value_bits);
    return kept;
}

/* Cut the lowest `count` bits off a word without its end mark, and put the mark. */
static inline uint64_t bmn_kept(uint64_t low, unsigned size, unsigned count)
{
    unsigned kept = size - count;
    return kept ? ((low >> count) << 1 | 1) << (63 - kept) : BMN_END;
}

/* The pile won last, from its last penalty card up to the first one of a chain. */
typedef struct {
    uint64_t cards, values; /* of the leader's hand W, the bottom card at bit 0 */
    unsigned size, value_bits;
    bmn_laid laid[2];           /* by the taker, and by the other player */
    unsigned layer;             /* who laid the first penalty card of the chain */
    unsigned pile, pile_values; /* how much of W is in the chain */
    unsigned gap;               /* plain cards above it */
    int more;                   /* and above them a penalty card */
} bmn_chain;

static inline void bmn_chain_look(bmn_chain *c)
{
    uint64_t above = c->pile < c->size ? c->cards >> c->pile : 0;
    c->more = above != 0;
    c->gap = above ? (unsigned)__builtin_ctzll(above) : c->size - c->pile;
}

/* Begin with the last penalty card and its payment; 0 if W does not end with just these. */
static inline int bmn_chain_begin(bmn_chain *c, bmn_hand w)
{
    c->size = bmn_hand_size(w);
    c->value_bits = bmn_end_at(w.values);
    c->cards = c->size ? w.cards >> (64 - c->size) : 0;
    c->values = c->value_bits ? w.values >> (64 - c->value_bits) : 0;
    if (!c->cards)
        return 0;
    unsigned paid = (unsigned)__builtin_ctzll(c->cards);
    if (paid != (c->values & 3) + 1)
        return 0;
    c->laid[0] = (bmn_laid){1, c->values & 3, 1, 2};
    c->laid[1] = (bmn_laid){0, 0, paid, 0};
    c->layer = 0;
    c->pile = paid + 1;
    c->pile_values = 2;
    bmn_chain_look(c);
    return 1;
}

/* What the penalty card above the chain demands, less 1. */
static inline unsigned bmn_chain_demand(const bmn_chain *c)
{
    return (unsigned)(c->values >> c->pile_values) & 3;
}

/* Take in the penalty card above; 0 if there is none, or it was not laid in this trick. */
static inline int bmn_chain_up(bmn_chain *c)
{
    if (!c->more || c->gap > bmn_chain_demand(c))
        return 0;
    /* The other player laid it, and the run below it was paid. */
    bmn_laid *paid = &c->laid[c->layer], *by = &c->laid[!c->layer];
    paid->size += c->gap;
    by->cards |= UINT64_C(1) << by->size;
    by->size += 1;
    by->values |= (uint64_t)bmn_chain_demand(c) << by->value_bits;
    by->value_bits += 2;
    c->layer = !c->layer;
    c->pile += c->gap + 1;
    c->pile_values += 2;
    bmn_chain_look(c);
    return 1;
}

/* Undo the trick whose pile is the chain and `lead_in` plain cards above it. */
static inline bmn_state bmn_chain_undo(const bmn_chain *c, bmn_hand other, unsigned lead_in)
{
    unsigned leader = lead_in & 1 ? !c->layer : c->layer;
    unsigned by_leader = (lead_in + 1) / 2, by_other = lead_in / 2;
    bmn_hand kept = {bmn_kept(c->cards, c->size, c->pile + lead_in),
                     bmn_kept(c->values, c->value_bits, c->pile_values)};
    bmn_hand taker = bmn_taken_back(kept, &c->laid[0], leader ? by_other : by_leader);
    bmn_hand giver = bmn_taken_back(other, &c->laid[1], leader ? by_leader : by_other);
    return leader ? (bmn_state){giver, taker} : (bmn_state){taker, giver};
}

/* Write all predecessors of a state, shortest pile first; return how many. */
static inline unsigned bmn_predecessors(const bmn_state *s, bmn_state *out)
{
    bmn_chain c;
    unsigned found = 0;
    if (!bmn_chain_begin(&c, s->lead))
        return 0;
    do
        for (unsigned lead_in = 0; lead_in <= c.gap; lead_in++)
            out[found++] = bmn_chain_undo(&c, s->other, lead_in);
    while (bmn_chain_up(&c));
    return found;
}

/* States by level: the states of a level are the predecessors of those of the level before. */
typedef struct {
    bmn_state *states;
    uint32_t *level;
    size_t count, room, limit;
} bmn_tree;

enum { BMN_TREE_WHOLE, BMN_TREE_TOO_LARGE, BMN_TREE_NO_MEMORY };

static int bmn_tree_open(bmn_tree *t, size_t room, size_t limit)
{
    t->room = room + BMN_MAX_PREDECESSORS;
    t->limit = limit;
    t->count = 0;
    t->states = malloc(t->room * sizeof *t->states);
    t->level = malloc(t->room * sizeof *t->level);
    return t->states && t->level ? BMN_TREE_WHOLE : BMN_TREE_NO_MEMORY;
}

static void bmn_tree_close(bmn_tree *t)
{
    free(t->states);
    free(t->level);
    memset(t, 0, sizeof *t);
}

static int bmn_tree_reserve(bmn_tree *t, size_t more)
{
    if (t->count + more <= t->room)
        return BMN_TREE_WHOLE;
    size_t room = 2 * t->room + more;
    bmn_state *states = realloc(t->states, room * sizeof *states);
    if (states)
        t->states = states;
    uint32_t *level = realloc(t->level, room * sizeof *level);
    if (level)
        t->level = level;
    if (!states || !level)
        return BMN_TREE_NO_MEMORY;
    t->room = room;
    return BMN_TREE_WHOLE;
}

/* Take a state out of `found` ones; return how many are left. */
static unsigned bmn_drop(bmn_state *states, unsigned found, const bmn_state *dropped)
{
    for (unsigned k = 0; k < found; k++)
        if (bmn_same_state(&states[k], dropped)) {
            memmove(states + k, states + k + 1, (found - k - 1) * sizeof *states);
            return found - 1;
        }
    return found;
}

/* Add to the tree all states that come to those in it, up to `depth` tricks away. Where a cycle
 * is walked backwards it must be cut: `before[i]`, the state before state i < n_cycle on it, is
 * left out, and so is `root` everywhere, if there is one. */
static int bmn_tree_grow(bmn_tree *t, uint32_t depth, const bmn_state *before, size_t n_cycle,
                         const bmn_state *root)
{
    for (size_t i = 0; i < t->count && t->level[i] < depth; i++) {
        if (bmn_tree_reserve(t, BMN_MAX_PREDECESSORS))
            return BMN_TREE_NO_MEMORY;
        bmn_state *out = t->states + t->count;
        unsigned found = bmn_predecessors(&t->states[i], out);
        if (i < n_cycle)
            found = bmn_drop(out, found, &before[i]);
        if (root)
            found = bmn_drop(out, found, root);
        for (unsigned k = 0; k < found; k++)
            t->level[t->count + k] = t->level[i] + 1;
        t->count += found;
        if (t->count > t->limit)
            return BMN_TREE_TOO_LARGE;
    }
    return BMN_TREE_WHOLE;
}

/* The state `root` at level 0, and everything that comes to it. */
static int bmn_ancestors(bmn_tree *t, bmn_state root, uint32_t depth)
{
    t->states[0] = root;
    t->level[0] = 0;
    t->count = 1;
    return bmn_tree_grow(t, depth, NULL, 0, &root);
}

/* The cycle through `entrance`, `period` states at level 0, and everything that comes to it. */
static int bmn_basin(bmn_tree *t, bmn_state entrance, size_t period, uint32_t depth)
{
    bmn_progress p = {0, 0, 0, BMN_GOING, 1};
    if (bmn_tree_reserve(t, period))
        return BMN_TREE_NO_MEMORY;
    bmn_state *before = malloc(period * sizeof *before);
    if (!before)
        return BMN_TREE_NO_MEMORY;
    for (size_t i = 0; i < period; i++) {
        t->states[i] = entrance;
        t->level[i] = 0;
        before[(i + 1) % period] = entrance;
        bmn_play_on(&entrance, &p, 1);
    }
    t->count = period;
    int status = bmn_tree_grow(t, depth, before, period, NULL);
    free(before);
    return status;
}

#endif
