/* Every deal of a deck, each once, in the order of its rank.
 *
 *   rank = rank of the penalty cards' sequence * number of masks + rank of the mask
 *
 * A mask says which places of the dealt deck hold penalty cards: a number of `size` bits, top
 * card of the first hand first; masks in ascending order are stepped by R. W. Gosper's trick
 * (HAKMEM, item 175). The penalty cards' sequence steps to its lexicographic successor when the
 * masks are through. Both are already what a state is made of, so dealing is a few shifts.
 *
 * Games go into rows by tricks and by card plays. A deal undecided after BMN_CENSUS_TRICKS is
 * kept with its rank, to be classified by cycle detection.
 */
#ifndef BMN_CENSUS_H
#define BMN_CENSUS_H

#include "brent.h"

#define BMN_CENSUS_TRICKS 256
#define BMN_CENSUS_PLAYS (BMN_CENSUS_TRICKS * BMN_MAX_CARDS + 1)

typedef struct {
    uint64_t rank, deals;                 /* the first rank, and how many */
    uint64_t mask;                        /* of the first deal */
    uint64_t masks, masks_left;           /* of the deck; from the first deal's on */
    uint8_t sequence[BMN_MAX_PENALTIES];  /* of the first deal: values less 1, top card first */
    unsigned first, second, penalties;    /* cards in each hand, penalty cards */
} bmn_census_job;

typedef struct {
    uint64_t rank;
    bmn_state start;
} bmn_open_deal;

typedef struct {
    bmn_length lengths[BMN_CENSUS_TRICKS + 1]; /* not_first: ~smallest rank */
    bmn_play_count plays[BMN_CENSUS_PLAYS];
    bmn_open_deal *open;
    size_t n_open, room;
} bmn_census_table;

static inline __attribute__((always_inline)) uint64_t bmn_marked(uint64_t bits, unsigned count)
{
    return (bits << 1 | 1) << (63 - count);
}

/* Deal the cards: `values` holds two bits a penalty card, the last at bit 0. */
static inline __attribute__((always_inline)) bmn_state
bmn_census_deal(const bmn_census_job *job, uint64_t mask, uint64_t values)
{
    uint64_t first = mask >> job->second, second = mask & ((UINT64_C(1) << job->second) - 1);
    unsigned below = 2 * (unsigned)__builtin_popcountll(second);
    bmn_state s = {
        {bmn_marked(first, job->first), bmn_marked(values >> below, 2 * job->penalties - below)},
        {bmn_marked(second, job->second),
         bmn_marked(values & ((UINT64_C(1) << below) - 1), below)},
    };
    return s;
}

static inline __attribute__((always_inline)) void
bmn_census_count(bmn_census_table *t, uint64_t rank, const bmn_progress *p)
{
    bmn_game game = {.tag = rank,
                     .card_plays = p->cards,
                     .tricks = (uint32_t)p->tricks,
                     .winner = p->seat,
                     .ending = p->ending,
                     .violation = !p->sound};
    bmn_length *row = t->lengths + p->tricks;
    bmn_play_count *count = t->plays + p->cards;
    if (row->deals == 0) {
        row->not_first = ~rank;
        row->first_card_plays = p->cards;
    }
    if (count->deals == 0)
        count->not_first = ~rank;
    row->deals += 1;
    row->card_plays += p->cards;
    row->captures += p->ending == BMN_CAPTURE;
    row->leader_wins += p->seat == 0;
    row->violations += game.violation;
    row->fingerprint += bmn_fingerprint(&game);
    count->deals += 1;
}

static int bmn_census_keep(bmn_census_table *t, uint64_t rank, const bmn_state *start)
{
    if (t->n_open == t->room) {
        size_t room = t->room ? 2 * t->room : 256;
        bmn_open_deal *grown = realloc(t->open, room * sizeof *grown);
        if (!grown)
            return -1;
        t->open = grown;
        t->room = room;
    }
    t->open[t->n_open++] = (bmn_open_deal){rank, *start};
    return 0;
}

static void bmn_next_sequence(uint8_t *v, unsigned n)
{
    if (n < 2)
        return;
    unsigned i = n - 1, j = n - 1;
    while (i > 0 && v[i - 1] >= v[i])
        i--;
    if (i == 0)
        return;
    while (v[j] <= v[i - 1])
        j--;
    uint8_t swap = v[i - 1];
    v[i - 1] = v[j];
    v[j] = swap;
    for (j = n - 1; i < j; i++, j--) {
        swap = v[i];
        v[i] = v[j];
        v[j] = swap;
    }
}

/* Play `job->deals` deals from `job->rank` on. */
static inline __attribute__((always_inline)) int bmn_census_body(bmn_census_job *job,
                                                                 bmn_census_table *t)
{
    uint64_t rank = job->rank, left = job->deals, mask = job->mask;
    uint64_t lowest = (UINT64_C(1) << job->penalties) - 1;
    uint64_t in_sequence = job->masks_left;
    for (;;) {
        uint64_t values = 0;
        for (unsigned i = 0; i < job->penalties; i++)
            values = values << 2 | job->sequence[i];
        uint64_t stop = rank + (left < in_sequence ? left : in_sequence);
        left -= stop - rank;
        for (; rank < stop; rank++) {
            bmn_state start = bmn_census_deal(job, mask, values), s = start;
            bmn_progress p = {0, 0, 0, BMN_GOING, 1};
            bmn_play_on(&s, &p, BMN_CENSUS_TRICKS);
            if (p.ending != BMN_GOING)
                bmn_census_count(t, rank, &p);
            else if (bmn_census_keep(t, rank, &start))
                return -1;
            if (job->penalties) {
                uint64_t carry = mask + (mask & -mask);
                mask = carry | ((carry ^ mask) >> (2 + __builtin_ctzll(mask)));
            }
        }
        if (!left)
            return 0;
        bmn_next_sequence(job->sequence, job->penalties);
        mask = lowest;
        in_sequence = job->masks;
    }
}

static int bmn_census_any(bmn_census_job *job, bmn_census_table *t)
{
    return bmn_census_body(job, t);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("bmi,bmi2,lzcnt,popcnt"))) static int bmn_census_bmi(bmn_census_job *job,
                                                                           bmn_census_table *t)
{
    return bmn_census_body(job, t);
}
#endif

static int bmn_census(bmn_census_job *job, bmn_census_table *t)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("lzcnt"))
        return bmn_census_bmi(job, t);
#endif
    return bmn_census_any(job, t);
}

static bmn_census_table *bmn_census_open(void)
{
    return calloc(1, sizeof(bmn_census_table));
}

static void bmn_census_close(bmn_census_table *t)
{
    if (t)
        free(t->open);
    free(t);
}

#endif
