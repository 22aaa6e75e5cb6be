/* A deal in words: what the fast kernels are dealt, and where it waits for a free lane.
 *
 *   card     first hand, top first | second hand, top first
 *   bit      63 62 61 ...            down to 64 - size
 *   bits[0]  lower bit of each card's value     J 001  Q 010
 *   bits[1]  middle bit                         K 011  A 100
 *   bits[2]  upper bit                          plain 000
 *
 *   census   plain | lower << 8 | middle << 16 | lower and middle << 24 | upper << 32
 *            how many cards have these bits: together, how many there are of each kind
 *
 * Invariant: census is that of the deck, or in a stated deal that of its row, and BMN_NO_CENSUS
 * if the deal was not dealt right; so a bad deal is counted as a violation at its end.
 */
#ifndef BMN_WORDS_H
#define BMN_WORDS_H

#include "plain.h"

#define BMN_MOST_CARDS 62 /* in a deal of words: a fill bit is left, and one for the last card */
#define BMN_MOST_PENALTIES 20
#define BMN_THIRDS 0x1249249249249249u /* the lower bits of 21 values */
#define BMN_EMPTY_ROOM (63 | 64u << 24)
#define BMN_SECOND_ROOM (1u << 16) /* a flag of the second player's room */
#define BMN_VALUE_ROOM (3u << 24) /* what one value takes of it */
#define BMN_NO_CENSUS UINT64_MAX
#define BMN_DEALT 64              /* deals dealt at once */
#define BMN_POOL (2 * BMN_DEALT)

/* The result of a game in one word: card plays | tricks << 32 | flags. */
#define BMN_TRICK (1ull << 32)
#define BMN_TRICKS ((1u << 26) - 1)
#define BMN_SECOND (1ull << 58)
#define BMN_ENDING 59
#define BMN_BROKEN (1ull << 61)
#define BMN_TRAY 64 /* results handed over at once, or some more */

/* Every name in lanes.h and every function of an instruction set: bmn_avx512_step, ... */
#define BMN_PASTE_(set, name) bmn_##set##_##name
#define BMN_PASTE(set, name) BMN_PASTE_(set, name)
#define NAME(name) BMN_PASTE(SET, name)
#define INLINE static inline __attribute__((always_inline))

typedef struct {
    uint64_t first[BMN_POOL], second[BMN_POOL];
    uint64_t first_queue[BMN_POOL], second_queue[BMN_POOL];
    uint64_t first_room[BMN_POOL], second_room[BMN_POOL];
    uint64_t tag[BMN_POOL], census[BMN_POOL];
    unsigned at, end; /* those waiting */
    uint64_t next;    /* of the job's deals, to be dealt */
} bmn_pool;

/* Population count in plain C, for where the CPU may have no instruction for it. */
static inline uint64_t bmn_count_bits(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return ((x + (x >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56;
}

static uint64_t bmn_deck_census(const uint32_t deck[BMN_KINDS])
{
    const uint64_t J = deck[1], Q = deck[2], K = deck[3], A = deck[4];
    return deck[0] | (J + K) << 8 | (Q + K) << 16 | K << 24 | A << 32;
}

/* Whether every deal of a search, or the size of stated ones, fits words. */
static int bmn_fits(const bmn_job *job, uint32_t most_plain)
{
    if (job->size > BMN_MOST_CARDS)
        return 0;
    return job->stated ||
           (job->size - job->deck[0] <= BMN_MOST_PENALTIES && job->deck[0] <= most_plain);
}

/* Make room behind the deals that still wait. */
static void bmn_pool_pack(bmn_pool *pool)
{
    uint64_t *words[] = {pool->first,      pool->second,      pool->first_queue,
                         pool->second_queue, pool->first_room, pool->second_room,
                         pool->tag,        pool->census};
    for (unsigned w = 0; w < sizeof words / sizeof *words; w++)
        memmove(words[w], words[w] + pool->at, (pool->end - pool->at) * sizeof *words[w]);
    pool->end -= pool->at;
    pool->at = 0;
}

/* The random number of a deal's injected fault, and whether it strikes the deal itself. */
static inline uint64_t bmn_fault_of(uint64_t fault, uint64_t tag)
{
    return bmn_mix64(fault + tag * BMN_GOLDEN) | 1;
}

static inline int bmn_fault_in_deal(uint64_t random)
{
    return random >> 61 == 0;
}

#endif
