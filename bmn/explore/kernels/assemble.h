/* Cycles put together from periodic pieces, and the deals that run into them.
 *
 * The pieces of an assembly may stand in any order and each in any phase. A cyclic order and
 * phases that all go on by one are the same cycle later on, so the first piece is left in its
 * place and phase. A cycle is told from others by its smallest state.
 *
 * All states of a cycle have both hands exact, and the one predecessor of this kind is on the
 * cycle too. So all deals that come to it are in the bushes of its states; in a bush one player
 * only loses cards, so that backwards the search ends where they have half of all.
 */
#ifndef BMN_ASSEMBLE_H
#define BMN_ASSEMBLE_H

#include "pieces.h"

#define BMN_MOST_PIECES 24

typedef struct {
    bmn_state key;
    uint32_t tricks, card_plays; /* until the same hands lead again */
    uint32_t turned;             /* the seats are then exchanged */
    uint32_t reach;              /* the most cards the smaller hand has */
    uint32_t origin;             /* which assembly gave it first */
} bmn_loop;

typedef struct {
    bmn_loop *loops;
    uint32_t *slots; /* a hash table of 1 + index */
    size_t count, loop_room, room;
} bmn_loops;

static inline uint64_t bmn_state_hash(const bmn_state *s)
{
    uint64_t h = bmn_mix64(s->lead.cards ^ bmn_mix64(s->lead.values));
    return bmn_mix64(h ^ s->other.cards ^ bmn_mix64(s->other.values + BMN_GOLDEN));
}

static void bmn_loops_close(bmn_loops *c)
{
    free(c->loops);
    free(c->slots);
    memset(c, 0, sizeof *c);
}

static int bmn_loops_open(bmn_loops *c)
{
    *c = (bmn_loops){malloc(1024 * sizeof *c->loops), calloc(4096, sizeof *c->slots), 0, 1024, 4096};
    return c->loops && c->slots ? 0 : -1;
}

static size_t bmn_loops_slot(const bmn_loops *c, const bmn_state *key)
{
    size_t at = bmn_state_hash(key) & (c->room - 1);
    while (c->slots[at] && !bmn_same_state(&c->loops[c->slots[at] - 1].key, key))
        at = (at + 1) & (c->room - 1);
    return at;
}

/* Add a loop; 0 if it is there already, -1 without memory. */
static int bmn_loops_add(bmn_loops *c, const bmn_loop *loop)
{
    size_t at = bmn_loops_slot(c, &loop->key);
    if (c->slots[at])
        return 0;
    if (c->count == c->loop_room) {
        bmn_loop *loops = realloc(c->loops, 2 * c->loop_room * sizeof *loops);
        uint32_t *slots = calloc(2 * c->room, sizeof *slots);
        if (loops)
            c->loops = loops;
        if (!loops || !slots) {
            free(slots);
            return -1;
        }
        free(c->slots);
        c->slots = slots;
        c->loop_room *= 2;
        c->room *= 2;
        for (size_t i = 0; i < c->count; i++)
            c->slots[bmn_loops_slot(c, &c->loops[i].key)] = (uint32_t)i + 1;
        at = bmn_loops_slot(c, &loop->key);
    }
    c->loops[c->count++] = *loop;
    c->slots[at] = (uint32_t)c->count;
    return 1;
}

/* Play from a state until it comes back, within `limit` tricks; 0 if it does not. */
static int bmn_close_loop(bmn_state start, uint32_t limit, bmn_loop *loop)
{
    bmn_state s = start;
    *loop = (bmn_loop){.key = start};
    do {
        unsigned lead = bmn_hand_size(s.lead), other = bmn_hand_size(s.other);
        unsigned smaller = lead < other ? lead : other;
        if (smaller > loop->reach)
            loop->reach = smaller;
        if (bmn_less_state(&s, &loop->key))
            loop->key = s;
        bmn_trick_result t = bmn_trick(&s);
        if (!t.resolved || loop->tricks == limit)
            return 0;
        loop->tricks++;
        loop->card_plays += t.laid;
        loop->turned ^= t.turned;
    } while (!bmn_same_state(&s, &start));
    return 1;
}

