/* The vector dealer: many deals at once, a byte of a vector each.
 *
 * Included once per instruction set, which defines the vector BYTES of WIDTH bytes besides the
 * operations of lanes.h.
 *
 *   swaps[i]   j of the shuffle's swap i <-> j, a byte a deal
 *   rows[b]    byte b of every deal, a byte a deal
 *      | transposed
 *   deals[g]   byte b of deal g: the card at bit b of words.h
 *
 * The shuffle without a swap in memory: what ends in slot k is followed back. It came there by
 * swap k, from j_k (in slot 0, it was there), and the earlier swaps i = k + 1, k + 2, ... moved
 * it only if it was in j_i, where it then had come from slot i. The slot where that ends is the
 * number of the card.
 *
 * Invariants, checked for every deal: j <= i; the numbers of the cards in the slots have the sum
 * that each card once gives, and so have the five random bits that each card carries along.
 */

#define BMN_BLOCK 13 /* slots followed back at a time, in registers */

/* The next number of as many generators as there are lanes. */
INLINE V NAME(draw)(V *state)
{
    V z = *state = ADD(*state, ALL(BMN_GOLDEN));
    z = TIMES(XOR(z, SHR(z, 30)), 0xBF58476D1CE4E5B9u);
    z = TIMES(XOR(z, SHR(z, 27)), 0x94D049BB133111EBu);
    return XOR(z, SHR(z, 31));
}

/* swaps[i] for i = size - 1 .. 1; return the deals with a swap out of range. */
static uint64_t NAME(swaps)(uint64_t first_seed, int size, uint8_t swaps[][WIDTH])
{
    V state[8], j[8];
    uint64_t bad = 0;
    /* PACK_HIGH puts two lanes of each vector side by side: seeds in this order come out
     * ascending. */
    for (int v = 0; v < 8; v++) {
        uint64_t seeds[LANES];
        for (int lane = 0; lane < LANES; lane++)
            seeds[lane] = first_seed + (uint64_t)(lane / 2 * 16 + 2 * v + lane % 2);
        state[v] = LOAD(seeds);
    }
    for (int i = size - 1; i > 0; i--) {
        for (int v = 0; v < 8; v++)
            j[v] = TIMES32(SHR(NAME(draw)(state + v), 32), i + 1);
        const BYTES packed = PACK_HIGH(j);
        STORE(swaps[i], packed);
        bad |= BYTES_DIFFER(BYTES_MIN(packed, BYTES_ALL(i)), packed);
    }
    return bad;
}

/* Follow the cards of a block of slots back through the swaps. */
static void NAME(follow)(int slot, int size, const uint8_t swaps[][WIDTH], BYTES cards[BMN_BLOCK])
{
    BYTES card[BMN_BLOCK], here = BYTES_ALL(slot);
#pragma GCC unroll 16
    for (int k = 0; k < BMN_BLOCK; k++) {
        card[k] = LOAD(swaps[slot + k]);
#pragma GCC unroll 16
        for (int earlier = 0; earlier < k; earlier++)
            card[earlier] = BYTES_REPLACE(card[earlier], card[k], here);
        here = BYTES_ADD(here, BYTES_ALL(1));
    }
    for (int i = slot + BMN_BLOCK; i < size; i++) {
        const BYTES from = LOAD(swaps[i]);
#pragma GCC unroll 16
        for (int k = 0; k < BMN_BLOCK; k++)
            card[k] = BYTES_REPLACE(card[k], from, here);
        here = BYTES_ADD(here, BYTES_ALL(1));
    }
    memcpy(cards, card, sizeof card);
}

/* Transpose 64 rows of a byte a deal into a row of 64 bytes for each deal. */
static void NAME(transpose)(const uint8_t rows[64][WIDTH], uint8_t deals[WIDTH][64])
{
    for (int part = 0; part < 64; part += 16) {
        BYTES a[16], b[16];
#pragma GCC unroll 16
        for (int r = 0; r < 16; r++)
            a[r] = LOAD(rows[part + r]);
#pragma GCC unroll 4
        for (int round = 0; round < 4; round++) {
#pragma GCC unroll 8
            for (int r = 0; r < 8; r++) {
                b[2 * r] = BYTES_LOW(a[r], a[r + 8]);
                b[2 * r + 1] = BYTES_HIGH(a[r], a[r + 8]);
            }
            memcpy(a, b, sizeof a);
        }
        /* Each 16 bytes of a[r] are now bytes part .. part + 15 of a deal. */
#pragma GCC unroll 16
        for (int r = 0; r < 16; r++)
            STORE_QUARTERS(deals, r, part, a[r]);
    }
}

/* A deck to shuffle, with what checks it. */
typedef struct {
    uint8_t cards[64]; /* a card's value, and above it five random bits to tell it by */
    uint8_t numbers, tokens;
} NAME(deck);

static void NAME(open_deck)(NAME(deck) *deck, const bmn_job *job)
{
    memset(deck, 0, sizeof *deck);
    for (uint32_t value = 0, c = 0; value < BMN_KINDS; value++)
        for (uint32_t n = 0; n < job->deck[value]; n++, c++) {
            deck->cards[c] = (uint8_t)(value | bmn_mix64(c) << 3);
            deck->numbers = (uint8_t)(deck->numbers + c);
            deck->tokens = (uint8_t)(deck->tokens + deck->cards[c]);
        }
}

/* The deals of WIDTH seeds; return those that are not a shuffled deck. */
static uint64_t NAME(shuffle_some)(const bmn_job *job, const NAME(deck) *deck, uint64_t first_seed,
                                   uint64_t bits[3][BMN_DEALT], unsigned at)
{
    uint8_t swaps[64 + BMN_BLOCK][WIDTH], rows[64][WIDTH], deals[WIDTH][64];
    const int size = (int)job->size;
    uint64_t bad = NAME(swaps)(first_seed, size, swaps);
    memset(swaps[0], 0, WIDTH);
    memset(swaps[size], 255, sizeof swaps - (size_t)size * WIDTH); /* no slots: never followed */
    memset(rows, 0, sizeof rows);
    BYTES numbers = BYTES_ALL(0), tokens = BYTES_ALL(0);
    for (int slot = 0; slot < size; slot += BMN_BLOCK) {
        BYTES card[BMN_BLOCK];
        NAME(follow)(slot, size, swaps, card);
        for (int k = 0; k < BMN_BLOCK && slot + k < size; k++) {
            const int at = slot + k;
            const BYTES face = BYTES_LOOKUP(deck->cards, card[k]);
            numbers = BYTES_ADD(numbers, card[k]);
            tokens = BYTES_ADD(tokens, face);
            STORE(rows[63 - (at / 2 + (at & 1 ? (int)job->split : 0))], face);
        }
    }
    bad |= BYTES_DIFFER(numbers, BYTES_ALL(deck->numbers));
    bad |= BYTES_DIFFER(tokens, BYTES_ALL(deck->tokens));
    NAME(transpose)(rows, deals);
    for (int g = 0; g < WIDTH; g++)
        NAME(bits)(deals[g], bits, at + (unsigned)g);
    return bad;
}

/* The deals of 64 seeds; return those that are not a shuffled deck. */
static uint64_t NAME(shuffle)(const bmn_job *job, uint64_t first_seed,
                              uint64_t bits[3][BMN_DEALT])
{
    NAME(deck) deck;
    uint64_t bad = 0;
    NAME(open_deck)(&deck, job);
    for (int g = 0; g < BMN_DEALT; g += WIDTH)
        bad |= NAME(shuffle_some)(job, &deck, first_seed + (uint64_t)g, bits, (unsigned)g) << g;
    return bad;
}
