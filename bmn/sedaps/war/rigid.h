/* Rigid loops by direct enumeration: every state of a size pattern whose largest card stands at
   the head of a packet, followed as long as the one packet head in front wins the turn. */
#ifndef WAR_RIGID_H
#define WAR_RIGID_H

#include "enumerate.h"

typedef struct {
    uint32_t heads;  /* ranks of all packet heads, a bit each */
    uint32_t period;
    uint64_t states;
} war_rigid_row;

enum { WAR_RIGID_ROWS = 1024 };

typedef struct {
    int cards, seat[16], shift[16], head[16];
    war_packed state;
    uint64_t states;
    war_rigid_row row[WAR_RIGID_ROWS];
    int rows, full;
} war_rigid;

static void war_rigid_play(war_rigid *r, uint32_t heads)
{
    war_packed run = r->state;
    uint32_t turn = 0;
    r->states++;
    do {
        int in_front = 0;
        for (int seat = 0; seat < 3; seat++)
            in_front += run.size[seat] % 3 == 0;
        uint32_t size[3] = {run.size[0], run.size[1], run.size[2]};
        if (in_front != 1 || size[war_packed_turn3(&run)] % 3)
            return;
        turn++;
    } while (!war_packed_same(&run, &r->state));
    int row = 0;
    while (row < r->rows && (r->row[row].heads != heads || r->row[row].period != turn))
        row++;
    if (row == WAR_RIGID_ROWS) {
        r->full = 1;
        return;
    }
    if (row == r->rows)
        r->row[r->rows++] = (war_rigid_row){heads, turn, 0};
    r->row[row].states++;
}

static void war_rigid_place(war_rigid *r, int position, uint32_t left, uint32_t heads)
{
    if (position == r->cards) {
        war_rigid_play(r, heads);
        return;
    }
    int seat = r->seat[position], shift = r->shift[position];
    uint64_t others = r->state.queue[seat] & ~((uint64_t)15 << shift);
    for (uint32_t may = left; may; may &= may - 1) {
        uint32_t rank = (uint32_t)__builtin_ctz(may);
        if (rank == (uint32_t)r->cards - 1 && !r->head[position])
            continue;
        r->state.queue[seat] = others | (uint64_t)rank << shift;
        war_rigid_place(r, position + 1, left ^ 1u << rank,
                        heads | (uint32_t)r->head[position] << rank);
    }
}

static void war_rigid_enumerate(war_rigid *r, const int size[3])
{
    int position = 0;
    for (int seat = 0; seat < 3; seat++) {
        r->state.size[seat] = (uint32_t)size[seat];
        for (int i = 0; i < size[seat]; i++, position++) {
            r->seat[position] = seat;
            r->shift[position] = 4 * i;
            r->head[position] = (size[seat] - i) % 3 == 0;
        }
    }
    r->cards = position;
    war_rigid_place(r, 0, (1u << position) - 1, 0);
}

#endif
