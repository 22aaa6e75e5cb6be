/* Plain C: the same games as the vector kernels play, a few of one lane each.
 *
 * Hands are filled with zeros and complemented: plain 1, penalty 0, so that a shift drops cards
 * and an `or` adds them. A mask is a word of zeros or of ones. Counts of shifts are below 64 in
 * every game; `& 63`, which costs nothing, keeps them so after an injected fault.
 *
 * The deals are shuffled one by one, card by card.
 */
#ifndef BMN_SCALAR_H
#define BMN_SCALAR_H

#include "words.h"

#define SET scalar
#define LANES 1
#define VECTORS 1
#define STEPS 8
#define MOST_PLAIN BMN_MOST_CARDS
#define V uint64_t
#define M uint64_t

#define ALL(x) ((uint64_t)(x))
#define LOAD(from) (*(const uint64_t *)(from))
#define STORE(to, v) (*(uint64_t *)(to) = (v))
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define NOT(v) (~(v))
#define SHL(v, n) ((v) << ((n) & 63))
#define SHR(v, n) ((v) >> ((n) & 63))
#define SHLV SHL
#define COUNT bmn_count_bits
#define LESS(a, b) ((uint64_t)((int64_t)((a) - (b)) >> 63))
#define MORE(a, b) LESS(b, a)
#define SAME(a, b) (-(uint64_t)((a) == (b)))
#define DIFFER(a, b) (-(uint64_t)((a) != (b)))
#define SOME(v, bits) DIFFER(AND(v, bits), 0)
#define LESS_IF(m, a, b) ((m) & LESS(a, b))
#define AND_NOT(m, n) ((m) & ~(n))
#define OR_M(m, n) ((m) | (n))
#define BITS(m) ((unsigned)((m) & 1))
#define MASK(bits) (-(uint64_t)(bits))
#define PICK(m, yes, no) ((((yes) ^ (no)) & (m)) ^ (no))
#define ONLY(m, v) AND(m, v)
#define ADD_IF(m, v, w) ((v) + ((w) & (m)))
#define OR_IF(m, v, w) ((v) | ((w) & (m)))
#define HAND NOT
#define RUN(hand) ((uint64_t)__builtin_clzll(~(hand) | 1))
#define DROP(hand, n) SHL(hand, n)
#define DROP_IF(m, hand, n) SHL(hand, (n) & (m))
#define UNDER_IF(m, hand, pile, room) ((hand) | (SHL(pile, room) & (m)))
#define QUEUE_IF(m, queue, pile_queue, room) ((queue) | (SHL(pile_queue, (room) >> 24) & (m)))
#define PILE_PAID(pile, n) (~SHL(pile, n))
#define PILE_LAID(pile, n) SHL(pile, n)
#define PILE_LED(m, pile, n) PICK(m, SHL(~0ull, n), pile)
#define PILE_QUEUE_NEXT(alive, lays, takes, pile_queue, queue) \
    PICK(alive, OR(AND(SHL(pile_queue, 3), lays), SHR(queue, 61)), pile_queue)
#define PLAINS(hand) COUNT(hand)

#define PACK(to, bits, v) (*(to) = (v))
#define SPREAD(bits) (bits)
#define PLACE(m, spread, from, v) ((spread) ? *(from) : (v))

#define QUEUE bmn_scalar_queue

/* The values of the penalty cards as a queue. */
static inline uint64_t bmn_scalar_queue(uint64_t low, uint64_t middle, uint64_t high)
{
    uint64_t queue = 0, penalties = low | middle | high;
    for (; penalties; penalties &= penalties - 1) { /* the last card comes first */
        const int card = __builtin_ctzll(penalties);
        queue = queue >> 3 | (low >> card & 1) << 61 | (middle >> card & 1) << 62 | high >> card << 63;
    }
    return queue;
}

/* One bit of each of eight cards, the first card's at bit 7. */
static inline uint64_t bmn_scalar_gather(const uint8_t cards[8], int bit)
{
    uint64_t eight;
    memcpy(&eight, cards, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    eight = __builtin_bswap64(eight);
#endif
    return (eight >> bit & 0x0101010101010101u) * 0x8040201008040201u >> 56;
}

/* The bits of a deal, its cards padded with zeros to 64. */
static inline void bmn_scalar_bits(const uint8_t cards[64], uint64_t bits[3][BMN_DEALT], unsigned i)
{
    for (int b = 0; b < 3; b++) {
        bits[b][i] = 0;
        for (int n = 0; n < 8; n++)
            bits[b][i] = bits[b][i] << 8 | bmn_scalar_gather(cards + 8 * n, b);
    }
}

/* A stated deal. */
static inline void bmn_scalar_read(const uint8_t *row, uint32_t size, uint64_t bits[3][BMN_DEALT], unsigned i)
{
    uint8_t cards[64] = {0};
    memcpy(cards, row, size);
    bmn_scalar_bits(cards, bits, i);
}

/* The deals of 64 seeds; return those with a swap out of range. */
static uint64_t bmn_scalar_shuffle(const bmn_job *job, uint64_t first_seed,
                                   uint64_t bits[3][BMN_DEALT])
{
    uint8_t fresh[64] = {0}, deck[64], hands[64] = {0};
    uint64_t bad = 0;
    for (uint32_t value = 0, c = 0; value < BMN_KINDS; c += job->deck[value++])
        memset(fresh + c, (int)value, job->deck[value]);
    for (int g = 0; g < BMN_DEALT; g++) {
        uint64_t state = first_seed + (uint64_t)g;
        memcpy(deck, fresh, sizeof deck);
        for (uint64_t i = job->size - 1; i > 0; i--) {
            state += BMN_GOLDEN;
            const uint64_t j = (bmn_mix64(state) >> 32) * (i + 1) >> 32;
            bad |= (uint64_t)(j > i) << g;
            const uint8_t card = deck[i];
            deck[i] = deck[j];
            deck[j] = card;
        }
        for (uint32_t n = 0; 2 * n < job->size; n++)
            hands[n] = deck[2 * n];
        for (uint32_t n = 0; 2 * n + 1 < job->size; n++)
            hands[job->split + n] = deck[2 * n + 1];
        bmn_scalar_bits(hands, bits, (unsigned)g);
    }
    return bad;
}

#include "lanes.h"
#include "deals.h"
#include "rounds.h"
#include "lanes_end.h"

#endif
