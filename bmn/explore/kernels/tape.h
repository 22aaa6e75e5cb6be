/* All periodic pieces of few passes, card by card.
 *
 *   tape 0   s . . . . . . . ? ?         what the first head reads: the piece, chosen on the way
 *   tape 1   s . . . . .                 what it wins is read by a second head, and so on
 *   last     s . . .                     what the last head wins must be tape 0 again
 *
 * A card is chosen only where the last tape does not tell it already, and every card it tells of
 * those chosen before must agree. The lag, the penalty cards read and not yet told, is bounded;
 * within the bound and the deck the search is complete.
 */
#ifndef BMN_TAPE_H
#define BMN_TAPE_H

#include "pieces.h"

#define BMN_HEADS 4

/* A head between two cards that it reads. */
typedef struct {
    bmn_hand hand;
    uint64_t pile, values; /* the last card at bit 0 */
    uint8_t size, value_bits;
    uint8_t owed; /* by the tape: 0 if it leads or follows */
} bmn_head;

enum { BMN_DEAD, BMN_READS, BMN_WON };

static inline void bmn_lay(bmn_head *h, unsigned card)
{
    h->pile = h->pile << 1 | (card != 0);
    h->size++;
    if (card) {
        h->values = h->values << 2 | (card - 1);
        h->value_bits += 2;
    }
}

/* The head lays its top card, if it has one; it is not in debt. */
static inline int bmn_head_lays(bmn_head *h)
{
    if (h->hand.cards == BMN_END)
        return BMN_DEAD;
    if (h->hand.cards >> 63) {
        h->owed = (uint8_t)(h->hand.values >> 62) + 1;
        h->hand.values <<= 2;
    }
    h->hand.cards <<= 1;
    bmn_lay(h, h->owed);
    return BMN_READS;
}

/* Lay a card of the tape; go on until the next one is needed. BMN_WON: the pile is the tape's. */
static inline int bmn_feed(bmn_head *h, unsigned card)
{
    bmn_lay(h, card);
    if (card) {
        unsigned run = bmn_run(h->hand.cards), pays = run < card ? run : card;
        h->owed = 0;
        h->hand.cards <<= pays;
        h->pile <<= pays;
        h->size += (uint8_t)pays;
        return run >= card ? BMN_WON : bmn_head_lays(h);
    }
    if (h->owed && --h->owed)
        return BMN_READS;
    if (h->value_bits) {
        /* The debt is met: the head takes the pile, and leads. */
        h->hand.cards = bmn_under(h->hand.cards, h->pile, h->size);
        h->hand.values = bmn_under(h->hand.values, h->values, h->value_bits);
        h->pile = h->values = h->size = h->value_bits = 0;
    }
    return bmn_head_lays(h);
}

typedef struct {
    bmn_head heads[BMN_HEADS];
    uint8_t read[BMN_HEADS];    /* cards read by each head */
    uint8_t written[BMN_HEADS]; /* cards won from each head, the spare ones before them not counted */
    uint8_t count[5];           /* cards read of each kind */
    uint8_t lag;
} bmn_reading;

typedef struct {
    bmn_piece_rules rules;
    unsigned heads;       /* how many: the passes of the pieces */
    unsigned lag;         /* the most */
    unsigned split;       /* where the search is cut into parts: at so many cards read */
    uint64_t part, parts; /* this one, and how many there are */
    uint64_t branches;    /* met at the cut */
    uint64_t nodes;       /* cards fed to the first head */
    uint8_t tape[BMN_HEADS][BMN_MAX_CARDS + 8];
    bmn_catalogue *found;
} bmn_sweep;

/* The last head has won a card: it must be the one on tape 0, or tells what that will be. */
static inline int bmn_told(bmn_sweep *w, bmn_reading *r, unsigned card)
{
    unsigned at = w->rules.spare + r->written[w->heads - 1];
    if (at < r->read[0]) {
        if (w->tape[0][at] != card)
            return 0;
        r->lag -= card != 0;
    } else
        w->tape[0][at] = (uint8_t)card;
    return 1;
}

