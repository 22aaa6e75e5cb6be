/* From the bits of deals (words.h) to what a lane is given: the deals of a job enter the pool.
 *
 * Included once per instruction set, after lanes.h.
 *
 * Invariant: a deal that does not fit words is not lost; it is played card by card, at once.
 */

/* For tests: flip one bit of some deals. */
static void NAME(spoil)(const bmn_job *job, uint64_t tag, uint64_t bits[3][BMN_DEALT], unsigned i)
{
    const uint64_t random = bmn_fault_of(job->fault, tag);
    if (bmn_fault_in_deal(random))
        bits[random % 3][i] ^= 1ull << (63 - (random >> 8) % job->size);
}

/* The census of a vector of deals. */
INLINE V NAME(bits_census)(uint64_t bits[3][BMN_DEALT], unsigned i, uint32_t size)
{
    const V low = LOAD(bits[0] + i), middle = LOAD(bits[1] + i), high = LOAD(bits[2] + i);
    const V penalties = COUNT(OR(OR(low, middle), high));
    return NAME(census)(SUB(ALL(size), penalties), low, middle, high);
}

/* Put deals of a vector into the pool, those in `keep`. */
INLINE void NAME(pack)(const bmn_job *job, bmn_pool *pool, unsigned keep, V census, V penalties,
                       V queue, V tag)
{
    const uint64_t ones = ~0ull;
    const uint32_t first = job->split, second = job->size - first, end = pool->end;
    const V top = AND(penalties, ALL(~(ones >> first)));
    const V bottom = SHLV(penalties, ALL(first));
    /* Three bits for each value. */
    V firsts = COUNT(top), seconds = COUNT(bottom);
    firsts = ADD(firsts, SHL(firsts, 1));
    seconds = ADD(seconds, SHL(seconds, 1));
    const V firsts_mask = SHLV(ALL(~1ull), SUB(ALL(63), firsts));
    PACK(pool->first + end, keep, HAND(OR(top, ALL(ones >> first))));
    PACK(pool->second + end, keep, HAND(OR(bottom, ALL(ones >> second))));
    PACK(pool->first_queue + end, keep, AND(queue, firsts_mask));
    PACK(pool->second_queue + end, keep, SHLV(queue, firsts));
    PACK(pool->first_room + end, keep, SUB(ALL(BMN_EMPTY_ROOM - first), SHL(firsts, 24)));
    PACK(pool->second_room + end, keep, SUB(ALL(BMN_SECOND_ROOM + BMN_EMPTY_ROOM - second), SHL(seconds, 24)));
    PACK(pool->tag + end, keep, tag);
    PACK(pool->census + end, keep, census);
    pool->end += (unsigned)__builtin_popcount(keep);
}

/* Deal the next deals of the job. */
static __attribute__((noinline)) void NAME(deal)(const bmn_job *job, bmn_pool *pool,
                                                 bmn_board *board, bmn_sink *sink,
                                                 const int faulty)
{
    const uint64_t tag = job->first_seed + pool->next, left = job->deals - pool->next;
    const unsigned n = left < BMN_DEALT ? (unsigned)left : BMN_DEALT;
    const V deck = ALL(bmn_deck_census(job->deck));
    uint64_t bits[3][BMN_DEALT] = {{0}}, bad = 0;
    if (job->stated)
        for (unsigned i = 0; i < n; i++)
            NAME(read)(job->stated + (pool->next + i) * job->size, job->size, bits, i);
    else
        bad = NAME(shuffle)(job, tag, bits);
    pool->next += n;
    bmn_pool_pack(pool);
    for (unsigned i = 0; i < n; i += LANES, bad >>= LANES) {
        const V wanted = job->stated ? NAME(bits_census)(bits, i, job->size) : deck;
        uint64_t queues[LANES], tags[LANES];
        for (unsigned lane = 0, at = i; lane < LANES; lane++, at++) {
            tags[lane] = tag + at;
            if (faulty)
                NAME(spoil)(job, tag + at, bits, at);
            queues[lane] = QUEUE(bits[0][at], bits[1][at], bits[2][at]);
        }
        const V census = NAME(bits_census)(bits, i, job->size), plain = AND(wanted, ALL(255));
        const M wrong = OR_M(DIFFER(census, wanted), MASK(bad & ((1u << LANES) - 1)));
        const M misfit = OR_M(MORE(plain, ALL(MOST_PLAIN)),
                              LESS(ADD(plain, ALL(BMN_MOST_PENALTIES)), ALL(job->size)));
        unsigned keep = n - i < LANES ? (1u << (n - i)) - 1 : (1u << LANES) - 1;
        for (unsigned alone = keep & BITS(misfit); alone; alone &= alone - 1)
            bmn_plain_deal(board, job, tag + i + (unsigned)__builtin_ctz(alone), sink, faulty);
        keep &= ~BITS(misfit);
        const V penalties = OR(OR(LOAD(bits[0] + i), LOAD(bits[1] + i)), LOAD(bits[2] + i));
        NAME(pack)(job, pool, keep, PICK(wrong, ALL(BMN_NO_CENSUS), census), penalties,
                   LOAD(queues), LOAD(tags));
    }
}
