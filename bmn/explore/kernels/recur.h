/* Cycle detection for any rule set: as in brent.h, on the hands card by card.
 *
 * A state is written out from the leader on, clockwise, so that states which differ only by who
 * sits where are equal: the number of cards of each player, or that they are out, and the cards.
 */
#ifndef BMN_RECUR_H
#define BMN_RECUR_H

#include "general.h"

enum { BMN_ENDS, BMN_CYCLES, BMN_UNDECIDED };

typedef struct {
    int verdict;
    uint64_t preperiod, preperiod_cards, period, period_cards; /* the seats left aside */
    uint32_t laps; /* after which the seats are the same again */
} bmn_recurring;

/* Two games of the same deal, and room for two written states. */
typedef struct {
    bmn_table ahead, behind;
    uint8_t *kept, *now;
    size_t room;
} bmn_pair;

static int bmn_pair_open(bmn_pair *pair, const bmn_rules *rules, uint32_t size)
{
    memset(pair, 0, sizeof *pair);
    int failed = bmn_table_open(&pair->ahead, rules, size);
    failed |= bmn_table_open(&pair->behind, rules, size);
    pair->room = size + 4 * BMN_MAX_PLAYERS;
    pair->kept = malloc(2 * pair->room);
    pair->now = pair->kept + pair->room;
    return failed || !pair->kept ? -1 : 0;
}

static void bmn_pair_close(bmn_pair *pair)
{
    bmn_table_close(&pair->ahead);
    bmn_table_close(&pair->behind);
    free(pair->kept);
}

static void bmn_write_state(const bmn_table *t, uint8_t *out)
{
    for (uint32_t i = 0, p = t->leader; i < t->rules->players; i++) {
        const bmn_cards *hand = t->hand + p;
        uint32_t count = t->next[p] == BMN_OUT ? UINT32_MAX : hand->count;
        memcpy(out, &count, sizeof count);
        out += sizeof count;
        for (uint32_t k = 0; k < hand->count; k++)
            *out++ = (uint8_t)bmn_value(hand->cards[(hand->top + k) & t->mask]);
        p = p + 1 == t->rules->players ? 0 : p + 1;
    }
}

static size_t bmn_state_size(const bmn_table *t)
{
    return t->size + sizeof(uint32_t) * t->rules->players;
}

static uint32_t bmn_gcd(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Classify a game; one that ends is left in pair->ahead. */
static void bmn_general_classify(bmn_pair *pair, const uint8_t *cards, const uint32_t *sizes,
                                 uint64_t budget, bmn_recurring *r)
{
    bmn_table *ahead = &pair->ahead, *behind = &pair->behind;
    memset(r, 0, sizeof *r);
    bmn_deal_stated(ahead, cards, sizes);
    size_t size = bmn_state_size(ahead);
    bmn_write_state(ahead, pair->kept);
    uint64_t power = 1, age = 0;
    for (;;) {
        if (ahead->tricks >= budget) {
            r->verdict = BMN_UNDECIDED;
            return;
        }
        if (!bmn_general_trick(ahead)) {
            r->verdict = BMN_ENDS;
            return;
        }
        age++;
        bmn_write_state(ahead, pair->now);
        if (!memcmp(pair->now, pair->kept, size))
            break;
        if (age == power) {
            memcpy(pair->kept, pair->now, size);
            power *= 2;
            age = 0;
        }
    }
    r->verdict = BMN_CYCLES;
    r->period = age;
    bmn_deal_stated(ahead, cards, sizes);
    bmn_deal_stated(behind, cards, sizes);
    bmn_general_play(ahead, age);
    for (;;) {
        bmn_write_state(ahead, pair->now);
        bmn_write_state(behind, pair->kept);
        if (!memcmp(pair->now, pair->kept, size))
            break;
        bmn_general_trick(ahead);
        bmn_general_trick(behind);
    }
    r->preperiod = behind->tricks;
    r->preperiod_cards = behind->laid;
    r->period_cards = ahead->laid - behind->laid;
    uint32_t players = ahead->rules->players;
    uint32_t shift = (ahead->leader + players - behind->leader) % players;
    r->laps = players / bmn_gcd(players, shift);
}

/* Play a game in pair->ahead to its end, a house rule's stop, or the cap. */
static void bmn_general_game(bmn_pair *pair, const uint8_t *cards, const uint32_t *sizes,
                             uint64_t cap)
{
    bmn_table *t = &pair->ahead;
    uint64_t house = t->rules->stop_tricks, limit = house && house < cap ? house : cap;
    int stops = house && house <= cap;
    bmn_deal_stated(t, cards, sizes);
    if (!bmn_general_play(t, limit))
        return;
    if (t->rules->stop_on_repeat) {
        /* Brent finds a cycle within three times the tricks of its first repeat. */
        bmn_recurring r;
        bmn_general_classify(pair, cards, sizes, 3 * limit + 3, &r);
        uint64_t repeat = r.preperiod + r.period * r.laps;
        if (r.verdict == BMN_CYCLES && repeat <= limit) {
            limit = repeat;
            stops = 1;
        }
        bmn_deal_stated(t, cards, sizes);
        bmn_general_play(t, limit);
    }
    bmn_check_cards(t, 0);
    if (stops)
        bmn_stop(t);
}

#endif
