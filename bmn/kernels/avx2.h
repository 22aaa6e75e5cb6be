/* AVX2: four games a vector, and 32 deals dealt at once.
 *
 * Hands are filled with zeros and complemented: plain 1, penalty 0, so that a shift drops cards
 * and an `or` adds them. A mask is a vector of words of zeros or of ones. There is no count of
 * leading zeros: the exponent of a floating-point number has to tell it, of the upper 52 bits,
 * so there may be 51 plain cards.
 */
#ifndef BMN_AVX2_H
#define BMN_AVX2_H

#include "bmi2.h"

#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")

#define SET avx2
#define LANES 4
#define VECTORS 3
#define STEPS 16
#define MOST_PLAIN 51
#define V __m256i
#define M __m256i

#define ALL(x) _mm256_set1_epi64x((long long)(x))
#define LOAD(from) _mm256_loadu_si256((const __m256i *)(from))
#define STORE(to, v) _mm256_storeu_si256((__m256i *)(to), v)
#define ADD _mm256_add_epi64
#define SUB _mm256_sub_epi64
#define MIN _mm256_min_epu32 /* for words whose upper halves are zeros, in one at least */
#define AND _mm256_and_si256
#define OR _mm256_or_si256
#define XOR _mm256_xor_si256
#define NOT(v) XOR(v, ALL(-1))
#define SHL(v, n) _mm256_slli_epi64(v, n)
#define SHR(v, n) _mm256_srli_epi64(v, n)
#define SHLV _mm256_sllv_epi64
#define COUNT bmn_avx2_count
#define LESS(a, b) _mm256_cmpgt_epi64(b, a)
#define MORE _mm256_cmpgt_epi64
#define SAME _mm256_cmpeq_epi64
#define DIFFER(a, b) NOT(SAME(a, b))
#define SOME(v, bits) MORE(AND(v, ALL(bits)), ALL(0))
#define LESS_IF(m, a, b) AND(m, LESS(a, b))
#define AND_NOT(m, n) _mm256_andnot_si256(n, m)
#define OR_M OR
#define BITS(m) ((unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(m)))
#define MASK(bits) LOAD(BMN_AVX2_MASK[bits])
#define PICK(m, yes, no) _mm256_blendv_epi8(no, yes, m)
#define ONLY(m, v) AND(m, v)
#define ADD_IF(m, v, w) ADD(v, AND(m, w))
#define OR_IF(m, v, w) OR(v, AND(m, w))

#define HAND NOT
#define RUN bmn_avx2_run_of
#define DROP(hand, n) SHLV(hand, n)
#define DROP_IF(m, hand, n) DROP(hand, AND(m, n))
#define PLAINS(hand) COUNT(hand)
#define UNDER_IF(m, hand, pile, room) \
    OR_IF(m, hand, SHLV(pile, AND(room, ALL(63))))
#define QUEUE_IF(m, queue, pile_queue, room) \
    OR_IF(m, queue, SHLV(pile_queue, SHR(room, 24)))
#define PILE_PAID(pile, n) NOT(SHLV(pile, n))
#define PILE_LAID(pile, n) SHLV(pile, n)
#define PILE_LED(m, pile, n) PICK(m, SHLV(ALL(-1), n), pile)
#define PILE_QUEUE_NEXT(alive, lays, takes, pile_queue, queue) \
    PICK(alive, OR(AND(SHL(pile_queue, 3), lays), SHR(queue, 61)), pile_queue)

#define PACK(to, bits, v) \
    STORE(to, _mm256_permutevar8x32_epi32(v, LOAD(BMN_AVX2_PACK[bits])))
#define SPREAD(bits) LOAD(BMN_AVX2_SPREAD[bits])
#define PLACE(m, spread, from, v) \
    PICK(m, _mm256_permutevar8x32_epi32(LOAD(from), spread), v)
#define QUEUE bmn_bmi2_queue

#define WIDTH 32
#define BYTES __m256i
#define BYTES_ALL(x) _mm256_set1_epi8((char)(x))
#define BYTES_ADD _mm256_add_epi8
#define BYTES_MIN _mm256_min_epu8
#define BYTES_LOW _mm256_unpacklo_epi8
#define BYTES_HIGH _mm256_unpackhi_epi8
#define BYTES_DIFFER(a, b) ((uint64_t)(uint32_t)~_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b)))
#define BYTES_REPLACE(v, old, new) _mm256_blendv_epi8(v, new, _mm256_cmpeq_epi8(v, old))
#define BYTES_LOOKUP bmn_avx2_lookup
#define TIMES bmn_avx2_times
#define TIMES32(v, x) _mm256_mul_epu32(v, ALL(x))
#define PACK_HIGH bmn_avx2_pack_high
#define STORE_QUARTERS(to, row, column, v)                                                  \
    do {                                                                                    \
        _mm_storeu_si128((__m128i *)&to[row][column], _mm256_castsi256_si128(v));           \
        _mm_storeu_si128((__m128i *)&to[16 + row][column], _mm256_extracti128_si256(v, 1)); \
    } while (0)

/* For each set of lanes: its mask; the halves of its lanes moved together; and apart again. */
#define W(lane) (lane) * 2, (lane) * 2 + 1
static const uint64_t BMN_AVX2_MASK[16][4] = {
#define ROW(b) {-(uint64_t)((b) & 1), -(uint64_t)((b) >> 1 & 1), -(uint64_t)((b) >> 2 & 1), \
                -(uint64_t)((b) >> 3 & 1)}
    ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7),
    ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15)};
