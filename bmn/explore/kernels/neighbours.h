/* New cycles from known ones: a few cards of a state change places.
 *
 * From a state with both hands exact a game that never ends comes back to this very state, since
 * no other of its kind comes to where it goes on. So one lap decides.
 */
#ifndef BMN_NEIGHBOURS_H
#define BMN_NEIGHBOURS_H

#include "assemble.h"
#include "mutate.h"

typedef struct {
    uint64_t seed, first_trial, trials;
    uint32_t changes; /* the most */
    uint32_t reach;   /* of the smaller hand, at least */
    uint32_t tricks;  /* of a cycle, at most */
    uint64_t closed;
} bmn_near;

/* Change places in states of known cycles, chosen at random, and add the new cycles. */
static int bmn_neighbours(bmn_near *near, bmn_loops *loops)
{
    for (uint64_t trial = 0; trial < near->trials && loops->count; trial++) {
        bmn_random r = {bmn_mix64(near->seed) + bmn_mix64(near->first_trial + trial)};
        uint32_t number = bmn_below(&r, (uint32_t)loops->count);
        bmn_state s = loops->loops[number].key;
        for (uint32_t tricks = bmn_below(&r, loops->loops[number].tricks); tricks; tricks--)
            bmn_trick(&s);
        bmn_word w;
        unsigned lead = bmn_unpack(s.lead, w.cards);
        w.size = lead + bmn_unpack(s.other, w.cards + lead);
        for (uint32_t changes = 1 + bmn_below(&r, near->changes); changes; changes--) {
            unsigned at = bmn_below(&r, w.size), to = bmn_below(&r, w.size);
            uint8_t card = w.cards[at];
            if (bmn_below(&r, 2)) {
                bmn_word_remove(&w, at);
                bmn_word_insert(&w, to, card);
            } else {
                w.cards[at] = w.cards[to];
                w.cards[to] = card;
            }
        }
        s = (bmn_state){bmn_pack(w.cards, lead), bmn_pack(w.cards + lead, w.size - lead)};
        bmn_loop loop;
        if (!bmn_in_trunk(&s) || !bmn_close_loop(s, near->tricks, &loop))
            continue;
        near->closed++;
        loop.origin = number;
        if (loop.reach >= near->reach && bmn_loops_add(loops, &loop) < 0)
            return -1;
    }
    return 0;
}

#endif
