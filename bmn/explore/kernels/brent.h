/* Does a game ever end? Brent's cycle detection (R. P. Brent, BIT 20, 1980) on exact states.
 *
 *   state 0 -> 1 -> ... -> m -> ... -> m + n - 1
 *                          ^_________________|        preperiod m, period n
 *
 * One state is kept and moved up whenever its age reaches a power of two; the game comes back to
 * it at last, after n tricks. Two games n tricks apart then meet at m.
 *
 * States are compared without the seats. If the lead has changed hands after n tricks, the seats
 * are exchanged and the game itself repeats only after 2 n.
 *
 * Invariant: no more than `budget` tricks are played before a game is left undecided.
 */
#ifndef BMN_BRENT_H
#define BMN_BRENT_H

#include "state.h"

enum { BMN_ENDS, BMN_CYCLES, BMN_UNDECIDED };

typedef struct {
    int verdict;
    bmn_progress end;   /* of a game that ends, or is left undecided */
    uint64_t preperiod; /* in tricks */
    uint64_t preperiod_cards;
    uint64_t period; /* in tricks: until the same state, the seats left aside */
    uint64_t period_cards;
    int turned;         /* the seats are exchanged after one period */
    bmn_state entrance; /* the first state of the cycle */
    uint64_t steps;     /* tricks played to find out */
} bmn_recurrence;

/* Find the period by playing on from `s`, `p->tricks` tricks into a game. */
static uint64_t bmn_period(bmn_state s, bmn_progress *p, uint64_t budget)
{
    bmn_state kept = s;
    uint64_t power = 1, age = 0;
    while (p->tricks < budget) {
        bmn_play_on(&s, p, 1);
        if (p->ending != BMN_GOING)
            return 0;
        age++;
        if (bmn_same_state(&kept, &s))
            return age;
        if (age == power) {
            kept = s;
            power *= 2;
            age = 0;
        }
    }
    return 0;
}

/* Classify a game. Sequences of `head_start` tricks are played before any state is compared. */
static void bmn_classify(bmn_state start, uint64_t head_start, uint64_t budget, bmn_recurrence *r)
{
    bmn_progress fresh = {0, 0, 0, BMN_GOING, 1};
    bmn_state s = start;
    *r = (bmn_recurrence){.end = fresh};
    bmn_play_on(&s, &r->end, head_start < budget ? head_start : budget);
    uint64_t period = r->end.ending == BMN_GOING ? bmn_period(s, &r->end, budget) : 0;
    r->steps = r->end.tricks;
    r->verdict = period ? BMN_CYCLES : r->end.ending == BMN_GOING ? BMN_UNDECIDED : BMN_ENDS;
    if (!period)
        return;

    bmn_state behind = start, ahead = start;
    bmn_progress pre = fresh, lap = fresh;
    bmn_play_on(&ahead, &lap, period);
    while (!bmn_same_state(&behind, &ahead)) {
        bmn_play_on(&behind, &pre, 1);
        bmn_play_on(&ahead, &lap, 1);
    }
    r->steps += pre.tricks + lap.tricks + period;
    r->entrance = behind;
    r->preperiod = pre.tricks;
    r->preperiod_cards = pre.cards;
    lap = fresh;
    bmn_play_on(&behind, &lap, period);
    r->period = period;
    r->period_cards = lap.cards;
    r->turned = lap.seat;
}

#endif
