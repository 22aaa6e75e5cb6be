/* The yardstick: the game as one would write it down, card by card over rings of bytes.
 *
 *        top                                   A hand is a ring of 2^b >= size bytes; the top
 *         v                                    card is taken at `top`, a won pile is put at
 *   . . . 0 0 3 0 0 1 0 . . . .                top + count, both modulo the ring.
 *         |---- count ----|
 *
 *   pile: 0 0 3 0 0          first card played first
 *
 * Invariants
 *  - The cards of both hands and the pile are the cards of the deal; so no ring overflows.
 *  - `owed` > 0 only while the player to move pays.
 * Any deck and any split up to 65,536 cards.
 */
#ifndef BMN_PLAIN_H
#define BMN_PLAIN_H

#include "table.h"

typedef struct {
    uint8_t *cards;
    uint32_t top, count;
} bmn_ring;

typedef struct {
    bmn_ring hand[2];
    uint8_t *pile;
    uint8_t *deck;
    uint32_t mask;  /* of the rings */
    uint32_t kinds[8]; /* how many cards of each value the deal should have */
} bmn_board;

static int bmn_board_open(bmn_board *b, const bmn_job *job)
{
    size_t ring = 64;
    while (ring < job->size)
        ring *= 2;
    uint8_t *memory = malloc(4 * ring);
    if (!memory)
        return -1;
    b->mask = (uint32_t)ring - 1;
    b->hand[0].cards = memory;
    b->hand[1].cards = memory + ring;
    b->pile = memory + 2 * ring;
    b->deck = memory + 3 * ring;
    memset(b->kinds, 0, sizeof b->kinds);
    memcpy(b->kinds, job->deck, sizeof job->deck);
    return 0;
}

static void bmn_board_close(bmn_board *b)
{
    free(b->hand[0].cards);
}

/* Flip one of the three bits of one card, in a hand or in the pile: `random` says which. */
static void bmn_board_fault(bmn_board *b, uint32_t pile, uint64_t random)
{
    uint32_t first = b->hand[0].count, second = b->hand[1].count;
    uint32_t card = (uint32_t)(random >> 8) % (first + second + pile);
    uint8_t bit = (uint8_t)(1u << random % 3);
    if (card < first)
        b->hand[0].cards[(b->hand[0].top + card) & b->mask] ^= bit;
    else if (card < first + second)
        b->hand[1].cards[(b->hand[1].top + card - first) & b->mask] ^= bit;
    else
        b->pile[card - first - second] ^= bit;
}

static int bmn_miscounted(const uint32_t kinds[8], const uint32_t expected[8])
{
    return memcmp(kinds, expected, 8 * sizeof *kinds) != 0;
}

