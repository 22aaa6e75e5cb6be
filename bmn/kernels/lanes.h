/* The fast kernels: many games at once, and one penalty card, not one card, a step.
 *
 * Included once per instruction set, which defines the vector V of LANES 64-bit words, the
 * mask M of as many truths, and the operations on them; every lane plays its own game.
 *
 *   hand    0 0 1 0 0 0 1 1 0 . . .    top card at bit 63: 0 plain, 1 penalty; below the last
 *           ^-^ run = 2                card the fill. (The picture is of AVX-512, filled with
 *                                      ones; others keep the complement, filled with zeros.)
 *   queue   [A][J][Q] 0 0 . . .        values of the hand's penalty cards, three bits each,
 *                                      the next one at bits 63..61
 *   room    64 - cards | (64 - 3 penalties) << 24
 *                                      where the next card, the next value goes under the hand
 *   pile    . . . 0 0 1 0 0 0 1        the newest card at bit 0
 *   pile_queue  . . . [A][J]           the newest value at bits 2..0
 *   total   card plays | tricks << 32
 *
 * Plain cards between two penalty cards are only a number, `run`, and a shift moves them all.
 * In a step the payer, who owes `owed` cards, either lays the next penalty card (run < owed) and
 * the roles change; or meets the debt, and then the other player takes the pile, leads, and
 * whoever comes to a penalty card first lays it. A new game is a met debt of no cards.
 *
 * The fill reads as one more penalty card, of no value. A player who must play and has no card
 * lays it: the queue of the player who laid last is then empty, and that ends the game.
 *
 * Invariants, checked for every deal when its game ends
 *  - The winner's hand and the pile hold the plain cards of the deal and its penalty values.
 *  - The winner's room agrees with the cards and the values of the winner's hand.
 * Sizes: at most 62 cards, 20 of them penalty cards, and MOST_PLAIN plain ones.
 */


typedef struct {
    V payer, other; /* hands: of who must play, and of who laid the last penalty card */
    V payer_queue, other_queue;
    V payer_room, other_room, rooms; /* rooms: of both hands together, with an empty pile */
    V pile, pile_queue;
    V owed, run, total;
    M payer_second; /* the payer is the player who did not lead first */
    M alive;
} NAME(games);

INLINE void NAME(step)(NAME(games) *g)
{
    const V run = g->run, owed = g->owed;
    const M lays = LESS_IF(g->alive, run, owed);
    const M takes = AND_NOT(g->alive, lays);
    const V laid = PICK(lays, ADD(run, ALL(1)), ONLY(takes, owed));

    /* If the debt is met, the pile goes under the other hand ... */
    const V room = SUB(g->rooms, ADD(g->payer_room, owed));
    V other = UNDER_IF(takes, g->other, PILE_PAID(g->pile, owed), room);
    const V other_queue = QUEUE_IF(takes, g->other_queue, g->pile_queue, room);
    /* ... whose player leads a new trick, up to its first penalty card. */
    const V lead = RUN(other), left = SUB(run, owed);
    const M follows = LESS_IF(takes, left, lead);
    const V by_leader = ADD(MIN(lead, left), ALL(1));
    const V by_follower = MIN(lead, ADD(left, ALL(1)));
    const V both = ADD(by_leader, by_follower);
    const V by_payer = ADD_IF(takes, laid, by_follower);
    const V other_room = PICK(takes, ADD(room, by_leader), g->other_room);
    const V pile = PILE_LED(takes, PILE_LAID(g->pile, laid), both);
    const V total = ADD(g->total, laid);
    other = DROP_IF(takes, other, by_leader);

    /* Whoever laid the penalty card now is the other one. */
    const M turns = OR_M(lays, follows);
    const V payer = DROP(g->payer, by_payer);
    const V payer_room = ADD(g->payer_room, by_payer);
    const V queue = PICK(turns, g->payer_queue, other_queue);
    g->payer_second = XOR_M(g->payer_second, turns);
    g->payer = PICK(turns, other, payer);
    g->other = PICK(turns, payer, other);
    g->payer_room = PICK(turns, other_room, payer_room);
    g->other_room = ADD(PICK(turns, payer_room, other_room), ALL(BMN_VALUE_ROOM));
    g->payer_queue = PICK(turns, other_queue, g->payer_queue);
    g->other_queue = SHL(queue, 3);
    g->owed = SHR(queue, 61);
    g->pile = OR(pile, ALL(1));
    g->pile_queue = PILE_QUEUE_NEXT(g->alive, lays, takes, g->pile_queue, queue, g->owed);
    g->total = ADD_IF(takes, total, ADD(both, ALL(BMN_TRICK)));
    g->run = RUN(g->payer);
    g->alive = LESS(AND(g->other_room, ALL(127)), ALL(65));
}

