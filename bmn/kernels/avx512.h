/* AVX-512: eight games a vector, and the dealer of 64 deals at once.
 *
 * Hands are filled with ones, so that a double shift drops cards and an `and` adds them.
 *
 *   swaps[i]  64 bytes   j of the shuffle's swap i <-> j, a byte a deal
 *   rows[b]   64 bytes   byte b of every deal: a byte a deal
 *       transposed
 *   deals[g]  64 bytes   byte b of deal g: the card at bit b of words.h
 *
 * The shuffle without a swap in memory: what ends in slot k is followed back. It came there by
 * swap k, from j_k (or was there, in slot 0), and the earlier swaps i = k+1, k+2, ... moved it
 * only if it was in j_i, which then had come from slot i. Where that ends is the card's number.
 *
 * Invariants, checked for every deal: j <= i; the numbers of the cards in the slots have the sum
 * that each card once gives, and so have the five random bits each card carries along.
 */
#ifndef BMN_AVX512_H
#define BMN_AVX512_H

#include <immintrin.h>
#include "words.h"

#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx512vbmi,avx512vbmi2")
#pragma GCC target("avx512vpopcntdq,bmi,bmi2,lzcnt,popcnt")

#define SET avx512
#define LANES 8
#define VECTORS 3 /* interleaved, to hide the latency of a step */
#define STEPS 12  /* between two looks for games that ended */
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
#define SHL(v, n) _mm512_slli_epi64(v, n)
#define SHR(v, n) _mm512_srli_epi64(v, n)
#define COUNT _mm512_popcnt_epi64
#define LESS _mm512_cmplt_epi64_mask
#define MORE _mm512_cmpgt_epi64_mask
#define SAME _mm512_cmpeq_epi64_mask
#define DIFFER _mm512_cmpneq_epi64_mask
#define NONZERO(v) _mm512_test_epi64_mask(v, v)
#define LESS_IF _mm512_mask_cmplt_epi64_mask
#define AND_NOT(m, n) _kandn_mask8(n, m)
#define OR_M _kor_mask8
#define XOR_M _kxor_mask8
#define BITS(m) ((unsigned)(m))
#define MASK(bits) ((M)(bits))
#define PICK(m, yes, no) _mm512_mask_mov_epi64(no, m, yes)
#define ADD_IF(no, m, a, b) _mm512_mask_add_epi64(no, m, a, b)
#define OR_IF(v, m, w) _mm512_mask_or_epi64(v, m, v, w)

#define HAND(bits) (bits)
#define RUN _mm512_lzcnt_epi64
#define DROP(hand, n) _mm512_shldv_epi64(hand, ALL(-1), n)
#define DROP_IF(m, hand, n) _mm512_mask_shldv_epi64(hand, m, ALL(-1), n)
#define UNDER_IF(m, hand, pile, room) \
    _mm512_mask_and_epi64(hand, m, hand, _mm512_rolv_epi64(pile, room))
#define QUEUE_IF(m, queue, pile_queue, room) \
    _mm512_mask_or_epi64(queue, m, queue, _mm512_rolv_epi64(pile_queue, SHR(room, 24)))
#define PILE_PAID(pile, n) _mm512_sllv_epi64(pile, n)
#define PILE_NEXT(m, pile, laid, both) \
    OR(_mm512_mask_sllv_epi64(_mm512_sllv_epi64(pile, laid), m, ALL(-1), both), ALL(1))
#define PILE_QUEUE_NEXT(lays, takes, pile_queue, queue, value) \
    PICK(takes, value, _mm512_mask_shldi_epi64(pile_queue, lays, pile_queue, queue, 3))
#define NOT(v) _mm512_xor_epi64(v, ALL(-1))
#define PLAINS(hand) COUNT(NOT(hand))

#define PACK(to, bits, v) STORE(to, _mm512_maskz_compress_epi64((M)(bits), v))
#define SPREAD_T V
#define SPREAD(bits) \
    _mm512_maskz_expand_epi64((M)(bits), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0))
#define PLACE(m, spread, from, v) _mm512_mask_permutexvar_epi64(v, m, spread, LOAD(from))

#define COUNT_BITS(x) ((uint64_t)__builtin_popcountll(x))
#define VALUES(bits, penalties) bmn_values_bmi2(bits, penalties)

/* The values of the penalty cards, three bits each, the last card's lowest. */
static inline uint64_t bmn_values_bmi2(const uint64_t bits[3], uint64_t penalties)
{
    return _pdep_u64(_pext_u64(bits[0], penalties), BMN_THIRDS) |
           _pdep_u64(_pext_u64(bits[1], penalties), BMN_THIRDS << 1) |
           _pdep_u64(_pext_u64(bits[2], penalties), BMN_THIRDS << 2);
}

