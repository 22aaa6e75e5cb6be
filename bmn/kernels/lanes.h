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
    V total;
} NAME(games);

/* Lanes whose game goes on: nobody has laid the fill, and so overdrawn his hand. */
INLINE M NAME(alive)(const NAME(games) *g)
{
    return SOME(g->other_room, 63);
}

INLINE void NAME(step)(NAME(games) *g)
{
    const V run = RUN(g->payer), owed = AND(g->pile_queue, ALL(7)), left = SUB(run, owed);
    const M alive = NAME(alive)(g);
    const M lays = LESS_IF(alive, run, owed);
    const M takes = AND_NOT(alive, lays);
    const V laid = PICK(lays, ADD(run, ALL(1)), ONLY(takes, owed));

    /* If the debt is met, the pile goes under the other hand ... */
    const V room = SUB(g->rooms, ADD(g->payer_room, owed));
    const V won = UNDER_IF(takes, g->other, PILE_PAID(g->pile, owed), room);
    const V other_queue = QUEUE_IF(takes, g->other_queue, g->pile_queue, room);
    /* ... whose player leads a new trick, up to its first penalty card. */
    const V lead = RUN(won), plain = MIN(lead, left);
    const M follows = LESS_IF(takes, left, lead);
    const V by_leader = ADD(plain, ALL(1));
    const V by_follower = MIN(lead, ADD(left, ALL(1)));
    const V both = ADD(by_leader, by_follower);

    const V by_payer = ADD_IF(takes, laid, by_follower);
    const V payer = DROP(g->payer, by_payer);
    const V payer_room = ADD(g->payer_room, by_payer);
    const V other = DROP_IF(takes, won, by_leader);
    const V other_room = PICK(takes, ADD(room, plain), g->other_room);
    const V pile = PILE_LED(takes, PILE_LAID(g->pile, laid), both);

    /* Whoever laid the penalty card now is the other one. */
    const M turns = OR_M(lays, follows);
    const V queue = PICK(turns, g->payer_queue, other_queue);
    g->payer = PICK(turns, other, payer);
    g->other = PICK(turns, payer, other);
    g->payer_room = PICK(turns, other_room, payer_room);
    g->other_room = ADD(PICK(turns, payer_room, other_room), ALL(BMN_VALUE_ROOM));
    g->payer_queue = PICK(turns, other_queue, g->payer_queue);
    g->other_queue = SHL(queue, 3);
    g->pile = OR(pile, ALL(1));
    g->pile_queue = PILE_QUEUE_NEXT(alive, lays, takes, g->pile_queue, queue);
    g->total = ADD_IF(takes, ADD(g->total, laid), ADD(both, ALL(BMN_TRICK)));
}

/* How many cards of each kind (words.h), from the plain ones and the bits of the values. */
INLINE V NAME(census)(V plain, V low, V middle, V high)
{
    V kinds = ADD(plain, SHL(COUNT(low), 8));
    kinds = ADD(kinds, SHL(COUNT(middle), 16));
    kinds = ADD(kinds, SHL(COUNT(AND(low, middle)), 24));
    return ADD(kinds, SHL(COUNT(high), 32));
}

/* The same, of values of three bits. */
INLINE V NAME(values_census)(V plain, V values)
{
    const V thirds = ALL(BMN_THIRDS);
    const V low = AND(values, thirds), middle = AND(SHR(values, 1), thirds);
    return NAME(census)(plain, low, middle, AND(SHR(values, 2), thirds));
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
    const V lying = ADD(plain, COUNT(NOT(g->pile)));
    V found = NAME(values_census)(lying, ADD(queue, g->pile_queue));
    const V rooms = ALL(~(uint64_t)BMN_SECOND_ROOM);
    M bad = DIFFER(NAME(room)(plain, queue), AND(g->payer_room, rooms));
    if (!ended) {
        plain = PLAINS(g->other), queue = SHR(g->other_queue, 1);
        found = ADD(found, NAME(values_census)(plain, queue));
        bad = OR_M(bad, DIFFER(NAME(room)(plain, queue), AND(g->other_room, rooms)));
    }
    return OR_M(bad, DIFFER(found, census));
}
