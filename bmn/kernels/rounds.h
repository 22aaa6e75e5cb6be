/* The rounds of the fast kernels: deal, play some steps, look which games have ended, again.
 *
 * Included once per instruction set, after lanes.h and deals.h.
 *
 *   pool ---place--> lanes ---retire--> tray ---> sink
 *     ^                |  ^
 *    deal             steps
 *
 * Invariants
 *  - A lane that holds no game, or one that has ended, is frozen: a step does not change it.
 *  - A game that may reach the cap within a round makes the round one step long, so that it is
 *    stopped in the very step that resolves the cap-th trick (and begins another).
 */

/* Games on the way to the sink. */
typedef struct {
    uint64_t tag[BMN_TRAY + (VECTORS + 1) * LANES], result[BMN_TRAY + (VECTORS + 1) * LANES];
    unsigned count;
} NAME(tray);

static void NAME(empty_tray)(NAME(tray) *tray, bmn_sink *sink)
{
    for (unsigned i = 0; i < tray->count; i++) {
        uint64_t result = tray->result[i];
        bmn_game game = {
            .tag = tray->tag[i],
            .card_plays = (uint32_t)result,
            .tricks = result >> 32 & BMN_TRICKS,
            .winner = (result & BMN_SECOND) != 0,
            .ending = result >> BMN_ENDING & 3,
            .violation = (result & BMN_BROKEN) != 0,
        };
        bmn_take(sink, &game);
    }
    tray->count = 0;
}

/* What goes with the games of one vector but takes no part in a step. */
typedef struct {
    V tag, census;
    unsigned busy;   /* lanes that hold a game */
    unsigned struck; /* lanes whose injected fault has happened */
} NAME(labels);

/* Put the games that ended on the tray. */
INLINE void NAME(retire)(NAME(games) *g, NAME(labels) *l, NAME(tray) *tray, const bmn_job *job)
{
    unsigned alive = BITS(NAME(alive)(g));
    unsigned capped = l->busy & BITS(MORE(g->total, ALL((uint64_t)job->cap << 32 | UINT32_MAX)));
    unsigned ended = l->busy & (~alive | capped);
    if (!ended)
        return;
    M broken = NAME(broken)(g, l->census, 1);
    V result = SUB(g->total, ALL(1)); /* what the loser laid last was no card */
    M alone = SAME(AND(g->payer_room, ALL(127)), ALL(64 - job->size)); /* one card in the pile */
    result = OR_IF(alone, result, ALL((uint64_t)BMN_CAPTURE << BMN_ENDING));
    result = OR(result, SHL(AND(g->payer_room, ALL(BMN_SECOND_ROOM)), 42));
    if (__builtin_expect(capped != 0, 0)) {
        /* The last step resolved the cap-th trick, and has begun another. */
        V pile = SUB(ADD(g->payer_room, g->other_room), ALL(126 - job->size));
        V card_plays = AND(SUB(g->total, AND(pile, ALL(127))), ALL(UINT32_MAX));
        uint64_t flags = (uint64_t)job->cap << 32 | (uint64_t)BMN_CAPPED << BMN_ENDING;
        result = PICK(MASK(capped), OR(card_plays, ALL(flags)), result);
        const unsigned midway = BITS(NAME(broken)(g, l->census, 0));
        broken = MASK((BITS(broken) & ~alive) | (midway & alive));
    }
    result = OR_IF(broken, result, ALL(BMN_BROKEN));
    PACK(tray->tag + tray->count, ended, l->tag);
    PACK(tray->result + tray->count, ended, result);
    tray->count += (unsigned)__builtin_popcount(ended);
    l->busy &= ~ended;
}

/* Give new deals to the lanes that hold no game. */
INLINE void NAME(place)(NAME(games) *g, NAME(labels) *l, bmn_pool *pool)
{
    unsigned free = ~l->busy & ((1u << LANES) - 1);
    while ((unsigned)__builtin_popcount(free) > pool->end - pool->at)
        free &= free - 1;
    const M in = MASK(free);
    const V spread = SPREAD(free);
    const unsigned at = pool->at;
    g->payer = PLACE(in, spread, pool->second + at, g->payer);
    g->other = PLACE(in, spread, pool->first + at, g->other);
    g->payer_queue = PLACE(in, spread, pool->second_queue + at, g->payer_queue);
    g->other_queue = PLACE(in, spread, pool->first_queue + at, g->other_queue);
    g->payer_room = PLACE(in, spread, pool->second_room + at, g->payer_room);
    g->other_room = PLACE(in, spread, pool->first_room + at, g->other_room);
    l->tag = PLACE(in, spread, pool->tag + at, l->tag);
    l->census = PLACE(in, spread, pool->census + at, l->census);
    g->rooms = PICK(in, ADD(ADD(g->payer_room, g->other_room), ALL(1)), g->rooms);
    g->pile = PICK(in, ALL(~0ull), g->pile);
    g->pile_queue = PICK(in, ALL(0), g->pile_queue);
    g->total = PICK(in, ALL(0), g->total);
    pool->at += (unsigned)__builtin_popcount(free);
    l->busy |= free;
    l->struck &= ~free;
}