/* Feed a card to head i, and what is won from it to the next ones. `home`: the first head is. */
static int bmn_feed_all(bmn_sweep *w, bmn_reading *r, unsigned i, unsigned card, int *home)
{
    bmn_head *h = &r->heads[i];
    int status = bmn_feed(h, card);
    r->read[i]++;
    if (status != BMN_WON)
        return status;
    /* The second condition never holds alone: it tells the compiler how far the recursion goes. */
    unsigned size = h->size, last = i + 1 == w->heads || i + 1 == BMN_HEADS;
    for (unsigned k = size; k--;) {
        unsigned won = (unsigned)(h->pile >> k) & 1;
        if (won) {
            h->value_bits -= 2;
            won = ((unsigned)(h->values >> h->value_bits) & 3) + 1;
        }
        if (last) {
            if (!bmn_told(w, r, won))
                return BMN_DEAD;
        } else
            w->tape[i + 1][w->rules.spare + r->written[i]] = (uint8_t)won;
        r->written[i]++;
    }
    h->pile = h->values = h->size = h->value_bits = 0;
    int here = bmn_same_hand(h->hand, w->rules.head);
    if (i == 0)
        *home = here;
    else if (here && (!*home || r->read[i] != r->read[0]))
        return BMN_DEAD; /* a later phase would be two pieces */
    while (!last && r->read[i + 1] < r->written[i])
        if (bmn_feed_all(w, r, i + 1, w->tape[i + 1][r->read[i + 1]], home) == BMN_DEAD)
            return BMN_DEAD;
    return BMN_WON;
}

static void bmn_sweep_on(bmn_sweep *w, const bmn_reading *from)
{
    unsigned at = from->read[0], told = w->rules.spare + from->written[w->heads - 1];
    if (at == w->split && w->branches++ % w->parts != w->part)
        return;
    unsigned first = 0, last = 4;
    if (at < told)
        first = last = w->tape[0][at];
    for (unsigned card = first; card <= last; card++) {
        if (from->count[card] == w->rules.most[card] ||
            (at >= told && card && from->lag == w->lag))
            continue;
        bmn_reading r = *from;
        int home = 0;
        w->tape[0][at] = (uint8_t)card;
        r.count[card]++;
        r.lag += at >= told && card;
        w->nodes++;
        int status = bmn_feed_all(w, &r, 0, card, &home);
        if (status == BMN_DEAD)
            continue;
        if (!home) {
            bmn_sweep_on(w, &r);
            continue;
        }
        bmn_piece piece;
        if (r.written[w->heads - 1] == r.read[0] &&
            bmn_test_piece(bmn_pack(w->tape[0], r.read[0]), &w->rules, &piece) == BMN_PERIODIC)
            bmn_catalogue_add(w->found, &piece);
    }
}

static void bmn_sweep_all(bmn_sweep *w)
{
    bmn_reading r = {.lag = 0};
    memset(w->tape, 0, sizeof w->tape);
    for (unsigned i = 0; i < w->heads; i++)
        r.heads[i].hand = w->rules.head;
    bmn_sweep_on(w, &r);
}

/* Test every piece that begins like tape 0, however many passes it takes: for few cards. */
static void bmn_enumerate_on(bmn_sweep *w, const bmn_head *from, unsigned at)
{
    if (at == w->split && w->branches++ % w->parts != w->part)
        return;
    for (unsigned card = 0; card <= (at < w->rules.spare ? 0 : 4); card++) {
        if (w->rules.most[card] == 0)
            continue;
        bmn_head h = *from;
        w->tape[0][at] = (uint8_t)card;
        w->nodes++;
        int status = bmn_feed(&h, card);
        if (status == BMN_DEAD)
            continue;
        if (status == BMN_WON) {
            h.pile = h.values = h.size = h.value_bits = 0;
            if (bmn_same_hand(h.hand, w->rules.head)) {
                bmn_piece piece;
                if (bmn_test_piece(bmn_pack(w->tape[0], at + 1), &w->rules, &piece) == BMN_PERIODIC)
                    bmn_catalogue_add(w->found, &piece);
                continue;
            }
        }
        w->rules.most[card]--;
        bmn_enumerate_on(w, &h, at + 1);
        w->rules.most[card]++;
    }
}

static void bmn_enumerate(bmn_sweep *w)
{
    bmn_head h = {.hand = w->rules.head};
    bmn_enumerate_on(w, &h, 0);
}

#endif
