/* What every kernel is given, and where every kernel's results go.
 *
 *   bmn_job   which deals to play: the seeds of a search, or deals stated card by card
 *      |
 *   kernel    plays them in whatever order suits it
 *      |
 *   bmn_game  one result, tagged with its seed or its row
 *      |
 *   bmn_sink  one row per deal, or the two tables of a search:
 *
 *      lengths[tricks]      deals card_plays captures leader_wins violations fingerprint first
 *      plays[card_plays]    deals first
 *      rare[]               the capped games and those too long for an array, one by one
 *
 * Invariants
 *  - Every deal of the job reaches the sink exactly once; the order does not matter: rows are
 *    sums and minima.
 *  - Nothing is clipped: a game that does not fit the arrays is kept whole among the rare ones.
 *  - A row's smallest seed is kept as its complement, so that zeroed memory is an empty row.
 */
#ifndef BMN_TABLE_H
#define BMN_TABLE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BMN_KINDS 5         /* plain, J, Q, K, A: a card is its value, 0 to 4 */
#define BMN_LENGTHS 16384   /* longest game, in tricks, counted in the array */
#define BMN_PLAYS 131072    /* the same in card plays */
#define BMN_GOLDEN 0x9E3779B97F4A7C15u

enum { BMN_DRY, BMN_CAPTURE, BMN_CAPPED };

typedef struct {
    uint64_t first_seed;      /* of a search */
    uint64_t deals;           /* how many seeds or rows */
    const uint8_t *stated;    /* NULL for a search; else rows of `size` cards, 0 to 4 */
    uint32_t size;            /* cards in a deal */
    uint32_t split;           /* cards in the first hand */
    uint32_t deck[BMN_KINDS]; /* of a search */
    uint32_t cap;             /* tricks */
    uint64_t fault;           /* 0, or the seed of one flipped bit in every deal */
} bmn_job;

typedef struct {
    uint64_t tag; /* the seed or the row */
    uint64_t card_plays;
    uint32_t tricks;
    uint8_t winner, ending, violation;
} bmn_game;

typedef struct {
    uint64_t deals, card_plays, captures, leader_wins, violations, fingerprint;
    uint64_t not_first; /* ~smallest seed */
    uint64_t first_card_plays;
} bmn_length;

typedef struct {
    uint64_t deals;
    uint64_t not_first;
} bmn_play_count;

typedef struct {
    /* a search fills these ... */
    bmn_length *lengths;
    bmn_play_count *plays;
    size_t n_lengths, n_plays; /* as far as they are used */
    bmn_game *rare;
    size_t n_rare, room;
    int no_memory;
    /* ... stated deals these, one row each */
    uint64_t *tricks, *card_plays;
    uint8_t *winner, *ending, *violation;
} bmn_sink;

/* The finaliser of splitmix64. */
static inline uint64_t bmn_mix64(uint64_t z)
{
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

/* The random number of a deal's injected fault; not 0. */
static inline uint64_t bmn_fault_of(uint64_t fault, uint64_t tag)
{
    return bmn_mix64(fault + tag * BMN_GOLDEN) | 1;
}

/* One game's share of the order-independent fingerprint of a set of seeds. */
static inline uint64_t bmn_fingerprint(const bmn_game *g)
{
    uint64_t result = (uint64_t)g->tricks << 32 | g->card_plays << 1 | g->winner;
    return bmn_mix64(g->tag * BMN_GOLDEN + result);
}

static int bmn_sink_open(bmn_sink *s)
{
    memset(s, 0, sizeof *s);
    s->lengths = calloc(BMN_LENGTHS, sizeof *s->lengths);
    s->plays = calloc(BMN_PLAYS, sizeof *s->plays);
    return s->lengths && s->plays ? 0 : -1;
}

static void bmn_sink_close(bmn_sink *s)
{
    free(s->lengths);
    free(s->plays);
    free(s->rare);
    memset(s, 0, sizeof *s);
}

static void bmn_keep_rare(bmn_sink *s, const bmn_game *g)
{
    if (s->n_rare == s->room) {
        size_t room = s->room ? 2 * s->room : 256;
        bmn_game *grown = realloc(s->rare, room * sizeof *grown);
        if (!grown) {
            s->no_memory = 1;
            return;
        }
        s->rare = grown;
        s->room = room;
    }
    s->rare[s->n_rare++] = *g;
}

static inline void bmn_count(bmn_sink *s, const bmn_game *g)
{
    int finished = g->ending != BMN_CAPPED;
    int row_fits = finished && g->tricks < BMN_LENGTHS;
    int count_fits = finished && g->card_plays < BMN_PLAYS;
    uint64_t not_seed = ~g->tag;
    if (!(row_fits && count_fits))
        bmn_keep_rare(s, g);
    if (row_fits) {
        bmn_length *row = s->lengths + g->tricks;
        if (g->tricks >= s->n_lengths)
            s->n_lengths = g->tricks + 1;
        row->deals += 1;
        row->card_plays += g->card_plays;
        row->captures += g->ending == BMN_CAPTURE;
        row->leader_wins += g->winner == 0;
        row->violations += g->violation;
        row->fingerprint += bmn_fingerprint(g);
        if (not_seed >= row->not_first) {
            row->not_first = not_seed;
            row->first_card_plays = g->card_plays;
        }
    }
    if (count_fits) {
        bmn_play_count *count = s->plays + g->card_plays;
        if (g->card_plays >= s->n_plays)
            s->n_plays = g->card_plays + 1;
        count->deals += 1;
        if (not_seed > count->not_first)
            count->not_first = not_seed;
    }
}

static inline void bmn_take(bmn_sink *s, const bmn_game *g)
{
    if (s->lengths) {
        bmn_count(s, g);
        return;
    }
    s->tricks[g->tag] = g->tricks;
    s->card_plays[g->tag] = g->card_plays;
    s->winner[g->tag] = g->winner;
    s->ending[g->tag] = g->ending;
    s->violation[g->tag] = g->violation;
}

#endif
