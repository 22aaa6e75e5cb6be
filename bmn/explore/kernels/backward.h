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

/* Write all predecessors of a state, shortest pile first; return how many. */
static inline unsigned bmn_predecessors(const bmn_state *s, bmn_state *out)
{
    unsigned size = bmn_hand_size(s->lead), value_bits = bmn_end_at(s->lead.values);
    uint64_t cards = size ? s->lead.cards >> (64 - size) : 0; /* bottom card at bit 0 */
    uint64_t values = value_bits ? s->lead.values >> (64 - value_bits) : 0;
    if (!cards)
        return 0;
    unsigned gap = (unsigned)__builtin_ctzll(cards);
    if (gap != (values & 3) + 1)
        return 0;
    /* laid[taker] ends with the last penalty card, laid[!taker] with the payment. */
    bmn_laid laid[2] = {{1, values & 3, 1, 2}, {0, 0, gap, 0}};
    unsigned layer = 0; /* who laid the first penalty card of the chain */
    unsigned pile = gap + 1, pile_values = 2, found = 0;
    for (;;) {
        uint64_t above = pile < size ? cards >> pile : 0;
        gap = above ? (unsigned)__builtin_ctzll(above) : size - pile; /* plain cards above */
        for (unsigned lead_in = 0; lead_in <= gap; lead_in++) {
            unsigned leader = lead_in & 1 ? !layer : layer;
            bmn_hand kept = {bmn_kept(cards, size, pile + lead_in),
                             bmn_kept(values, value_bits, pile_values)};
            unsigned lead_plain = (lead_in + 1) / 2, other_plain = lead_in / 2;
            bmn_hand taker = bmn_taken_back(kept, &laid[0], leader ? other_plain : lead_plain);
            bmn_hand giver = bmn_taken_back(s->other, &laid[1], leader ? lead_plain : other_plain);
            out[found++] = leader ? (bmn_state){giver, taker} : (bmn_state){taker, giver};
        }
        if (!above || gap > ((values >> pile_values) & 3))
            return found;
        /* Chained: the other player laid the penalty card above, and the run below it was paid. */
        bmn_laid *paid = &laid[layer], *by = &laid[!layer];
        paid->size += gap;
        by->cards |= UINT64_C(1) << by->size;
        by->size += 1;
        by->values |= ((values >> pile_values) & 3) << by->value_bits;
        by->value_bits += 2;
        layer = !layer;
        pile += gap + 1;
        pile_values += 2;
    }
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