/* How many cards of each kind: the census (words.h) of plain cards and of values. */
INLINE V NAME(census)(V plain, V values)
{
    const V thirds = ALL(BMN_THIRDS);
    V low = AND(values, thirds);
    V middle = AND(SHR(values, 1), thirds);
    V high = AND(SHR(values, 2), thirds);
    V kinds = ADD(plain, SHL(COUNT(low), 8));
    kinds = ADD(kinds, SHL(COUNT(middle), 16));
    kinds = ADD(kinds, SHL(COUNT(AND(low, middle)), 24));
    return ADD(kinds, SHL(COUNT(high), 32));
}

/* The room a hand leaves, by its cards. */
INLINE V NAME(room)(V plain, V queue)
{
    V held = OR(OR(queue, SHR(queue, 1)), SHR(queue, 2));
    held = COUNT(AND(held, ALL(BMN_THIRDS)));
    return SUB(ALL(BMN_EMPTY_ROOM), ADD(ADD(plain, held), ADD(SHL(held, 24), SHL(held, 25))));
}

/* Lanes whose cards are not those of the deal, or not where they should be; `ended`: all of
 * them should be in the winner's hand and the pile. */
INLINE M NAME(broken)(const NAME(games) *g, V census, int ended)
{
    V plain = PLAINS(g->payer), queue = SHR(g->payer_queue, 1);
    V found = NAME(census)(ADD(plain, COUNT(NOT(g->pile))), ADD(queue, g->pile_queue));
    M bad = DIFFER(NAME(room)(plain, queue), g->payer_room);
    if (!ended) {
        plain = PLAINS(g->other), queue = SHR(g->other_queue, 1);
        found = ADD(found, NAME(census)(plain, queue));
        bad = OR_M(bad, DIFFER(NAME(room)(plain, queue), g->other_room));
    }
    return OR_M(bad, DIFFER(found, census));
}

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
            .winner = (result & BMN_SECOND_WINS) != 0,
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
    unsigned alive = BITS(g->alive);
    unsigned capped = l->busy & BITS(MORE(g->total, ALL((uint64_t)job->cap << 32 | UINT32_MAX)));
    unsigned ended = l->busy & (~alive | capped);
    if (!ended)
        return;
    M broken = NAME(broken)(g, l->census, 1);
    V result = SUB(g->total, ALL(1)); /* what the loser laid last was no card */
    M alone = SAME(AND(g->payer_room, ALL(127)), ALL(65 - job->size)); /* one card in the pile */
    result = OR_IF(alone, result, ALL((uint64_t)BMN_CAPTURE << BMN_ENDING));
    result = OR_IF(g->payer_second, result, ALL(BMN_SECOND_WINS));
    if (__builtin_expect(capped != 0, 0)) {
        /* The last step resolved the cap-th trick, and has begun another. */
        V pile = SUB(ADD(g->payer_room, g->other_room), ALL(128 - job->size));
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
    g->rooms = PICK(in, ADD(g->payer_room, g->other_room), g->rooms);
    g->pile = PICK(in, ALL(~0ull), g->pile);
    g->pile_queue = PICK(in, ALL(0), g->pile_queue);
    g->owed = PICK(in, ALL(0), g->owed);
    g->total = PICK(in, ALL(0), g->total);
    g->run = RUN(g->payer);
    g->payer_second = OR_M(g->payer_second, in);
    g->alive = OR_M(g->alive, in);
    pool->at += (unsigned)__builtin_popcount(free);
    l->busy |= free;
    l->struck &= ~free;
}

