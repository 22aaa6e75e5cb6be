/* AVX-512: eight games a vector, and 64 deals dealt at once.
 *
 * Hands are filled with ones, so that a double shift drops cards and an `and` adds them. The
 * masks are those of the instruction set, a bit a lane. Shifts and rotations by a variable
 * count take it modulo 64, so that a room can be one as it is.
 */
#ifndef BMN_AVX512_H
#define BMN_AVX512_H

#include "bmi2.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vbmi,avx512vbmi2")
#pragma GCC target("avx512vpopcntdq,bmi,bmi2,lzcnt,popcnt")

#define SET avx512
#define LANES 8
#define VECTORS 3 /* interleaved, to hide the latency of a step */
#define STEPS 20  /* between two looks for games that ended */
#define MOST_PLAIN BMN_MOST_CARDS
#define V __m512i
#define M __mmask8

#define ALL(x) _mm512_set1_epi64((long long)(x))
#define LOAD(from) _mm512_loadu_si512(from)
#define STORE(to, v) _mm512_storeu_si512(to, v)
#define ADD _mm512_add_epi64
#define SUB _mm512_sub_epi64
#define MIN _mm512_min_epu64
#define AND _mm512_and_epi64
#define OR _mm512_or_epi64
#define XOR _mm512_xor_epi64
#define NOT(v) XOR(v, ALL(-1))
#define SHL(v, n) _mm512_slli_epi64(v, n)
#define SHR(v, n) _mm512_srli_epi64(v, n)
#define SHLV _mm512_sllv_epi64
#define COUNT _mm512_popcnt_epi64
#define LESS _mm512_cmplt_epi64_mask
#define MORE _mm512_cmpgt_epi64_mask
#define SAME _mm512_cmpeq_epi64_mask
#define DIFFER _mm512_cmpneq_epi64_mask
#define SOME(v, bits) _mm512_test_epi64_mask(v, ALL(bits))
#define LESS_IF _mm512_mask_cmplt_epi64_mask
#define AND_NOT(m, n) _kandn_mask8(n, m)
#define OR_M _kor_mask8
#define BITS(m) ((unsigned)(m))
#define MASK(bits) ((M)(bits))
#define PICK(m, yes, no) _mm512_mask_mov_epi64(no, m, yes)
#define ONLY(m, v) _mm512_maskz_mov_epi64(m, v)
#define ADD_IF(m, v, w) _mm512_mask_add_epi64(v, m, v, w)
#define OR_IF(m, v, w) _mm512_mask_or_epi64(v, m, v, w)

#define HAND(bits) (bits)
#define RUN _mm512_lzcnt_epi64
#define DROP(hand, n) _mm512_shldv_epi64(hand, ALL(-1), n)
#define DROP_IF(m, hand, n) _mm512_mask_shldv_epi64(hand, m, ALL(-1), n)
#define PLAINS(hand) COUNT(NOT(hand))
#define UNDER_IF(m, hand, pile, room) \
    _mm512_mask_and_epi64(hand, m, hand, _mm512_rolv_epi64(pile, room))
#define QUEUE_IF(m, queue, pile_queue, room) \
    OR_IF(m, queue, _mm512_rolv_epi64(pile_queue, SHR(room, 24)))
#define PILE_PAID(pile, n) SHLV(pile, n)
#define PILE_LAID(pile, n) SHLV(pile, n)
#define PILE_LED(m, pile, n) _mm512_mask_sllv_epi64(pile, m, ALL(-1), n)
#define PILE_QUEUE_NEXT(alive, lays, takes, pile_queue, queue)                                 \
    _mm512_mask_srli_epi64(_mm512_mask_shldi_epi64(pile_queue, lays, pile_queue, queue, 3), \
                           takes, queue, 61)

#define PACK(to, bits, v) STORE(to, _mm512_maskz_compress_epi64((M)(bits), v))
#define SPREAD(bits) \
    _mm512_maskz_expand_epi64((M)(bits), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0))
