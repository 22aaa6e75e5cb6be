"""The rule of the three-queue War, in plain Python: states, turns, predecessors, digests.

Distinct cards, larger wins. Every live (non-empty) queue plays its front card; the largest card
wins, and the winner appends the pot in seat order, beginning with its own card. With fewer than
two live queues play is over. The same rule holds for two queues.
"""

from __future__ import annotations

import hashlib
from itertools import combinations

from bmn.cards import shorten
from bmn.errors import InputError

State = tuple[tuple[int, ...], ...]
"""Two or three queues of cards, front card first; some may be empty."""

MAX_CARDS = 256
"""The largest number of cards in a state."""


def deck(cards: int) -> tuple[int, ...]:
    """Return the deck of a given size, in ascending order.

    It is 0 to n - 1, except for 51 cards: the standard deck 0 to 51 without card 7.

    Raises
    ------
    InputError
        If there are fewer than 1 or more than `MAX_CARDS` cards.
    """
    if not 1 <= cards <= MAX_CARDS:
        raise InputError(f"a deck of {cards} cards is not possible; give 1 to {MAX_CARDS} cards")
    return tuple(card for card in range(52) if card != 7) if cards == 51 else tuple(range(cards))


def parse(text: str) -> State:
    """Read a state written as its key, for example ``6,0,1|2,3|4,5``.

    Raises
    ------
    InputError
        If it cannot be read, or is not a state (see `check`).
    """
    queues = text.strip().split("|")
    try:
        state = tuple(
            tuple(int(card) for card in q.split(",")) if q.strip() else () for q in queues
        )
    except ValueError:
        raise InputError(
            f"the state {shorten(text)} is not numbers with , between cards and | between queues; "
            "write it like 6,0,1|2,3|4,5"
        ) from None
    return check(state)


def check(state: State) -> State:
    """Return the state, or raise `InputError` if it is not one.

    Raises
    ------
    InputError
        If there are not two or three queues, no cards at all, a card twice, or a card that is
        not in the deck of that size.
    """
    if len(state) not in (2, 3):
        raise InputError(
            f"the state has {len(state)} queue{'s' * (len(state) != 1)}; "
            "write two or three, with | between them (an empty queue is written as nothing)"
        )
    cards = [card for queue in state for card in queue]
    if not cards:
        raise InputError("all queues of the state are empty; give at least one a card")
    known = deck(len(cards))
    for seat, queue in enumerate(state):
        for place, card in enumerate(queue, 1):
            if card not in known:
                text = "0 to 51 without 7" if len(known) == 51 else f"0 to {len(known) - 1}"
                raise InputError(
                    f"card {card} (place {place} of queue {seat}) is not in the deck of "
                    f"{len(known)} cards; its cards are {text}"
                )
            if cards.count(card) > 1:
                raise InputError(
                    f"card {card} (place {place} of queue {seat}) is there "
                    f"{cards.count(card)} times; give every card once"
                )
    return state


def key(state: State) -> str:
    """Write a state in one line: cards joined by commas, queues by bars."""
    return "|".join(",".join(map(str, queue)) for queue in state)


def digest(state: State) -> str:
    """Return the SHA-256 of the key, in hex."""
    return hashlib.sha256(key(state).encode()).hexdigest()


def sizes(state: State) -> tuple[int, ...]:
    """Return the number of cards in each queue."""
    return tuple(map(len, state))


def live_seats(state: State) -> list[int]:
    """List the seats whose queues are not empty."""
    return [seat for seat, queue in enumerate(state) if queue]


def winner(state: State) -> int | None:
    """Return the seat that wins the next turn, or None if play is over."""
    fronts = [queue[0] if queue else -1 for queue in state]
    live = len(fronts) - fronts.count(-1)
    return fronts.index(max(fronts)) if live > 1 else None


def turn(state: State) -> State | None:
    """Play one turn, or return None if play is over."""
    won = winner(state)
    if won is None:
        return None
    pot = tuple(queue[0] for queue in state[won:] + state[:won] if queue)
    return tuple(
        [queue[1:] + pot if seat == won else queue[1:] for seat, queue in enumerate(state)]
    )


def predecessors(state: State) -> list[State]:
    """List the states whose next turn leads here, in lexicographic order: at most four.

    For every set of two or more seats that contains all live ones, and every live winner in it
    whose last cards, one for each seat of the set, are led by their largest: those cards go back,
    in seat order from the winner, to the fronts of the set. What results always plays forward to
    the state, so nothing needs to be replayed.
    """
    live = live_seats(state)
    seats = range(len(state))
    found = []
    for size in range(2, len(state) + 1):
        for chosen in combinations(seats, size):
            if not set(live) <= set(chosen):
                continue
            for won in live:
                pot = state[won][-size:]
                if len(pot) < size or max(pot) != pot[0]:
                    continue
                before = list(state)
                before[won] = state[won][:-size]
                order = [(won + step) % len(state) for step in seats]
                for card, seat in zip(pot, (s for s in order if s in chosen), strict=True):
                    before[seat] = (card, *before[seat])
                found.append(tuple(before))
    return sorted(found)


def branches(state: State) -> dict[str, State]:
    """Return the predecessors by branch label: 00, 01, 10, 11 where there are four of them."""
    return {f"{index:02b}": before for index, before in enumerate(predecessors(state))}


def ranks(state: State) -> tuple[bytes, ...]:
    """Replace every card by its rank in the deck, as the compiled half wants it."""
    rank = {card: i for i, card in enumerate(deck(sum(sizes(state))))}
    return tuple(bytes(rank[card] for card in queue) for queue in state)


def from_ranks(queues: tuple[bytes, ...]) -> State:
    """Replace every rank by its card; the inverse of `ranks`."""
    cards = deck(sum(map(len, queues)))
    return tuple(tuple(cards[rank] for rank in queue) for queue in queues)
