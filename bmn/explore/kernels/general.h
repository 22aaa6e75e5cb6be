/* Any rule set, any number of players, any deck: the game card by card, the rules as data.
 *
 *   hand[player]   rings of cards: `count` of them from `top` on, top card first
 *   next[player]   the player after them who is still in; players who are out are skipped
 *   pile           the cards of this trick, first card first
 *
 * A card on the table is its value in the low byte and what it demands in the high byte, and each
 * hand keeps its top card ready, so that the next move follows from one load. Whether a card demands anything is a coin tossed anew for
 * each, and no branch can predict it: a move is made of masks, and only the end of a trick branches.
 *
 * Invariants
 *  - The cards of all hands and of the pile are the cards of the deal.
 *  - next[] is a ring through the players who are in; next[p] == BMN_OUT for those who are not.
 *  - Between tricks the hands, next[] and the leader decide the rest of the game.
 */
#ifndef BMN_GENERAL_H
#define BMN_GENERAL_H

#include "../../kernels/table.h"

#define BMN_MAX_PLAYERS 16
#define BMN_OUT 255
#define BMN_DRAW 255

enum { BMN_STOPPED = BMN_CAPPED + 1 };

typedef struct {
    uint32_t players, leader;
    uint32_t blocks, last_on_top; /* how the deck is dealt */
    uint8_t penalties[8];
    uint32_t reversed, payer_leads, ends_when_empty;
    uint32_t stop_tricks; /* 0: never */
    uint32_t stop_on_repeat;
} bmn_rules;

typedef uint16_t bmn_card;

static inline uint32_t bmn_value(bmn_card card)
{
    return card & 255;
}

typedef struct {
    bmn_card *cards;
    uint32_t top, count;
    bmn_card front; /* the top card, if there is one */
} bmn_cards;

typedef struct {
    const bmn_rules *rules;
    bmn_cards hand[BMN_MAX_PLAYERS];
    bmn_card *pile;
    uint32_t mask; /* of the rings */
    uint8_t next[BMN_MAX_PLAYERS];
    uint32_t leader, size, kinds[8];
    uint64_t tricks, laid; /* tricks resolved, or begun once the game has ended */
    uint8_t ending, winner, violation;
} bmn_table;

static int bmn_table_open(bmn_table *t, const bmn_rules *rules, uint32_t size)
{
    memset(t, 0, sizeof *t);
    t->rules = rules;
    t->size = size;
    size_t ring = 64;
    while (ring < size)
        ring *= 2;
    t->mask = (uint32_t)ring - 1;
    t->pile = malloc((1 + rules->players) * ring * sizeof(bmn_card));
    if (!t->pile)
        return -1;
    for (uint32_t player = 0; player < rules->players; player++)
        t->hand[player].cards = t->pile + (1 + player) * ring;
    return 0;
}

static void bmn_table_close(bmn_table *t)
{
    free(t->pile);
}

/* Deal one hand after the other from `cards`. */
static void bmn_deal_stated(bmn_table *t, const uint8_t *cards, const uint32_t *sizes)
{
    const bmn_rules *r = t->rules;
    memset(t->kinds, 0, sizeof t->kinds);
    for (uint32_t p = 0; p < r->players; cards += sizes[p++]) {
        t->hand[p].top = 0;
        t->hand[p].count = sizes[p];
        t->next[p] = p + 1 == r->players ? 0 : (uint8_t)(p + 1);
        for (uint32_t i = 0; i < sizes[p]; i++) {
            t->hand[p].cards[i] = (bmn_card)(cards[i] | r->penalties[cards[i] & 7] << 8);
            t->kinds[cards[i] & 7]++;
        }
        t->hand[p].front = t->hand[p].cards[0];
    }
    t->leader = t->rules->leader;
    t->tricks = t->laid = 0;
    t->ending = BMN_CAPPED;
    t->winner = t->violation = 0;
}

/* Shuffle a deck, given in card order, by a seed. */
static void bmn_shuffle_by(uint8_t *deck, uint32_t size, uint64_t seed)
{
    for (uint32_t i = size - 1; i > 0; i--) {
        seed += BMN_GOLDEN;
        uint32_t j = (uint32_t)((bmn_mix64(seed) >> 32) * (i + 1) >> 32);
        uint8_t card = deck[i];
        deck[i] = deck[j];
        deck[j] = card;
    }
}

/* Deal a shuffled deck: write one hand after the other to `cards`, and their sizes. */
static void bmn_deal_out(const bmn_rules *r, const uint8_t *deck, uint32_t size, uint8_t *cards,
                         uint32_t *sizes)
{
    uint32_t n = r->players, step = r->blocks ? 1 : n;
    const uint8_t *block = deck;
    for (uint32_t p = 0; p < n; p++) {
        uint32_t count = sizes[p] = size / n + (p < size % n);
        const uint8_t *from = r->blocks ? block : deck + p;
        for (uint32_t i = 0; i < count; i++)
            cards[r->last_on_top ? count - 1 - i : i] = from[i * step];
        cards += count;
        block += count;
    }
}