#define PLACE(m, spread, from, v) _mm512_mask_permutexvar_epi64(v, m, spread, LOAD(from))
#define QUEUE bmn_bmi2_queue

#define WIDTH 64
#define BYTES __m512i
#define BYTES_ALL(x) _mm512_set1_epi8((char)(x))
#define BYTES_ADD _mm512_add_epi8
#define BYTES_MIN _mm512_min_epu8
#define BYTES_LOW _mm512_unpacklo_epi8
#define BYTES_HIGH _mm512_unpackhi_epi8
#define BYTES_DIFFER(a, b) ((uint64_t)_mm512_cmpneq_epi8_mask(a, b))
#define BYTES_REPLACE(v, old, new) _mm512_mask_mov_epi8(v, _mm512_cmpeq_epi8_mask(v, old), new)
#define BYTES_LOOKUP(table, v) _mm512_permutexvar_epi8(v, LOAD(table))
#define TIMES(v, x) _mm512_mullo_epi64(v, ALL(x))
#define TIMES32(v, x) _mm512_mul_epu32(v, ALL(x))
#define PACK_HIGH bmn_avx512_pack_high
#define STORE_QUARTERS(to, row, column, v)                                             \
    do {                                                                               \
        _mm_storeu_si128((__m128i *)&to[row][column], _mm512_castsi512_si128(v));      \
        _mm_storeu_si128((__m128i *)&to[16 + row][column], _mm512_extracti64x2_epi64(v, 1)); \
        _mm_storeu_si128((__m128i *)&to[32 + row][column], _mm512_extracti64x2_epi64(v, 2)); \
        _mm_storeu_si128((__m128i *)&to[48 + row][column], _mm512_extracti64x2_epi64(v, 3)); \
    } while (0)

/* The upper halves of 64 lanes, each below 256, as bytes. */
static inline __m512i bmn_avx512_pack_high(const __m512i v[8])
{
    __m512i half[4];
    for (int n = 0; n < 4; n++)
        half[n] = _mm512_castps_si512(_mm512_shuffle_ps(
            _mm512_castsi512_ps(v[2 * n]), _mm512_castsi512_ps(v[2 * n + 1]), 0xDD));
    return _mm512_packus_epi16(_mm512_packus_epi32(half[0], half[1]),
                               _mm512_packus_epi32(half[2], half[3]));
}

/* The three bits of the values of 64 cards, the first one at bit 0. */
static inline void bmn_avx512_test(__m512i cards, uint64_t bits[3][BMN_DEALT], unsigned i)
{
    bits[0][i] = _mm512_test_epi8_mask(cards, BYTES_ALL(1));
    bits[1][i] = _mm512_test_epi8_mask(cards, BYTES_ALL(2));
    bits[2][i] = _mm512_test_epi8_mask(cards, BYTES_ALL(4));
}

static inline void bmn_avx512_bits(const uint8_t cards[64], uint64_t bits[3][BMN_DEALT], unsigned i)
{
    bmn_avx512_test(LOAD(cards), bits, i);
}

/* A stated deal. */
static inline void bmn_avx512_read(const uint8_t *row, uint32_t size, uint64_t bits[3][BMN_DEALT], unsigned i)
{
    uint8_t falling[64];
    for (int b = 0; b < 64; b++)
        falling[b] = (uint8_t)(63 - b);
    const __m512i cards = _mm512_maskz_loadu_epi8(~(~0ull << size), row);
    bmn_avx512_test(_mm512_permutexvar_epi8(LOAD(falling), cards), bits, i);
}

#include "dealer.h"
#include "lanes.h"
#include "deals.h"
#include "rounds.h"
#include "lanes_end.h"

static int bmn_avx512_supported(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq") &&
           bmn_bmi2_supported();
}

#pragma GCC pop_options

#endif
