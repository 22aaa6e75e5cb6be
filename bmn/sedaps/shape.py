"""Shapes of queues: packets led by their largest card, and what they say of a state's past."""

from __future__ import annotations

from bmn.sedaps.rule import State, live_seats

Queue = tuple[int, ...]


def led(queue: Queue, free: int, size: int = 3) -> bool:
    """Return whether the queue behind its free cards is packets, each led by its largest."""
    if (len(queue) - free) % size:
        return False
    return all(max(queue[i : i + size]) == queue[i] for i in range(free, len(queue), size))


def splits(queue: Queue) -> bool:
    """Return whether a queue is 0 to 2 free cards, then threes, then twos, led by their largest."""
    end = len(queue)
    while not led(queue[:end], end % 3):
        if end < 2 or queue[end - 1] > queue[end - 2]:
            return False
        end -= 2
    return True


def has_shape(state: State, turn: int) -> bool:
    """Return whether a state has the shape every state has so many turns after a fair deal.

    In a fair deal each of three queues is dealt m cards, a third of the deck. While three queues
    live, each has p free cards and then threes, with p = m - turn before turn m and m - turn
    mod 3 from then on. With two live queues the turn is at least m and each queue `splits`. The
    test speaks only of states with at least two live queues; it is false for others.
    """
    live = live_seats(state)
    dealt = sum(map(len, state)) // 3
    if len(live) == 3:
        free = dealt - turn if turn < dealt else (dealt - turn) % 3
        return all(len(queue) >= free and led(queue, free) for queue in state)
    return len(live) == 2 and turn >= dealt and all(map(splits, state))


def in_packet_form(state: State) -> bool:
    """Return whether each queue is size mod 3 free cards, then threes led by their largest."""
    return all(led(queue, len(queue) % 3) for queue in state)


def prefix_cuts(queue: Queue) -> list[int]:
    """List the places behind which a queue is nothing but threes and twos led by their largest."""
    size = len(queue)
    good = [False] * size + [True]
    for i in range(size - 1, -1, -1):
        good[i] = any(
            i + k <= size and good[i + k] and max(queue[i : i + k]) == queue[i] for k in (2, 3)
        )
    return [place for place, cut in enumerate(good) if cut]


def prefix_floor(queue: Queue) -> int:
    """Return the least number of cards that must be free in front of a queue's packets."""
    return prefix_cuts(queue)[0]