/* For tests: flip one bit of the cards or the values of each game once, in one of its first
 * rounds or, at the latest, when it has ended. */
static void NAME(strike)(NAME(games) *g, NAME(labels) *l, const bmn_job *job)
{
    enum { PAYER, OTHER, PAYER_QUEUE, OTHER_QUEUE, PILE, PILE_QUEUE, WORDS };
    V *const live[WORDS] = {&g->payer,       &g->other, &g->payer_queue,
                            &g->other_queue, &g->pile,  &g->pile_queue};
    uint64_t words[WORDS][LANES], payer_room[LANES], other_room[LANES], tag[LANES], total[LANES];
    uint64_t census[LANES];
    for (unsigned w = 0; w < WORDS; w++)
        STORE(words[w], *live[w]);
    STORE(payer_room, g->payer_room);
    STORE(other_room, g->other_room);
    STORE(tag, l->tag);
    STORE(total, g->total);
    STORE(census, l->census);
    const unsigned alive = BITS(NAME(alive)(g));
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint64_t random = bmn_fault_of(job->fault, tag[lane]);
        const unsigned ended = ~alive >> lane & 1;
        const unsigned wait = bmn_mix64(random + total[lane]) & 3;
        if (!(l->busy >> lane & 1) || l->struck >> lane & 1 || bmn_fault_in_deal(random) ||
            (wait && !ended))
            continue;
        l->struck |= 1u << lane;
        /* How many bits of each word mean something, and where they begin. What the loser laid
         * last is no card and has no value. */
        const unsigned all = job->size - (census[lane] & 255);
        unsigned bits[WORDS] = {0}, low[WORDS] = {0};
        bits[PAYER] = 63 - (payer_room[lane] & 127);
        bits[OTHER] = ended ? 0 : 63 - (other_room[lane] & 127);
        bits[PAYER_QUEUE] = 64 - (payer_room[lane] >> 24 & 127);
        bits[OTHER_QUEUE] = ended ? 0 : 64 - (other_room[lane] >> 24 & 127);
        bits[PILE] = job->size - bits[PAYER] - bits[OTHER];
        bits[PILE_QUEUE] = 3 * all - bits[PAYER_QUEUE] - bits[OTHER_QUEUE];
        for (unsigned w = PAYER; w <= OTHER_QUEUE; w++)
            low[w] = 64 - bits[w];
        low[PILE] = ended;
        low[PILE_QUEUE] = 3 * ended;
        unsigned n = (unsigned)((random >> 8) % (job->size + 3 * all)), w = 0;
        while (n >= bits[w])
            n -= bits[w++];
        words[w][lane] ^= 1ull << (low[w] + n);
    }
    for (unsigned w = 0; w < WORDS; w++)
        *live[w] = LOAD(words[w]);
}

/* Play every deal of the job. */
INLINE int NAME(play)(const bmn_job *job, bmn_sink *sink, const int faulty)
{
    NAME(games) games[VECTORS];
    NAME(labels) labels[VECTORS];
    NAME(tray) tray;
    bmn_pool pool;
    bmn_board board;
    /* A game with as many tricks might reach the cap within a round. */
    const uint64_t late = job->cap > STEPS ? (job->cap - STEPS + 1ull) << 32 : 0;
    if (bmn_board_open(&board, job))
        return -1;
    memset(games, 0, sizeof games);
    memset(labels, 0, sizeof labels);
    memset(&pool, 0, sizeof pool);
    tray.count = 0;
    for (unsigned busy = 1; busy;) {
        unsigned rush = busy = 0;
        while (pool.end - pool.at < VECTORS * LANES && pool.next < job->deals)
            NAME(deal)(job, &pool, &board, sink, faulty);
#pragma GCC unroll 4
        for (unsigned u = 0; u < VECTORS; u++) {
            if (faulty)
                NAME(strike)(games + u, labels + u, job);
            NAME(retire)(games + u, labels + u, &tray, job);
            NAME(place)(games + u, labels + u, &pool);
            rush |= labels[u].busy & BITS(MORE(games[u].total, ALL(late - 1)));
            busy |= labels[u].busy;
        }
        if (tray.count >= BMN_TRAY)
            NAME(empty_tray)(&tray, sink);
        for (unsigned n = rush ? 1 : STEPS; n > 0; n--)
#pragma GCC unroll 4
            for (unsigned u = 0; u < VECTORS; u++)
                NAME(step)(games + u);
    }
    NAME(empty_tray)(&tray, sink);
    bmn_board_close(&board);
    return 0;
}

static int NAME(run)(const bmn_job *job, bmn_sink *sink)
{
    if (!bmn_fits(job, MOST_PLAIN))
        return bmn_plain_run(job, sink);
    return job->fault ? NAME(play)(job, sink, 1) : NAME(play)(job, sink, 0);
}
