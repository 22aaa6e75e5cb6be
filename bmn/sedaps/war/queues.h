/* Concrete play: queues of card ranks on tapes, one turn at a time, and where play leads.

   A tape is read at its head and written at its tail; when it is full, what is left of the
   queue moves back to its start. Ranks are 0..n-1 and at most 256 cards are in play. */
#ifndef WAR_QUEUES_H
#define WAR_QUEUES_H

#include <stdint.h>
#include <string.h>

enum { WAR_SEATS = 3, WAR_CARDS = 256, WAR_TAPE = 4096 };

typedef struct {
    int seats;
    uint32_t head[WAR_SEATS], tail[WAR_SEATS];
    uint8_t tape[WAR_SEATS][WAR_TAPE];
} war_queues;

static inline uint32_t war_size(const war_queues *w, int seat)
{
    return w->tail[seat] - w->head[seat];
}

static inline int war_live(const war_queues *w)
{
    int live = 0;
    for (int seat = 0; seat < w->seats; seat++)
        live += w->tail[seat] > w->head[seat];
    return live;
}

static inline void war_copy(war_queues *to, const war_queues *from)
{
    to->seats = from->seats;
    for (int seat = 0; seat < from->seats; seat++) {
        to->head[seat] = 0;
        to->tail[seat] = war_size(from, seat);
        memcpy(to->tape[seat], from->tape[seat] + from->head[seat], war_size(from, seat));
    }
}

static inline int war_same(const war_queues *a, const war_queues *b)
{
    for (int seat = 0; seat < a->seats; seat++)
        if (war_size(a, seat) != war_size(b, seat)
            || memcmp(a->tape[seat] + a->head[seat], b->tape[seat] + b->head[seat],
                      war_size(a, seat)))
            return 0;
    return 1;
}

/* Play one turn. Return the seat that wins it, or -1 if fewer than two queues are live. */
static inline int war_turn(war_queues *w)
{
    int live = 0, winner = -1, best = -1;
    for (int seat = 0; seat < w->seats; seat++)
        if (w->tail[seat] > w->head[seat]) {
            int card = w->tape[seat][w->head[seat]];
            live++;
            if (card > best)
                best = card, winner = seat;
        }
    if (live < 2)
        return -1;
    if (w->tail[winner] + WAR_SEATS > WAR_TAPE) {
        uint32_t size = war_size(w, winner);
        memmove(w->tape[winner], w->tape[winner] + w->head[winner], size);
        w->head[winner] = 0;
        w->tail[winner] = size;
    }
    uint32_t end = w->tail[winner];
    for (int step = 0; step < w->seats; step++) {
        int seat = (winner + step) % w->seats;
        if (w->tail[seat] > w->head[seat])
            w->tape[winner][end++] = w->tape[seat][w->head[seat]++];
    }
    w->tail[winner] = end;
    return winner;
}

/* The fate of a state: an end after `turns`, or a cycle first met after `turns`. A state with
   fewer than `stop` live queues is an end. */
typedef struct {
    uint64_t turns, period; /* period 0: play ends */
} war_fate;

/* Find the fate by exact repetition (Brent's method). Return 0, or -1 if neither an end nor a
   repetition is found within `limit` turns. */
static int war_find_fate(const war_queues *start, int stop, uint64_t limit, war_fate *fate)
{
    war_queues run, mark;
    uint64_t turn = 0, since = 0, span = 1;
    war_copy(&run, start);
    war_copy(&mark, start);
    for (;;) {
        if (war_live(&run) < stop) {
            *fate = (war_fate){turn, 0};
            return 0;
        }
        if (turn == limit)
            return -1;
        war_turn(&run);
        turn++, since++;
        if (war_same(&run, &mark))
            break;
        if (since == span) {
            war_copy(&mark, &run);
            span *= 2, since = 0;
        }
    }
    war_copy(&mark, start);
    war_copy(&run, start);
    for (uint64_t i = 0; i < since; i++)
        war_turn(&run);
    for (turn = 0; !war_same(&run, &mark); turn++) {
        war_turn(&run);
        war_turn(&mark);
    }
    *fate = (war_fate){turn, since};
    return 0;
}

#endif