#undef ROW
static const uint32_t BMN_AVX2_PACK[16][8] = {
    {0},
    {W(0)}, {W(1)}, {W(0), W(1)}, {W(2)}, {W(0), W(2)}, {W(1), W(2)}, {W(0), W(1), W(2)},
    {W(3)}, {W(0), W(3)}, {W(1), W(3)}, {W(0), W(1), W(3)}, {W(2), W(3)},
    {W(0), W(2), W(3)}, {W(1), W(2), W(3)}, {W(0), W(1), W(2), W(3)}};
static const uint32_t BMN_AVX2_SPREAD[16][8] = {
#define ROW(b) {W(0), W((b) & 1), W(((b) & 1) + ((b) >> 1 & 1)), \
                W(((b) & 1) + ((b) >> 1 & 1) + ((b) >> 2 & 1))}
    ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7),
    ROW(8), ROW(9), ROW(10), ROW(11), ROW(12), ROW(13), ROW(14), ROW(15)};
#undef ROW
#undef W

static inline __m256i bmn_avx2_count(__m256i v)
{
    const __m256i table = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                           0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i nibble = BYTES_ALL(15);
    const __m256i low = _mm256_shuffle_epi8(table, AND(v, nibble));
    const __m256i high = _mm256_shuffle_epi8(table, AND(SHR(v, 4), nibble));
    return _mm256_sad_epu8(BYTES_ADD(low, high), ALL(0));
}

/* Plain cards on top of a hand: the upper 52 bits, complemented, are the fraction of a number
 * from 2^52 on; less 2^52, its exponent tells the highest bit. */
static inline __m256i bmn_avx2_run_of(__m256i hand)
{
    const __m256i bits = XOR(SHR(hand, 12), ALL(0x433FFFFFFFFFFFFF));
    const __m256d number = _mm256_sub_pd(_mm256_castsi256_pd(bits), _mm256_set1_pd(0x1p52));
    return SUB(ALL(1023 + 51), SHR(_mm256_castpd_si256(number), 52));
}

static inline __m256i bmn_avx2_times(__m256i v, uint64_t x)
{
    const __m256i cross = ADD(_mm256_mul_epu32(SHR(v, 32), ALL(x)), _mm256_mul_epu32(v, ALL(x >> 32)));
    return ADD(_mm256_mul_epu32(v, ALL(x)), SHL(cross, 32));
}

/* The upper halves of 32 lanes, each below 256, as bytes. */
static inline __m256i bmn_avx2_pack_high(const __m256i v[8])
{
    __m256i half[4];
    for (int n = 0; n < 4; n++)
        half[n] = _mm256_castps_si256(_mm256_shuffle_ps(
            _mm256_castsi256_ps(v[2 * n]), _mm256_castsi256_ps(v[2 * n + 1]), 0xDD));
    return _mm256_packus_epi16(_mm256_packus_epi32(half[0], half[1]),
                               _mm256_packus_epi32(half[2], half[3]));
}

/* table[v], for v below 64. */
static inline __m256i bmn_avx2_lookup(const uint8_t table[64], __m256i v)
{
    __m256i found = BYTES_ALL(0);
    for (int n = 0; n < 64; n += 16) {
        const __m256i part =
            _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(table + n)));
        /* An index with bit 7 looks up a zero: add so that all but n .. n + 15 have it. */
        const __m256i index = _mm256_adds_epu8(XOR(v, BYTES_ALL(n)), BYTES_ALL(112));
        found = OR(found, _mm256_shuffle_epi8(part, index));
    }
    return found;
}

/* The three bits of the values of 64 cards, the first one at bit 0. */
static inline void bmn_avx2_test(__m256i low, __m256i high, uint64_t bits[3][BMN_DEALT], unsigned i)
{
    for (int b = 0; b < 3; b++) {
        const uint32_t first = (uint32_t)_mm256_movemask_epi8(SHL(low, 7 - b));
        const uint32_t second = (uint32_t)_mm256_movemask_epi8(SHL(high, 7 - b));
        bits[b][i] = first | (uint64_t)second << 32;
    }
}

static inline void bmn_avx2_bits(const uint8_t cards[64], uint64_t bits[3][BMN_DEALT], unsigned i)
{
    bmn_avx2_test(LOAD(cards), LOAD(cards + 32), bits, i);
}

static inline __m256i bmn_avx2_reverse(__m256i v)
{
    const __m256i falling = _mm256_setr_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0,
                                             15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    v = _mm256_shuffle_epi8(v, falling);
    return _mm256_permute2x128_si256(v, v, 1);
}

/* A stated deal. */
static inline void bmn_avx2_read(const uint8_t *row, uint32_t size, uint64_t bits[3][BMN_DEALT], unsigned i)
{
    uint8_t cards[64] = {0};
    memcpy(cards, row, size);
    bmn_avx2_test(bmn_avx2_reverse(LOAD(cards + 32)), bmn_avx2_reverse(LOAD(cards)), bits, i);
}

#include "dealer.h"
#include "lanes.h"
#include "deals.h"
#include "rounds.h"
#include "lanes_end.h"

static int bmn_avx2_supported(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") && bmn_bmi2_supported();
}

#pragma GCC pop_options

#endif