/* Check that the hands and the pile have the cards of the deal. */
static void bmn_check_cards(bmn_table *t, uint32_t pile)
{
    uint32_t kinds[8] = {0};
    for (uint32_t i = 0; i < pile; i++)
        kinds[bmn_value(t->pile[i])]++;
    for (uint32_t p = 0; p < t->rules->players; p++)
        for (uint32_t i = 0; i < t->hand[p].count; i++)
            kinds[bmn_value(t->hand[p].cards[(t->hand[p].top + i) & t->mask])]++;
    t->violation |= memcmp(kinds, t->kinds, sizeof kinds) != 0;
}

static void bmn_finish(bmn_table *t, uint32_t pile, uint8_t winner, uint8_t ending)
{
    bmn_check_cards(t, pile);
    t->tricks++;
    t->laid += pile;
    t->winner = winner;
    t->ending = ending;
}

/* Put the pile under the taker's hand. */
static inline void bmn_take_pile(bmn_table *t, uint32_t taker, uint32_t pile)
{
    bmn_cards *hand = t->hand + taker;
    bmn_card *cards = hand->cards, *table = t->pile;
    uint32_t mask = t->mask, end = hand->top + hand->count;
    if (t->rules->reversed)
        for (uint32_t i = 0; i < pile; i++)
            cards[(end + i) & mask] = table[pile - 1 - i];
    else
        for (uint32_t i = 0; i < pile; i++)
            cards[(end + i) & mask] = table[i];
    hand->count += pile;
    hand->front = cards[hand->top];
    t->laid += pile;
    t->tricks++;
}

/* The player, who must play, has no card: take them out. Return who plays now, or -1 if only one
 * player is left and the game has ended. */
static int bmn_leave(bmn_table *t, uint32_t player, uint32_t pile, uint32_t empty_at_lead)
{
    uint8_t heir = t->next[player];
    if (t->next[heir] == player) {
        int capture = pile && (empty_at_lead >> player & 1);
        bmn_finish(t, pile, heir, capture ? BMN_CAPTURE : BMN_DRY);
        return -1;
    }
    for (uint32_t p = 0; p < t->rules->players; p++)
        if (t->next[p] == player)
            t->next[p] = heir;
    t->next[player] = BMN_OUT;
    return heir;
}

/* Play one trick; 0 if the game has ended in it. */
static int bmn_general_trick(bmn_table *t)
{
    const bmn_rules *r = t->rules;
    bmn_card *table = t->pile;
    uint32_t mask = t->mask, player = t->leader, taker = player, pile = 0, owed = 0;
    uint32_t empty_at_lead = 0, ends_when_empty = r->ends_when_empty;
    for (uint32_t p = 0; p < r->players; p++)
        empty_at_lead |= (uint32_t)(t->hand[p].count == 0) << p;
    for (;;) {
        bmn_cards *hand = t->hand + player;
        uint32_t top = hand->top, count = hand->count;
        if (count == 0) {
            int heir = bmn_leave(t, player, pile, empty_at_lead);
            if (heir < 0)
                return 0;
            player = (uint32_t)heir;
            continue;
        }
        bmn_card card = hand->front;
        hand->top = top = (top + 1) & mask;
        hand->front = hand->cards[top];
        hand->count = --count;
        table[pile++] = card;
        if (ends_when_empty && count == 0) {
            bmn_finish(t, pile, t->next[player], BMN_DRY);
            return 0;
        }
        uint32_t demand = card >> 8;
        if (owed == 1 && !demand)
            break;
        uint32_t penalty = 0 - (uint32_t)(demand != 0);
        uint32_t paying = (0 - (uint32_t)(owed != 0)) & ~penalty;
        taker = (taker & ~penalty) | (player & penalty);
        owed = demand + ((owed - 1) & paying);
        player = (player & paying) | (t->next[player] & ~paying);
    }
    bmn_take_pile(t, taker, pile);
    t->leader = r->payer_leads ? player : taker;
    return 1;
}

/* Play until the game ends or `tricks` have been resolved in all; 1 if it has not ended. */
static int bmn_general_play(bmn_table *t, uint64_t tricks)
{
    while (t->tricks < tricks)
        if (!bmn_general_trick(t))
            return 0;
    return 1;
}

/* A house rule stops the game: whoever holds more cards than everyone else has won. */
static void bmn_stop(bmn_table *t)
{
    uint32_t most = 0;
    t->winner = BMN_DRAW;
    for (uint32_t p = 0; p < t->rules->players; p++)
        if (t->hand[p].count > most) {
            most = t->hand[p].count;
            t->winner = (uint8_t)p;
        } else if (t->hand[p].count == most) {
            t->winner = BMN_DRAW;
        }
    t->ending = BMN_STOPPED;
}

#endif
