"""Facts: what we compute for a claim, by one implementation and, independently, by another."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bmn import store
from bmn.sedaps.rule import State

DATA = Path(__file__).resolve().parent / "data"
"""Where the published data are kept."""


class Fact(NamedTuple):
    """One computed value for a claim; a row of a facts table.

    Attributes
    ----------
    claim
        The claim's name.
    computed
        The value, as JSON; for a claim in words, what was found, as JSON text.
    holds
        Whether a claim in words is true: ``yes`` or ``no``; empty where values are compared.
    by
        How it was computed.
    again
        The value by a second implementation, as JSON; empty if there is none.
    by_again
        How that was computed.
    """

    claim: str
    computed: str
    holds: str
    by: str
    again: str
    by_again: str

    @property
    def agrees_again(self) -> bool:
        """Whether the two implementations agree, if there are two."""
        return not self.by_again or self.again == self.computed


_NONE = object()


def fact(claim: str, value: Any, by: str, again: Any = _NONE, by_again: str = "") -> Fact:
    """Make the fact of a claim whose value is compared with the published one."""
    second = "" if again is _NONE else canonical(again)
    return Fact(claim, canonical(value), "", by, second, by_again)


def statement(
    claim: str, holds: bool, found: Any, by: str, again: Any = _NONE, by_again: str = ""
) -> Fact:
    """Make the fact of a claim in words: whether it holds, and what was found."""
    made = fact(claim, found, by, again, by_again)
    return made._replace(holds="yes" if holds else "no")


def canonical(value: Any) -> str:
    """Write a value as JSON with sorted keys, so that equal values are equal texts."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@cache
def certificates() -> dict[str, Any]:
    """Return the published deals and endpoints."""
    return store.read_json(DATA / "certificates.json")


def state(queues: list[list[int]]) -> State:
    """Make a state of queues read from JSON."""
    return tuple(map(tuple, queues))


def turn_85() -> tuple[State, State]:
    """Return the published deal of the turn-85 certificate and its state at turn 85."""
    given = certificates()["turn85"]
    return state(given["deal"]), state(given["present"])


def presents() -> dict[int, State]:
    """Return the six published presents with four pasts each, by turn."""
    found = {given["turn"]: state(given["endpoint"]) for given in certificates()["four_for_four"]}
    return found | {85: turn_85()[1]}