/* Write a deal of bits into the pool. */
INLINE void NAME(pack)(bmn_pool *pool, const uint64_t bits[3], const bmn_job *job)
{
    const unsigned at = pool->end++;
    const uint64_t ones = ~0ull, penalties = bits[0] | bits[1] | bits[2];
    const uint64_t top = ~(ones >> job->split);
    const unsigned all = (unsigned)COUNT_BITS(penalties);
    const unsigned first = (unsigned)COUNT_BITS(penalties & top);
    const uint64_t queue = QUEUE(bits, penalties);
    pool->first[at] = HAND((penalties & top) | ones >> job->split);
    pool->second[at] = HAND(penalties << job->split | ones >> (job->size - job->split));
    pool->first_queue[at] = queue & ~(ones >> 3 * first);
    pool->second_queue[at] = queue << 3 * first;
    pool->first_room[at] = BMN_EMPTY_ROOM - job->split - (uint64_t)first * BMN_VALUE_ROOM;
    pool->second_room[at] =
        BMN_EMPTY_ROOM - (job->size - job->split) - (uint64_t)(all - first) * BMN_VALUE_ROOM;
}

INLINE uint64_t NAME(bits_census)(const uint64_t bits[3], uint32_t size)
{
    const uint64_t plain = size - COUNT_BITS(bits[0] | bits[1] | bits[2]);
    return plain | COUNT_BITS(bits[0]) << 8 | COUNT_BITS(bits[1]) << 16 |
           COUNT_BITS(bits[0] & bits[1]) << 24 | COUNT_BITS(bits[2]) << 32;
}

/* Deal the next deals of the job into the pool; one that does not fit is played at once. */
static __attribute__((noinline)) void NAME(deal)(const bmn_job *job, bmn_pool *pool, bmn_board *board, bmn_sink *sink,
                       const int faulty)
{
    uint64_t bits[BMN_DEALT][3], bad = 0, next = pool->next;
    const unsigned n = job->deals - next < BMN_DEALT ? (unsigned)(job->deals - next) : BMN_DEALT;
    const uint64_t deck = bmn_deck_census(job->deck);
    if (!job->stated)
        bad = NAME(shuffle)(job, job->first_seed + next, bits);
    bmn_pool_pack(pool);
    for (unsigned i = 0; i < n; i++) {
        const uint64_t tag = job->first_seed + next + i;
        if (job->stated)
            NAME(read)(job->stated + (next + i) * job->size, job->size, bits[i]);
        uint64_t census = NAME(bits_census)(bits[i], job->size);
        if (job->stated) {
            const uint32_t plain = census & 255;
            if (plain > MOST_PLAIN || job->size - plain > BMN_MOST_PENALTIES) {
                bmn_plain_deal(board, job, tag, sink, faulty);
                continue;
            }
        }
        if (faulty) {
            const uint64_t random = bmn_fault_of(job->fault, tag);
            if (bmn_fault_in_deal(random)) {
                bits[i][random % 3] ^= 1ull << (63 - (random >> 8) % job->size);
                if (!job->stated)
                    census = NAME(bits_census)(bits[i], job->size);
            }
        }
        if (!job->stated && (bad >> i & 1 || census != deck))
            census = BMN_NO_CENSUS;
        pool->tag[pool->end] = tag;
        pool->census[pool->end] = census;
        NAME(pack)(pool, bits[i], job);
    }
    pool->next += n;
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
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint64_t random = bmn_fault_of(job->fault, tag[lane]);
        const unsigned ended = ~BITS(g->alive) >> lane & 1;
        const unsigned wait = bmn_mix64(random + total[lane]) & 3;
        if (!(l->busy >> lane & 1) || l->struck >> lane & 1 || bmn_fault_in_deal(random) ||
            (wait && !ended))
            continue;
        l->struck |= 1u << lane;
        /* How many bits of each word mean something, and where they begin. What the loser laid
         * last is no card and has no value. */
        const unsigned all = job->size - (census[lane] & 255);
        unsigned bits[WORDS] = {0}, low[WORDS] = {0};
        bits[PAYER] = 64 - (payer_room[lane] & 127);
        bits[OTHER] = ended ? 0 : 64 - (other_room[lane] & 127);
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
    g->run = RUN(g->payer);
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
