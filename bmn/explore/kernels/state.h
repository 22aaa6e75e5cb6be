/* The game between two tricks as four machine words, and the map from one trick to the next.
 *
 *   a hand:  cards   0 0 1 0 1 0 0 1 . . . .     top card at bit 63: 0 plain, 1 penalty,
 *                    |--- cards ---| ^ end       then one 1 as the end mark, then zeros
 *            values  v v v v 1 . . . . . . .     two bits a penalty card (its value less 1),
 *                    |-----| ^ end               top card first, then the same end mark
 *
 *   a state: two hands, the one who leads and the other. Who sits where is not part of it: the
 *            map does not depend on it, and bmn_trick tells whether the lead changes hands.
 *
 * Plain cards before a penalty are a run length, so a step lays a whole run and the penalty card
 * after it, or pays a whole debt.
 *
 * Invariants
 *  - Equal states are equal words: what is beyond the end marks is zero.
 *  - A deal has at most 63 cards, of which at most 31 are penalty cards, so that the end marks
 *    fit; a pile is then at most 63 bits and 62 bits.
 */
#ifndef BMN_STATE_H
#define BMN_STATE_H

#include "../../kernels/table.h"

#define BMN_END (UINT64_C(1) << 63) /* an empty hand: nothing but the end mark */
#define BMN_MAX_CARDS 63
#define BMN_MAX_PENALTIES 31

typedef struct {
    uint64_t cards, values;
} bmn_hand;

typedef struct {
    bmn_hand lead, other;
} bmn_state;

/* How a game or a trick went on: what a trick adds to the counts, or how the game ended. */
typedef struct {
    uint32_t laid;    /* cards, in this trick */
    uint8_t resolved; /* 0: a player could not play, and lost */
    uint8_t turned;   /* resolved: the other player took the pile. Else: the leader lost */
    uint8_t capture;  /* not resolved: the loser had no card when the trick began */
    uint8_t sound;    /* not resolved: the winner and the pile have all the cards */
} bmn_trick_result;

static inline unsigned bmn_run(uint64_t cards)
{
    return (unsigned)__builtin_clzll(cards);
}

static inline unsigned bmn_end_at(uint64_t word)
{
    return 63 - (unsigned)__builtin_ctzll(word);
}

static inline unsigned bmn_hand_size(bmn_hand h)
{
    return bmn_end_at(h.cards);
}

static inline int bmn_same_hand(bmn_hand a, bmn_hand b)
{
    return a.cards == b.cards && a.values == b.values;
}

static inline int bmn_same_state(const bmn_state *a, const bmn_state *b)
{
    return ((a->lead.cards ^ b->lead.cards) | (a->lead.values ^ b->lead.values) |
            (a->other.cards ^ b->other.cards) | (a->other.values ^ b->other.values)) == 0;
}

/* Put `count` bits, the last at bit 0 of `bits`, under a word with an end mark. */
static inline uint64_t bmn_under(uint64_t word, uint64_t bits, unsigned count)
{
    unsigned at = bmn_end_at(word);
    return (word & (word - 1)) | (((bits << 1 | 1) << (63 - count)) >> at);
}

/* Put `count` bits, the last at bit 0 of `bits`, on top of a word with an end mark. */
static inline uint64_t bmn_over(uint64_t word, uint64_t bits, unsigned count)
{
    return count ? bits << (64 - count) | word >> count : word;
}