/* The next number of eight generators. */
static inline __m512i bmn_avx512_draw(__m512i *state)
{
    __m512i z = *state = ADD(*state, ALL(BMN_GOLDEN));
    z = _mm512_xor_epi64(z, SHR(z, 30));
    z = _mm512_mullo_epi64(z, ALL(0xBF58476D1CE4E5B9));
    z = _mm512_xor_epi64(z, SHR(z, 27));
    z = _mm512_mullo_epi64(z, ALL(0x94D049BB133111EB));
    return _mm512_xor_epi64(z, SHR(z, 31));
}

/* swaps[i] for i = size - 1 .. 1, of 64 seeds; return the deals with a swap out of range. */
static uint64_t bmn_avx512_swaps(uint64_t first_seed, int size, uint8_t swaps[64][64])
{
    const __m512i order = _mm512_set_epi64(49, 48, 33, 32, 17, 16, 1, 0);
    __m512i state[8], j[8];
    uint64_t bad = 0;
    for (int v = 0; v < 8; v++)
        state[v] = ADD(ALL(first_seed + 2 * v), order);
    for (int i = size - 1; i > 0; i--) {
        for (int v = 0; v < 8; v++)
            j[v] = _mm512_mul_epu32(SHR(bmn_avx512_draw(state + v), 32), ALL(i + 1));
        /* The upper halves, packed to bytes; the seeds' order above makes them ascend. */
        for (int v = 0; v < 8; v += 2)
            j[v / 2] = _mm512_castps_si512(_mm512_shuffle_ps(
                _mm512_castsi512_ps(j[v]), _mm512_castsi512_ps(j[v + 1]), 0xDD));
        __m512i packed = _mm512_packus_epi16(_mm512_packus_epi32(j[0], j[1]),
                                             _mm512_packus_epi32(j[2], j[3]));
        STORE(swaps[i], packed);
        bad |= _mm512_cmpgt_epu8_mask(packed, _mm512_set1_epi8((char)i));
    }
    return bad;
}

#define BMN_BLOCK 13 /* slots followed back at a time, in registers */

/* Follow the cards of a block of slots back through the swaps. */
static void bmn_avx512_follow(int slot, int size, const uint8_t swaps[64][64],
                              __m512i cards[BMN_BLOCK])
{
    const __m512i one = _mm512_set1_epi8(1);
    __m512i card[BMN_BLOCK], here = _mm512_set1_epi8((char)slot);
#pragma GCC unroll 16
    for (int k = 0; k < BMN_BLOCK; k++) {
        card[k] = LOAD(swaps[slot + k]);
#pragma GCC unroll 16
        for (int earlier = 0; earlier < k; earlier++)
            card[earlier] = _mm512_mask_mov_epi8(
                card[earlier], _mm512_cmpeq_epi8_mask(card[earlier], card[k]), here);
        here = _mm512_add_epi8(here, one);
    }
    for (int i = slot + BMN_BLOCK; i < size; i++) {
        const __m512i from = LOAD(swaps[i]);
#pragma GCC unroll 16
        for (int k = 0; k < BMN_BLOCK; k++)
            card[k] = _mm512_mask_mov_epi8(card[k], _mm512_cmpeq_epi8_mask(card[k], from), here);
        here = _mm512_add_epi8(here, one);
    }
    memcpy(cards, card, sizeof card);
}

/* Transpose 64 x 64 bytes. */
static void bmn_avx512_transpose(const uint8_t rows[64][64], uint8_t deals[64][64])
{
    __m512i part[4][16];
    for (int p = 0; p < 4; p++) {
        __m512i a[16], b[16];
        for (int r = 0; r < 16; r++)
            a[r] = LOAD(rows[16 * p + r]);
        for (int r = 0; r < 8; r++) {
            b[2 * r] = _mm512_unpacklo_epi8(a[r], a[r + 8]);
            b[2 * r + 1] = _mm512_unpackhi_epi8(a[r], a[r + 8]);
        }
        for (int r = 0; r < 8; r++) {
            a[2 * r] = _mm512_unpacklo_epi8(b[r], b[r + 8]);
            a[2 * r + 1] = _mm512_unpackhi_epi8(b[r], b[r + 8]);
        }
        for (int r = 0; r < 8; r++) {
            b[2 * r] = _mm512_unpacklo_epi8(a[r], a[r + 8]);
            b[2 * r + 1] = _mm512_unpackhi_epi8(a[r], a[r + 8]);
        }
        for (int r = 0; r < 8; r++) {
            part[p][2 * r] = _mm512_unpacklo_epi8(b[r], b[r + 8]);
            part[p][2 * r + 1] = _mm512_unpackhi_epi8(b[r], b[r + 8]);
        }
    }
    /* part[p][c] now has, in its quarter q, bytes 16 p .. 16 p + 15 of deal 16 q + c. */
    for (int c = 0; c < 16; c++) {
        const __m512i low0 = _mm512_shuffle_i64x2(part[0][c], part[1][c], 0x44);
        const __m512i high0 = _mm512_shuffle_i64x2(part[0][c], part[1][c], 0xEE);
        const __m512i low1 = _mm512_shuffle_i64x2(part[2][c], part[3][c], 0x44);
        const __m512i high1 = _mm512_shuffle_i64x2(part[2][c], part[3][c], 0xEE);
        STORE(deals[c], _mm512_shuffle_i64x2(low0, low1, 0x88));
        STORE(deals[16 + c], _mm512_shuffle_i64x2(low0, low1, 0xDD));
        STORE(deals[32 + c], _mm512_shuffle_i64x2(high0, high1, 0x88));
        STORE(deals[48 + c], _mm512_shuffle_i64x2(high0, high1, 0xDD));
    }
}