/* Pieces to put together: the phases of each as words, from `first[i]` on. */
typedef struct {
    const bmn_hand *phases;
    uint32_t first[BMN_MOST_PIECES], passes[BMN_MOST_PIECES];
    uint32_t same[BMN_MOST_PIECES]; /* equal pieces have equal numbers */
    uint32_t count;
    uint32_t origin;
    uint64_t limit;  /* the most assemblies */
    uint64_t tried, failed;
} bmn_parts;

static int bmn_put_on(const bmn_piece_rules *rules, bmn_parts *p, const bmn_hand *words,
                      bmn_loops *loops)
{
    bmn_hand tape = {BMN_END, BMN_END};
    bmn_loop loop;
    for (unsigned i = 0; i < p->count; i++) {
        unsigned size = bmn_hand_size(words[i]), bits = bmn_end_at(words[i].values);
        tape.cards = bmn_under(tape.cards, size ? words[i].cards >> (64 - size) : 0, size);
        tape.values = bmn_under(tape.values, bits ? words[i].values >> (64 - bits) : 0, bits);
    }
    p->tried++;
    if (!bmn_close_loop(bmn_on_tape(tape, rules), 1 << 20, &loop)) {
        p->failed++;
        return 0;
    }
    loop.origin = p->origin;
    return bmn_loops_add(loops, &loop) < 0 ? -1 : 0;
}

/* Put the pieces not yet used (bits of `left`) behind those chosen, in all orders and phases. */
static int bmn_assemble(const bmn_piece_rules *rules, bmn_parts *p, uint32_t left, unsigned chosen,
                        bmn_hand *words, bmn_loops *loops)
{
    if (!left)
        return bmn_put_on(rules, p, words, loops);
    uint32_t done = 0; /* equal pieces are interchangeable */
    for (unsigned i = 0; i < p->count; i++) {
        if (!(left >> i & 1) || done >> p->same[i] & 1)
            continue;
        done |= UINT32_C(1) << p->same[i];
        for (uint32_t k = 0; k < (chosen ? p->passes[i] : 1); k++) {
            if (p->tried >= p->limit)
                return 0;
            words[chosen] = p->phases[p->first[i] + k];
            int status = bmn_assemble(rules, p, left & ~(UINT32_C(1) << i), chosen + 1, words, loops);
            if (status)
                return status;
        }
        if (!chosen)
            break;
    }
    return 0;
}

/* A balanced deal, and how many tricks it takes to the cycle. */
typedef struct {
    bmn_state deal;
    uint32_t loop, preperiod;
} bmn_endless;

typedef struct {
    bmn_endless *deals;
    size_t count, room;
} bmn_endless_list;

static int bmn_endless_add(bmn_endless_list *list, const bmn_state *s, uint32_t loop, uint32_t level)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 256;
        bmn_endless *deals = realloc(list->deals, room * sizeof *deals);
        if (!deals)
            return -1;
        list->deals = deals;
        list->room = room;
    }
    list->deals[list->count++] = (bmn_endless){*s, loop, level};
    return 0;
}

static int bmn_endless_bush(bmn_state s, uint32_t loop, uint32_t level, unsigned cards,
                            bmn_endless_list *list)
{
    bmn_state before[BMN_MAX_PREDECESSORS];
    unsigned found = bmn_predecessors(&s, before);
    for (unsigned i = 0; i < found; i++) {
        const bmn_state *b = &before[i];
        int exact = bmn_exact(b->other);
        if (exact && bmn_exact(b->lead))
            continue; /* on the cycle */
        if (bmn_balanced(b) && bmn_endless_add(list, b, loop, level))
            return -1;
        if (!exact && 2 * bmn_hand_size(b->other) < cards && bmn_exact(b->lead) &&
            bmn_endless_bush(*b, loop, level + 1, cards, list))
            return -1;
    }
    return 0;
}

/* List all balanced deals that come to a cycle. */
static int bmn_endless_deals(const bmn_loop *loop, uint32_t number, bmn_endless_list *list)
{
    bmn_state s = loop->key;
    unsigned cards = bmn_hand_size(s.lead) + bmn_hand_size(s.other);
    for (uint32_t i = 0; i < loop->tricks; i++) {
        if (bmn_balanced(&s) && bmn_endless_add(list, &s, number, 0))
            return -1;
        if (bmn_endless_bush(s, number, 1, cards, list))
            return -1;
        bmn_trick(&s);
    }
    return 0;
}

#endif
