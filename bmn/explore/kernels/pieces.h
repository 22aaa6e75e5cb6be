/* Pieces: stretches of cards that a small hand reads as a head reads a tape.
 *
 *   leader   X1 X2 ... Xm s          other   H
 *
 * Take a head H, for example `J-`, and k spare plain cards s. A piece X is a stretch of the
 * leader's cards that is laid just to its end when for the first time the hands are again: the
 * one who leads, and H. What the leader has won meanwhile is f(X), of the same cards as X. Piece
 * after piece is read, each from the same head, so that none sees another:
 *
 *   X1 X2 ... Xm s, H  ->  X2 ... Xm s f(X1), H  ->  ...  ->  s f(X1) f(X2) ... f(Xm), H
 *
 * f(X) ends with a payment of plain cards, of which k are moved to the front: the next piece at
 * the place of X is g(X) = s + f(X) less its last k cards. A periodic piece comes back after some
 * passes; a game made of periodic pieces comes back when all do, and never ends.
 */
#ifndef BMN_PIECES_H
#define BMN_PIECES_H

#include "trunk.h"

#define BMN_MOST_PASSES 512  /* of a periodic piece */
#define BMN_MOST_TRICKS 8192 /* of all its passes */

/* What pieces are looked for. */
typedef struct {
    bmn_hand head;
    unsigned spare;
    unsigned most[5]; /* cards of each kind in a piece */
    unsigned passes;  /* the most */
} bmn_piece_rules;

/* A periodic piece. */
typedef struct {
    bmn_hand word;       /* the smallest of its phases */
    uint32_t passes;     /* until it comes back */
    uint32_t tricks;     /* of all passes */
    uint32_t card_plays; /* of all passes */
    uint32_t reach;      /* the most cards that the head has between two tricks */
} bmn_piece;

enum { BMN_NO_PIECE, BMN_PIECE, BMN_PERIODIC };

static inline int bmn_less_hand(bmn_hand a, bmn_hand b)
{
    return a.cards != b.cards ? a.cards < b.cards : a.values < b.values;
}

/* Read `n` cards of the leader's hand from the head once; see how far that comes. */
static inline int bmn_read(bmn_state *s, const bmn_piece_rules *rules, unsigned n, bmn_piece *piece)
{
    unsigned total = bmn_hand_size(s->lead) + bmn_hand_size(s->other);
    unsigned tape = total - bmn_hand_size(rules->head), read = 0, heads = 0;
    do {
        unsigned tape_before = heads ? bmn_hand_size(s->other) : tape;
        bmn_trick_result t = bmn_trick(s);
        if (!t.resolved)
            return BMN_NO_PIECE;
        piece->tricks++;
        piece->card_plays += t.laid;
        heads ^= t.turned;
        unsigned lead = bmn_hand_size(s->lead);
        tape = heads ? total - lead : lead;
        /* The taker has what both have laid. */
        read += heads ? tape_before - tape : t.laid + tape_before - tape;
        if (total - tape > piece->reach)
            piece->reach = total - tape;
        if (read > n || piece->tricks > BMN_MOST_TRICKS)
            return BMN_NO_PIECE;
    } while (heads || !bmn_same_hand(s->other, rules->head));
    return read == n ? BMN_PIECE : BMN_NO_PIECE; /* or else it is of several pieces */
}

/* Whether the last `n` cards of a hand are plain. */
static inline int bmn_plain_end(bmn_hand h, unsigned n)
{
    unsigned size = bmn_hand_size(h);
    return (h.cards >> (64 - size) & ((UINT64_C(1) << n) - 1)) == 0;
}

/* Put spare plain cards under a word. */
static inline bmn_state bmn_on_tape(bmn_hand word, const bmn_piece_rules *rules)
{
    word.cards = bmn_under(word.cards, 0, rules->spare);
    return (bmn_state){word, rules->head};
}

/* Take the first `n` cards of a hand. */
static inline bmn_hand bmn_first(bmn_hand h, unsigned n)
{
    uint64_t cards = n ? h.cards >> (64 - n) : 0;
    unsigned penalties = (unsigned)__builtin_popcountll(cards);
    h.cards = (cards << 1 | 1) << (63 - n);
    h.values = ((penalties ? h.values >> (64 - 2 * penalties) : 0) << 1 | 1)
               << (63 - 2 * penalties);
    return h;
}

/* Test a word: BMN_PERIODIC if it is a piece that comes back. */
static int bmn_test_piece(bmn_hand word, const bmn_piece_rules *rules, bmn_piece *piece)
{
    unsigned n = bmn_hand_size(word);
    bmn_state start = bmn_on_tape(word, rules), s = start;
    *piece = (bmn_piece){.word = word};
    while (piece->passes < rules->passes) {
        int status = bmn_read(&s, rules, n, piece);
        if (status != BMN_PIECE || !bmn_plain_end(s.lead, rules->spare))
            return BMN_NO_PIECE;
        piece->passes++;
        if (bmn_same_hand(s.lead, start.lead))
            return BMN_PERIODIC;
        bmn_hand phase = bmn_first(s.lead, n);
        if (bmn_less_hand(phase, piece->word))
            piece->word = phase;
    }
    return BMN_NO_PIECE;
}

/* Go on to a later phase of a periodic piece. */
static bmn_hand bmn_phase(bmn_hand word, const bmn_piece_rules *rules, unsigned passes)
{
    unsigned n = bmn_hand_size(word);
    bmn_state s = bmn_on_tape(word, rules);
    bmn_piece piece = {.word = word};
    while (passes--)
        bmn_read(&s, rules, n, &piece);
    return bmn_first(s.lead, n);
}

/* Periodic pieces in the order they were found, each once. */
typedef struct {
    bmn_piece *pieces;
    uint32_t *slots; /* a hash table of 1 + index */
    size_t count, room, limit;
} bmn_catalogue;

static void bmn_catalogue_close(bmn_catalogue *c)
{
    free(c->pieces);
    free(c->slots);
    c->pieces = NULL;
    c->slots = NULL;
}

static int bmn_catalogue_open(bmn_catalogue *c, size_t limit)
{
    size_t room = 1024;
    while (room < 2 * limit)
        room *= 2;
    *c = (bmn_catalogue){malloc(limit * sizeof *c->pieces), calloc(room, sizeof *c->slots), 0,
                         room, limit};
    return c->pieces && c->slots ? 0 : -1;
}

/* Add a piece; 0 if it is there already, or the catalogue is full. */
static int bmn_catalogue_add(bmn_catalogue *c, const bmn_piece *piece)
{
    if (c->count == c->limit)
        return 0;
    size_t at = bmn_mix64(piece->word.cards ^ bmn_mix64(piece->word.values)) & (c->room - 1);
    while (c->slots[at]) {
        if (bmn_same_hand(c->pieces[c->slots[at] - 1].word, piece->word))
            return 0;
        at = (at + 1) & (c->room - 1);
    }
    c->pieces[c->count++] = *piece;
    c->slots[at] = (uint32_t)c->count;
    return 1;
}

#endif