/* Play one trick. If it is resolved, `s` is the state after it; if not, `s` is spoilt. */
static inline __attribute__((always_inline)) bmn_trick_result bmn_trick(bmn_state *s)
{
    bmn_hand layer = s->lead, payer = s->other; /* who lays the first penalty, and who owes it */
    unsigned turned = 0;
    unsigned lead_run = bmn_run(layer.cards), other_run = bmn_run(payer.cards);
    unsigned length = 2 * lead_run;
    unsigned paid = lead_run;
    if (other_run < lead_run) {
        bmn_hand swap = layer;
        layer = payer;
        payer = swap;
        turned = 1;
        length = 2 * other_run + 1;
        paid = other_run + 1;
        lead_run = other_run;
    }
    layer.cards <<= lead_run;
    payer.cards <<= paid;
    uint64_t pile = 0, values = 0;
    unsigned value_bits = 0;
    for (;;) {
        /* The next card of `layer` is a penalty card, or there is none. */
        if (layer.cards == BMN_END)
            break;
        unsigned owed = (unsigned)(layer.values >> 62) + 1;
        values = values << 2 | (owed - 1);
        value_bits += 2;
        layer.cards <<= 1;
        layer.values <<= 2;
        pile = pile << 1 | 1;
        length += 1;
        unsigned run = bmn_run(payer.cards);
        if (run >= owed) {
            payer.cards <<= owed;
            length += owed;
            layer.cards = bmn_under(layer.cards, pile << owed, length);
            layer.values = bmn_under(layer.values, values, value_bits);
            s->lead = layer;
            s->other = payer;
            return (bmn_trick_result){length, 1, (uint8_t)turned, 0, 0};
        }
        payer.cards <<= run;
        pile <<= run;
        length += run;
        bmn_hand swap = layer;
        layer = payer;
        payer = swap;
        turned ^= 1;
    }
    /* `layer` could not play and has lost. */
    bmn_hand loser = turned ? s->other : s->lead;
    uint8_t capture = loser.cards == BMN_END && length > 0;
    unsigned total = bmn_hand_size(s->lead) + bmn_hand_size(s->other);
    uint8_t sound = bmn_hand_size(payer) + length == total && layer.values == BMN_END;
    return (bmn_trick_result){length, 0, (uint8_t)!turned, capture, sound};
}

/* Where a game stands: tricks resolved or, once it has ended, begun. */
typedef struct {
    uint64_t tricks, cards;
    uint8_t seat;   /* who leads, or who has won: 0 is who led first */
    uint8_t ending; /* BMN_DRY, BMN_CAPTURE or BMN_GOING */
    uint8_t sound;
} bmn_progress;

enum { BMN_GOING = BMN_CAPPED };

/* Play until the game ends or `tricks` more are resolved. */
static inline __attribute__((always_inline)) void bmn_play_on(bmn_state *s, bmn_progress *p,
                                                              uint64_t tricks)
{
    for (uint64_t stop = p->tricks + tricks; p->tricks < stop;) {
        bmn_trick_result t = bmn_trick(s);
        p->tricks++;
        p->cards += t.laid;
        p->seat ^= t.turned;
        if (!t.resolved) {
            p->ending = t.capture ? BMN_CAPTURE : BMN_DRY;
            p->sound = t.sound;
            return;
        }
    }
}

/* Read a hand of `size` card values, 0 to 4, top card first. */
static bmn_hand bmn_pack(const uint8_t *cards, unsigned size)
{
    bmn_hand h = {0, 0};
    unsigned penalties = 0;
    for (unsigned i = 0; i < size; i++) {
        h.cards = h.cards << 1 | (cards[i] != 0);
        if (cards[i]) {
            h.values = h.values << 2 | (uint64_t)(cards[i] - 1);
            penalties++;
        }
    }
    h.cards = (h.cards << 1 | 1) << (63 - size);
    h.values = (h.values << 1 | 1) << (63 - 2 * penalties);
    return h;
}

/* Write a hand's card values and return how many there are. */
static unsigned bmn_unpack(bmn_hand h, uint8_t *cards)
{
    unsigned size = bmn_hand_size(h);
    for (unsigned i = 0; i < size; i++, h.cards <<= 1) {
        int penalty = h.cards >> 63;
        cards[i] = penalty ? (uint8_t)((h.values >> 62) + 1) : 0;
        h.values <<= penalty ? 2 : 0;
    }
    return size;
}

#endif