/* The three bits of every byte of a deal. */
static inline void bmn_avx512_bits(__m512i deal, uint64_t bits[3])
{
    bits[0] = _mm512_test_epi8_mask(deal, _mm512_set1_epi8(1));
    bits[1] = _mm512_test_epi8_mask(deal, _mm512_set1_epi8(2));
    bits[2] = _mm512_test_epi8_mask(deal, _mm512_set1_epi8(4));
}

/* A stated deal. */
static inline void bmn_avx512_read(const uint8_t *row, uint32_t size, uint64_t bits[3])
{
    uint8_t falling[64];
    for (int b = 0; b < 64; b++)
        falling[b] = (uint8_t)(63 - b);
    const __m512i cards = _mm512_maskz_loadu_epi8(~(~0ull << size), row);
    bmn_avx512_bits(_mm512_permutexvar_epi8(LOAD(falling), cards), bits);
}

/* The deals of 64 seeds; return those that are not a shuffled deck. */
static uint64_t bmn_avx512_shuffle(const bmn_job *job, uint64_t first_seed,
                                   uint64_t bits[BMN_DEALT][3])
{
    uint8_t swaps[64 + BMN_BLOCK][64], rows[64][64], deals[64][64], cards[64];
    const int size = (int)job->size;
    uint8_t numbers = 0, tokens = 0;
    /* A card's value, and five random bits above it: how the check tells cards apart. */
    for (uint32_t value = 0, c = 0; value < BMN_KINDS; value++)
        for (uint32_t n = 0; n < job->deck[value]; n++, c++)
            cards[c] = (uint8_t)(value | bmn_mix64(c) << 3);
    memset(cards + size, 0, 64 - job->size);
    for (int c = 0; c < size; c++) {
        numbers = (uint8_t)(numbers + c);
        tokens = (uint8_t)(tokens + cards[c]);
    }
    uint64_t bad = bmn_avx512_swaps(first_seed, size, swaps);
    memset(swaps[0], 0, 64);
    memset(swaps[size], 255, (64 + BMN_BLOCK - job->size) * 64);
    memset(rows, 0, sizeof rows);
    __m512i number_sum = _mm512_setzero_si512(), token_sum = _mm512_setzero_si512();
    const __m512i faces = LOAD(cards);
    for (int slot = 0; slot < size; slot += BMN_BLOCK) {
        __m512i card[BMN_BLOCK];
        bmn_avx512_follow(slot, size, swaps, card);
        for (int k = 0; k < BMN_BLOCK && slot + k < size; k++) {
            const int at = slot + k, hand = at & 1;
            const __m512i face = _mm512_permutexvar_epi8(card[k], faces);
            number_sum = _mm512_add_epi8(number_sum, card[k]);
            token_sum = _mm512_add_epi8(token_sum, face);
            STORE(rows[63 - (at / 2 + (hand ? (int)job->split : 0))], face);
        }
    }
    bad |= _mm512_cmpneq_epi8_mask(number_sum, _mm512_set1_epi8((char)numbers));
    bad |= _mm512_cmpneq_epi8_mask(token_sum, _mm512_set1_epi8((char)tokens));
    bmn_avx512_transpose(rows, deals);
    for (int g = 0; g < BMN_DEALT; g++)
        bmn_avx512_bits(LOAD(deals[g]), bits[g]);
    return bad;
}

#include "lanes.h"

static int bmn_avx512_supported(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vbmi") &&
           __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
}

#include "lanes_end.h"
#pragma GCC pop_options

#endif
