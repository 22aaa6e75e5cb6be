"""What each check does, and what it rules out and does not, in plain words."""

from __future__ import annotations

from typing import Any

from bmn.checks import ABOUT
from bmn.published import grouped
from bmn.report.run import Run

CHECKS = {
    "battery": (
        "The battery",
        "Sets of deals (seeds from several places, single seeds, odd decks, small caps, deals "
        "other people published) are played by the compiled engine, with every kernel this "
        "machine can run, and by the slow reference. Each row compares the fingerprint of all "
        "its games.",
    ),
    "control": (
        "A control that must fail",
        "The reference with one rule broken, the Ace demanding nothing, goes through the same "
        "battery. Every row with an Ace must come out differently, and every other row the same.",
    ),
    "plants": (
        "Plants",
        "Deals whose outcome is proved by hand: one that ends in exactly five tricks, one that "
        "cycles with period four (exact ordered states are compared), and traps for the order of "
        "turns. They enter the unmodified engine by the same door as searched deals.",
    ),
    "invariants": (
        "Invariants of every deal",
        "The engine checks every single deal: the deck is a permutation, no card is lost, the "
        "loser ends with none. The count of violations must be zero, the tables must add up, and "
        "with a bit flipped in each of 10,000 deals the counter must count.",
    ),
    "decompositions": (
        "Another decomposition",
        "The same seeds are searched again in chunks of another size. The length table, the table "
        "of card plays and the fingerprint must be identical.",
    ),
    "replay": (
        "The longest deals, replayed",
        "The longest deals of the search and the published record deals are played move by move "
        "by the slow reference.",
    ),
    "binary": (
        "The binary",
        "The engine is compiled again from the committed sources, in two folders, and its bytes "
        "compared with the one in use.",
    ),
    "expected": (
        "The committed run",
        "The content digest of every result is compared with the one committed for the same "
        "search. A search nobody has committed has nothing to compare with.",
    ),
}
"""Title and description of every check, in the order of the argument."""


def _told(text: str) -> str:
    return {"True": "yes", "False": "no"}.get(text) or grouped(text)


def told(run: Run) -> list[dict[str, Any]]:
    """List the checks of a run with their rows, red ones first.

    Returns
    -------
    list of dict
        ``name``, ``title``, ``does``, ``rules_out``, ``leaves`` (what it does not rule out),
        ``rows``, and ``red``, how many of them.
    """
    order = [*CHECKS, *sorted(set(run.checks) - set(CHECKS))]
    checks = []
    for name in (name for name in order if name in run.checks):
        title, does = CHECKS.get(name, (name.replace("_", " ").capitalize(), ""))
        rules_out, leaves = ABOUT.get(name, ("", ""))
        rows = run.checks[name]
        if name == "invariants":
            rows = [row | {key: _told(row[key]) for key in ("expected", "found")} for row in rows]
        checks.append(
            {
                "name": name,
                "title": title,
                "does": does,
                "rules_out": rules_out,
                "leaves": leaves,
                "rows": rows,
                "red": sum(not row["ok"] for row in rows),
            }
        )
    return sorted(checks, key=lambda check: not check["red"])
