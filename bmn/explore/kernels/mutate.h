/* New periodic pieces from known ones: a few cards are changed, and about one in ten is periodic.
 *
 * Two ways to change a piece. (1) One to three cards of a phase are put in, left out, moved,
 * exchanged or replaced. (2) All cards of an orbit get another value: while a piece comes back,
 * its cards change places, and those that take each other's places must be alike.
 *
 * Trials are counted, and each has its own random numbers, so a run is the same everywhere.
 */
#ifndef BMN_MUTATE_H
#define BMN_MUTATE_H

#include "pieces.h"

typedef struct {
    uint64_t state;
} bmn_random;

static inline uint32_t bmn_below(bmn_random *r, uint32_t n)
{
    r->state += BMN_GOLDEN;
    return (uint32_t)(((bmn_mix64(r->state) >> 32) * n) >> 32);
}

typedef struct {
    uint8_t cards[BMN_MAX_CARDS + 8];
    unsigned size;
} bmn_word;

static bmn_word bmn_word_of(bmn_hand h)
{
    bmn_word w;
    w.size = bmn_unpack(h, w.cards);
    return w;
}

static void bmn_word_remove(bmn_word *w, unsigned at)
{
    memmove(w->cards + at, w->cards + at + 1, w->size - at - 1);
    w->size--;
}

static void bmn_word_insert(bmn_word *w, unsigned at, uint8_t card)
{
    memmove(w->cards + at + 1, w->cards + at, w->size - at);
    w->cards[at] = card;
    w->size++;
}

/* Half of all new cards are plain. */
static uint8_t bmn_random_card(bmn_random *r)
{
    uint32_t n = bmn_below(r, 8);
    return n < 4 ? 0 : (uint8_t)(n - 3);
}

static void bmn_change(bmn_word *w, bmn_random *r)
{
    unsigned at = bmn_below(r, w->size), to = bmn_below(r, w->size);
    uint8_t card = w->cards[at];
    switch (bmn_below(r, 5)) {
    case 0:
        if (w->size < BMN_MAX_CARDS)
            bmn_word_insert(w, at, bmn_random_card(r));
        break;
    case 1:
        if (w->size > 1)
            bmn_word_remove(w, at);
        break;
    case 2:
        bmn_word_remove(w, at);
        bmn_word_insert(w, to, card);
        break;
    case 3:
        w->cards[at] = w->cards[to];
        w->cards[to] = card;
        break;
    default:
        w->cards[at] = bmn_random_card(r);
    }
}

/* Play all passes of a periodic piece with numbered cards: `goes[i]` is the card that is at last
 * where card i was at first, the piece's cards before the spare ones and the head. */
static unsigned bmn_follow(const bmn_word *w, const bmn_piece_rules *rules, uint32_t tricks,
                           uint8_t *goes)
{
    uint8_t value[BMN_MAX_CARDS + 8], hand[2][4 * BMN_MAX_CARDS], pile[BMN_MAX_CARDS + 8];
    uint8_t *keep = value;
    memcpy(value, w->cards, w->size);
    memset(value + w->size, 0, rules->spare);
    unsigned tape = w->size + rules->spare, total = tape + bmn_unpack(rules->head, keep + tape);
    unsigned top[2] = {0, 0}, end[2] = {tape, total - tape}, player = 0;
    for (unsigned i = 0; i < total; i++)
        hand[i >= tape][i >= tape ? i - tape : i] = (uint8_t)i;
    while (tricks--) {
        unsigned size = 0, owed = 0;
        for (;;) {
            uint8_t card = hand[player][top[player]++];
            pile[size++] = card;
            if (value[card])
                owed = value[card];
            else if (owed && --owed == 0)
                break;
            if (value[card] || !owed)
                player ^= 1;
        }
        player ^= 1;
        if (end[player] + size > sizeof hand[0]) {
            memmove(hand[player], hand[player] + top[player], end[player] - top[player]);
            end[player] -= top[player];
            top[player] = 0;
        }
        memcpy(hand[player] + end[player], pile, size);
        end[player] += size;
    }
    for (unsigned i = 0; i < total; i++)
        goes[i] = i < tape ? hand[0][top[0] + i] : hand[1][top[1] + i - tape];
    return total;
}

/* Give all cards of an orbit of penalty cards another value, if there is one free to choose. */
static int bmn_recolour(bmn_word *w, const bmn_piece_rules *rules, uint32_t tricks, bmn_random *r)
{
    uint8_t goes[BMN_MAX_CARDS + 8];
    unsigned at = bmn_below(r, w->size);
    while (at < w->size && !w->cards[at])
        at++;
    if (at == w->size)
        return 0;
    bmn_follow(w, rules, tricks, goes);
    uint8_t value = (uint8_t)(1 + bmn_below(r, 4));
    unsigned i = at;
    do {
        if (i >= w->size)
            return 0; /* the orbit goes through the head */
        w->cards[i] = value;
        i = goes[i];
    } while (i != at);
    return 1;
}

static int bmn_allowed(const bmn_word *w, const bmn_piece_rules *rules)
{
    unsigned count[5] = {0, 0, 0, 0, 0};
    for (unsigned i = 0; i < w->size; i++)
        count[w->cards[i]]++;
    for (unsigned i = 0; i < 5; i++)
        if (count[i] > rules->most[i])
            return 0;
    for (unsigned i = 0; i < rules->spare && i < w->size; i++)
        if (w->cards[i])
            return 0;
    return w->size > rules->spare && w->size + rules->spare < BMN_MAX_CARDS - 8;
}

/* Where pieces are looked for: only those whose head reaches so far are changed further. */
typedef struct {
    uint64_t seed, first_trial, trials;
    uint32_t reach;
} bmn_mutations;

/* Change pieces of the catalogue and add what is new; return how many trials were periodic. */
static uint64_t bmn_mutate(bmn_catalogue *c, const bmn_piece_rules *rules, const bmn_mutations *m)
{
    uint64_t hits = 0;
    uint32_t *bases = malloc(c->limit * sizeof *bases);
    size_t n = 0;
    if (!bases)
        return UINT64_MAX;
    for (size_t i = 0; i < c->count; i++)
        if (c->pieces[i].reach >= m->reach)
            bases[n++] = (uint32_t)i;
    for (uint64_t trial = 0; trial < m->trials && n; trial++) {
        bmn_random r = {bmn_mix64(m->seed) + bmn_mix64(m->first_trial + trial)};
        const bmn_piece *base = &c->pieces[bases[bmn_below(&r, (uint32_t)n)]];
        bmn_word w = bmn_word_of(bmn_phase(base->word, rules, bmn_below(&r, base->passes)));
        if (bmn_below(&r, 4) == 0) {
            if (!bmn_recolour(&w, rules, base->tricks, &r))
                continue;
            if (bmn_below(&r, 2))
                bmn_change(&w, &r);
        } else
            for (uint32_t changes = 1 + bmn_below(&r, 3); changes; changes--)
                bmn_change(&w, &r);
        if (!bmn_allowed(&w, rules))
            continue;
        bmn_piece found;
        if (bmn_test_piece(bmn_pack(w.cards, w.size), rules, &found) != BMN_PERIODIC)
            continue;
        hits++;
        if (bmn_catalogue_add(c, &found) && found.reach >= m->reach)
            bases[n++] = (uint32_t)(c->count - 1);
    }
    free(bases);
    return hits;
}

#endif
