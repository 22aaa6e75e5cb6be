/* Every deal of a deck, each once, in lexicographic order: plain before J, Q, K and A.
 *
 *   cards   . . . . . . . . . . | . . . . . . | . . . .
 *           first hand          | second hand | tail
 *                                 head of it  |
 *
 * While the head stays, the tail runs through all orders of its cards. They are prepared once,
 * for every multiset of cards a tail can have, as the two words a state is made of; so the next
 * deal costs a few shifts. When the tail is through, the cards step to their lexicographic
 * successor.
 *
 * Games go into rows by tricks and by card plays. A deal undecided after BMN_CENSUS_TRICKS is
 * kept with its rank, to be classified by cycle detection.
 */
#ifndef BMN_CENSUS_H
#define BMN_CENSUS_H

#include "brent.h"

#define BMN_CENSUS_TRICKS 256
#define BMN_CENSUS_PLAYS (BMN_CENSUS_TRICKS * BMN_MAX_CARDS + 1)
#define BMN_MAX_TAIL 16

typedef struct {
    uint64_t rank, deals;         /* the first rank, and how many */
    uint8_t cards[BMN_MAX_CARDS]; /* of the first deal */
    unsigned first, second, tail; /* cards in each hand, and at the end of the second */
    unsigned deck[BMN_KINDS];
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

/* All tails, by the multiset of their cards and in lexicographic order. */
typedef struct {
    unsigned length, radix[BMN_KINDS];
    uint32_t *start; /* of each multiset among the orders, and the end */
    uint64_t *order; /* 1 for each penalty card, the last card at bit 32; below, the values */
} bmn_tails;

static unsigned bmn_multiset(const bmn_tails *t, const uint8_t *cards)
{
    unsigned count[BMN_KINDS] = {0}, id = 0;
    for (unsigned i = 0; i < t->length; i++)
        count[cards[i]]++;
    for (unsigned kind = 1; kind < BMN_KINDS; kind++)
        id = id * t->radix[kind] + count[kind];
    return id;
}

/* Visit all tails from `depth` on; count them by multiset, or put them where `at` says. */
static void bmn_visit_tails(bmn_tails *t, unsigned depth, unsigned *left, uint8_t *cards,
                            uint32_t *at, int put)
{
    if (depth < t->length) {
        for (unsigned kind = 0; kind < BMN_KINDS; kind++)
            if (left[kind]) {
                left[kind]--;
                cards[depth] = (uint8_t)kind;
                bmn_visit_tails(t, depth + 1, left, cards, at, put);
                left[kind]++;
            }
        return;
    }
    uint32_t *slot = at + bmn_multiset(t, cards);
    if (put) {
        uint64_t mask = 0, values = 0;
        for (unsigned i = 0; i < t->length; i++) {
            mask = mask << 1 | (cards[i] > 0);
            if (cards[i])
                values = values << 2 | (cards[i] - 1u);
        }
        t->order[*slot] = mask << 32 | values;
    }
    ++*slot;
}

static int bmn_tails_open(bmn_tails *t, const bmn_census_job *job)
{
    unsigned left[BMN_KINDS], multisets = 1;
    uint8_t cards[BMN_MAX_TAIL];
    t->length = job->tail;
    for (unsigned kind = 0; kind < BMN_KINDS; kind++) {
        left[kind] = job->deck[kind] < job->tail ? job->deck[kind] : job->tail;
        t->radix[kind] = left[kind] + 1;
        multisets *= kind ? t->radix[kind] : 1;
    }
    t->order = NULL;
    t->start = calloc(multisets + 1, sizeof *t->start);
    uint32_t *at = calloc(multisets, sizeof *at);
    if (t->start && at) {
        bmn_visit_tails(t, 0, left, cards, t->start + 1, 0);
        for (unsigned i = 0; i < multisets; i++) {
            t->start[i + 1] += t->start[i];
            at[i] = t->start[i];
        }
        t->order = malloc((t->start[multisets] + 1) * sizeof *t->order);
        if (t->order)
            bmn_visit_tails(t, 0, left, cards, at, 1);
    }
    free(at);
    return t->order ? 0 : -1;
}

static void bmn_tails_close(bmn_tails *t)
{
    free(t->start);
    free(t->order);
}

/* Step to the lexicographic successor of all orders of the same head. */
static void bmn_next_head(uint8_t *cards, unsigned n, unsigned tail)
{
    for (unsigned i = n - tail + 1; i < n; i++) /* the last order of the tail is descending */
        for (unsigned j = i; j > n - tail && cards[j - 1] < cards[j]; j--) {
            uint8_t swap = cards[j];
            cards[j] = cards[j - 1];
            cards[j - 1] = swap;
        }
    unsigned i = n - 1, j = n - 1;
    while (i > 0 && cards[i - 1] >= cards[i])
        i--;
    if (i == 0)
        return;
    while (cards[j] <= cards[i - 1])
        j--;
    uint8_t swap = cards[i - 1];
    cards[i - 1] = cards[j];
    cards[j] = swap;
    for (j = n - 1; i < j; i++, j--) {
        swap = cards[i];
        cards[i] = cards[j];
        cards[j] = swap;
    }
}

static inline __attribute__((always_inline)) void
bmn_census_count(bmn_census_table *t, uint64_t rank, const bmn_progress *p)
{
    bmn_game game = {.tag = rank,
                     .card_plays = p->cards,
                     .tricks = (uint32_t)p->tricks,
                     .winner = p->seat};
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
    row->violations += !p->sound;
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

/* Play `job->deals` deals from `job->rank` on. */
static inline __attribute__((always_inline)) int
bmn_census_body(bmn_census_job *job, const bmn_tails *tails, bmn_census_table *t)
{
    unsigned size = job->first + job->second, k = job->tail;
    uint8_t *tail = job->cards + size - k;
    uint64_t rank = job->rank, left = job->deals;
    for (;;) {
        const uint64_t *order = tails->order + tails->start[bmn_multiset(tails, tail)];
        const uint64_t *stop = tails->order + tails->start[bmn_multiset(tails, tail) + 1];
        bmn_hand first = bmn_pack(job->cards, job->first);
        bmn_hand head = bmn_pack(job->cards + job->first, job->second - k);
        bmn_hand now = bmn_pack(tail, k);
        unsigned bits = bmn_end_at(now.values);
        uint64_t here = k ? now.cards >> (64 - k) << 32 : 0;
        here |= bits ? now.values >> (64 - bits) : 0;
        while (*order != here)
            order++;
        for (; order < stop && left; order++, rank++, left--) {
            bmn_state start = {first,
                               {bmn_under(head.cards, *order >> 32, k),
                                bmn_under(head.values, *order & UINT32_MAX, bits)}};
            bmn_state s = start;
            bmn_progress p = {0, 0, 0, BMN_GOING, 1};
            bmn_play_on(&s, &p, BMN_CENSUS_TRICKS);
            if (p.ending != BMN_GOING)
                bmn_census_count(t, rank, &p);
            else if (bmn_census_keep(t, rank, &start))
                return -1;
        }
        if (!left)
            return 0;
        bmn_next_head(job->cards, size, k);
    }
}

static int bmn_census_any(bmn_census_job *job, const bmn_tails *tails, bmn_census_table *t)
{
    return bmn_census_body(job, tails, t);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("bmi,bmi2,lzcnt"))) static int
bmn_census_bmi(bmn_census_job *job, const bmn_tails *tails, bmn_census_table *t)
{
    return bmn_census_body(job, tails, t);
}
#endif

/* Play a range of deals; not 0 if there is no memory. */
static int bmn_census(bmn_census_job *job, bmn_census_table *t)
{
    bmn_tails tails;
    int failed = bmn_tails_open(&tails, job);
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("bmi2")) /* every CPU with BMI2 has LZCNT too */
        failed = failed || bmn_census_bmi(job, &tails, t);
    else
#endif
        failed = failed || bmn_census_any(job, &tails, t);
    bmn_tails_close(&tails);
    return failed;
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