/* Shuffle the deck by the seed into b->deck; nonzero if a swap went out of range. */
static inline int bmn_shuffle(bmn_board *b, const bmn_job *job, uint64_t seed)
{
    uint8_t *deck = b->deck;
    uint32_t bad = 0;
    for (uint32_t value = 0, c = 0; value < BMN_KINDS; c += job->deck[value++])
        memset(deck + c, (int)value, job->deck[value]);
    for (uint32_t i = job->size - 1; i > 0; i--) {
        seed += BMN_GOLDEN;
        uint32_t j = (uint32_t)((bmn_mix64(seed) >> 32) * (i + 1) >> 32);
        bad |= j > i;
        uint8_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
    return (int)bad;
}

/* Put the deal on the board; nonzero if its cards are not those of the deck. */
static inline int bmn_set_board(bmn_board *b, const bmn_job *job, uint64_t tag)
{
    int bad = 0;
    uint32_t kinds[8] = {0};
    uint32_t first = job->split, second = job->size - first;
    if (job->stated) {
        const uint8_t *row = job->stated + tag * job->size;
        memcpy(b->hand[0].cards, row, first);
        memcpy(b->hand[1].cards, row + first, second);
    } else {
        bad = bmn_shuffle(b, job, tag);
        for (uint32_t i = 0; i < second; i++) {
            b->hand[0].cards[i] = b->deck[2 * i];
            b->hand[1].cards[i] = b->deck[2 * i + 1];
        }
        if (first > second)
            b->hand[0].cards[second] = b->deck[2 * second];
    }
    for (uint32_t i = 0; i < first; i++)
        kinds[b->hand[0].cards[i] & 7]++;
    for (uint32_t i = 0; i < second; i++)
        kinds[b->hand[1].cards[i] & 7]++;
    b->hand[0].top = b->hand[1].top = 0;
    b->hand[0].count = first;
    b->hand[1].count = second;
    if (job->stated)
        memcpy(b->kinds, kinds, sizeof kinds);
    else
        bad |= bmn_miscounted(kinds, b->kinds);
    return bad;
}

/* The winner's hand and the last pile hold every card, and the loser none. */
static int bmn_end_violated(const bmn_board *b, uint32_t pile, const bmn_game *g)
{
    uint32_t kinds[8] = {0};
    for (uint32_t i = 0; i < pile; i++)
        kinds[b->pile[i] & 7]++;
    for (int player = 0; player < 2; player++) {
        const bmn_ring *hand = b->hand + player;
        for (uint32_t i = 0; i < hand->count; i++)
            kinds[hand->cards[(hand->top + i) & b->mask] & 7]++;
    }
    int lost = g->ending == BMN_CAPPED || b->hand[!g->winner].count == 0;
    return bmn_miscounted(kinds, b->kinds) || !lost;
}

/* Play the deal on the board to its end or to the cap. */
static inline void bmn_plain_play(bmn_board *b, uint32_t cap, bmn_game *g, uint64_t fault)
{
    uint32_t strike = fault ? 1 + (uint32_t)(fault >> 60) % 8 : 0; /* the trick it happens in */
    uint32_t mask = b->mask, tricks = 0, pile = 0;
    uint64_t card_plays = 0;
    int turn = 0;
    for (;;) {
        uint32_t owed = 0;
        int answerless = b->hand[!turn].count == 0;
        tricks++;
        pile = 0;
        if (fault && tricks == strike)
            bmn_board_fault(b, pile, fault);
        for (;;) {
            bmn_ring *hand = b->hand + turn;
            if (hand->count == 0) {
                g->winner = (uint8_t)!turn;
                g->ending = pile == 1 && answerless ? BMN_CAPTURE : BMN_DRY;
                goto over;
            }
            uint8_t card = hand->cards[hand->top];
            hand->top = (hand->top + 1) & mask;
            hand->count--;
            b->pile[pile++] = card;
            if (card) {
                owed = card;
                turn = !turn;
            } else if (!owed) {
                turn = !turn;
            } else if (--owed == 0) {
                break;
            }
        }
        turn = !turn;
        bmn_ring *taker = b->hand + turn;
        for (uint32_t i = 0; i < pile; i++)
            taker->cards[(taker->top + taker->count + i) & mask] = b->pile[i];
        taker->count += pile;
        card_plays += pile;
        if (tricks == cap) {
            g->winner = 0;
            g->ending = BMN_CAPPED;
            pile = 0;
            goto over;
        }
    }
over:
    g->tricks = tricks;
    g->card_plays = card_plays + pile;
    if (fault && tricks < strike)
        bmn_board_fault(b, pile, fault);
    g->violation |= (uint8_t)bmn_end_violated(b, pile, g);
}

/* Deal one deal of the job, play it and hand over the result. */
static inline void bmn_plain_deal(bmn_board *b, const bmn_job *job, uint64_t tag, bmn_sink *sink,
                                  const int faulty)
{
    bmn_game game = {.tag = tag};
    game.violation = (uint8_t)bmn_set_board(b, job, tag);
    bmn_plain_play(b, job->cap, &game, faulty ? bmn_fault_of(job->fault, tag) : 0);
    bmn_take(sink, &game);
}

static int bmn_plain_run(const bmn_job *job, bmn_sink *sink)
{
    bmn_board board;
    if (bmn_board_open(&board, job))
        return -1;
    if (job->fault)
        for (uint64_t n = 0; n < job->deals; n++)
            bmn_plain_deal(&board, job, job->first_seed + n, sink, 1);
    else
        for (uint64_t n = 0; n < job->deals; n++)
            bmn_plain_deal(&board, job, job->first_seed + n, sink, 0);
    bmn_board_close(&board);
    return 0;
}

#endif
