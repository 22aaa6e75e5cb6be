"""What each check rules out, and what it does not, in plain words."""

from __future__ import annotations

from typing import Any, NamedTuple

from bmn.report.run import Run


class Claim(NamedTuple):
    """What is said of a check: its title, what it does, rules out, and leaves open."""

    title: str
    does: str
    rules_out: str = ""
    leaves: str = ""


CLAIMS = {
    "battery": Claim(
        "The battery",
        "Sets of deals (seeds from several places, single seeds, odd decks, small caps, deals "
        "other people published) are played by the compiled engine, with every kernel this "
        "machine can run, and by the slow reference. Each row compares the fingerprint of all "
        "its games.",
        "a slip in either implementation, or in one kernel, that changes the tricks, card plays "
        "or winner of any of these games.",
        "a misreading of the rules that both implementations share; the plants are for that.",
    ),
    "control": Claim(
        "A control that must fail",
        "The reference with one rule broken, the Ace demanding nothing, goes through the same "
        "battery. Every row with an Ace must come out differently, and every other row the same.",
        "a battery that cannot tell right from wrong.",
        "that some subtler fault slips through the battery.",
    ),
    "plants": Claim(
        "Plants",
        "Deals whose outcome is proved by hand: one that ends in exactly five tricks, one that "
        "cycles with period four (exact ordered states are compared), and traps for the order of "
        "turns. They enter the unmodified engine by the same door as searched deals.",
        "a shared misreading of the rules that these deals would bring out.",
        "a misreading that none of them touches.",
    ),
    "invariants": Claim(
        "Invariants of every deal",
        "The engine checks every single deal: the deck is a permutation, no card is lost, the "
        "loser ends with none. The count of violations must be zero, the tables must add up, and "
        "with a bit flipped in each of 10,000 deals the counter must count.",
        "a deal with a wrong deck, a lost card, or a counter that is blind.",
        "a wrong move that loses no card.",
    ),
    "decompositions": Claim(
        "Another decomposition",
        "The same seeds are searched again in chunks of another size. The length table, the table "
        "of card plays and the fingerprint must be identical.",
        "faults at the boundaries of chunks, seeds skipped or played twice, merging gone wrong.",
        "little else: it is the same engine, twice.",
    ),
    "replay": Claim(
        "The longest deals, replayed",
        "The longest deals of the search and the published record deals are played move by move "
        "by the slow reference.",
        "a record that is an artefact of the fast engine.",
        "that a longer deal of the search was cut short by a fault of the engine.",
    ),
    "binary": Claim(
        "The binary",
        "The engine is compiled again from the committed sources, in two folders, and its bytes "
        "compared with the one in use.",
        "an engine that is not made from these sources.",
        "a fault of the compiler, which is the same for all three; its version is in the table.",
    ),
    "expected": Claim(
        "The committed run",
        "The content digest of every result is compared with the one committed for the same "
        "search. A search nobody has committed has nothing to compare with.",
        "that this machine, or this version of the tools, computes something else.",
        "a fault that was there already when the digests were committed.",
    ),
}
"""The claims by the name of the check."""


def told(run: Run) -> list[dict[str, Any]]:
    """List the checks of a run with their rows, red ones first, in the order of the argument."""
    order = [*CLAIMS, *sorted(set(run.checks) - set(CLAIMS))]
    checks = []
    for name in order:
        if name not in run.checks:
            continue
        rows = run.checks[name]
        claim = CLAIMS.get(name, Claim(name.replace("_", " ").capitalize(), ""))
        red = sum(not row["ok"] for row in rows)
        checks.append({"name": name, "rows": rows, "red": red} | claim._asdict())
    return sorted(checks, key=lambda check: not check["red"])
