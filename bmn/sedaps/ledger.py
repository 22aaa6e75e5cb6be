"""The ledger: every published claim beside what we compute, and whether they agree."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from bmn import store
from bmn.errors import InputError
from bmn.sedaps import tables
from bmn.sedaps.census import Completeness
from bmn.sedaps.facts import DATA, Fact, canonical

CLAIMS = DATA / "claims.json"
"""The published values, and the further statements that the ledger has a row for."""

STATUSES = {
    "PROVED": "a theorem; what we check is an instance of it",
    "CERT": "a deal, state or digest that anyone can replay",
    "COMPUTED": "an exact value found by a complete computation",
    "EVID": "seen in a sample; says nothing of what is outside it",
    "OPEN": "not known",
}
"""What the status of a claim means."""

VERDICTS = {
    "agree": "our value is the published one, or the statement holds wherever we looked",
    "differs": "it is not",
    "not reproducible": "the published data do not determine the value",
    "settled": "the published text leaves it loose; here it is made exact",
    "new": "ours, not published",
    "open": "an open question, and how far we have looked",
}
"""What a verdict means; the last three are of rows that are not published values."""

_OTHER_VERDICTS = {"loose": "settled", "ours": "new", "open": "open"}


class LedgerRow(NamedTuple):
    """One claim.

    Attributes
    ----------
    claim
        Its name.
    status
        A key of `STATUSES`.
    published, computed
        The values as JSON; a statement is its own published value. Empty where there is none.
    verdict
        A key of `VERDICTS`.
    title
        The claim in words.
    section
        Where it is published.
    kind
        ``published`` for a value of the claims file; ``theorem``, ``false``, ``loose``, ``ours``
        or ``open`` for a further statement.
    ours
        Whether the row is ours, not published.
    by, by_again
        How the value was computed, and how a second time; empty where there is no second way.
    twice
        Whether two implementations computed it and agree.
    why
        What else there is to say.
    source
        Where the published value is from.
    """

    claim: str
    status: str
    published: str
    computed: str
    verdict: str
    title: str
    section: str
    kind: str
    ours: bool
    by: str
    by_again: str
    twice: bool
    why: str
    source: str


def ledger(facts: Iterable[Fact]) -> list[LedgerRow]:
    """Put every claim beside its fact.

    A statement of ours without a fact is left out: it belongs to the full run.

    Raises
    ------
    InputError
        If a reproducible claim has no fact, a claim has two, or a fact belongs to no claim.
    """
    given = store.read_json(CLAIMS)
    by_claim: dict[str, Fact] = {}
    for fact in facts:
        if fact.claim in by_claim:
            raise InputError(f"the claim {fact.claim} was computed twice; remove one of its facts")
        by_claim[fact.claim] = fact
    rows = [_published(claim, by_claim, given["source"]) for claim in given["claims"]]
    for statement in given["statements"]:
        fact = by_claim.pop(statement["id"], None)
        if fact is not None:
            rows.append(_statement(statement, fact, given["source"]))
    if by_claim:
        raise InputError(
            f"facts were computed for {', '.join(sorted(by_claim))}, which {CLAIMS.name} does not "
            "list; add them there"
        )
    return rows


def _published(claim: dict[str, Any], by_claim: dict[str, Fact], source: str) -> LedgerRow:
    fact = by_claim.pop(claim["id"], None)
    published, why = canonical(claim["published"]), claim.get("why", "")
    if not claim["reproducible"]:
        verdict = "not reproducible"
    elif fact is None:
        raise InputError(
            f"nothing was computed for the claim {claim['id']}; run the workflow again"
        )
    else:
        same = fact.holds == "yes" if fact.holds else fact.computed == published
        verdict = "agree" if same and fact.agrees_again else "differs"
    return _row(claim, verdict, published, fact, "published", why, source)


def _statement(statement: dict[str, Any], fact: Fact, source: str) -> LedgerRow:
    kind = statement["kind"]
    verdict = _OTHER_VERDICTS.get(kind) or ("agree" if fact.holds == "yes" else "differs")
    ours = kind in ("ours", "open")
    published = "" if ours else canonical(statement["title"])
    why = statement.get("why", "")
    return _row(statement, verdict, published, fact, kind, why, "" if ours else source)


def _row(
    claim: dict[str, Any],
    verdict: str,
    published: str,
    fact: Fact | None,
    kind: str,
    why: str,
    source: str,
) -> LedgerRow:
    if fact is not None and not fact.agrees_again:
        verdict = "differs"
        why = f"our two implementations disagree: the second says {fact.again}"
    return LedgerRow(
        claim=claim["id"],
        status=claim["status"],
        published=published,
        computed=fact.computed if fact else "",
        verdict=verdict,
        title=claim["title"],
        section=claim.get("section", ""),
        kind=kind,
        ours=kind in ("ours", "open"),
        by=fact.by if fact else "",
        by_again=fact.by_again if fact else "",
        twice=bool(fact and fact.by_again and fact.agrees_again),
        why=why,
        source=source,
    )


def summary(rows: list[LedgerRow], checked: list[Completeness]) -> dict[str, Any]:
    """Count the verdicts and say whether everything is as it should be.

    Everything is, if every reproducible value agrees, every theorem holds, the statement known
    to be false is false, and every census is complete.
    """
    published = [row for row in rows if row.kind == "published"]
    unexpected = [row.claim for row in rows if (row.verdict == "differs") != (row.kind == "false")]
    incomplete = [f"{c.kind} {c.cards} by {c.method}" for c in checked if not c.complete]
    return {
        "published": len(published),
        "verdicts": dict(Counter(row.verdict for row in published)),
        "other": dict(Counter(row.verdict for row in rows if row.kind != "published")),
        "twice": sum(row.twice for row in published),
        "censuses": len(checked),
        "incomplete": incomplete,
        "unexpected": unexpected,
        "good": not incomplete and not unexpected,
    }


def value_text(value: str) -> str:
    """Write a JSON value for a reader: words as they are, numbers with thousands apart."""
    if not value:
        return ""
    return _plain(json.loads(value))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, str):
        return f"{int(value):,}" if value.isdigit() and len(value) > 4 else value
    if isinstance(value, list):
        inner = ", ".join(_plain(one) for one in value)
        return f"({inner})" if any(isinstance(one, list) for one in value) else inner or "none"
    if isinstance(value, dict):
        ordered = sorted(value.items(), key=_numbers_first)
        return "; ".join(f"{key}: {_plain(one)}" for key, one in ordered) or "none"
    return str(value)


def _numbers_first(item: tuple[str, Any]) -> tuple[bool, int, str]:
    key, _ = item
    return (False, int(key), "") if key.isdigit() else (True, 0, key)


def main(ledger_path: str, completeness_path: str, *facts_paths: str) -> None:
    """Read all facts and write the ledger."""
    checked, _ = tables.read(completeness_path, Completeness)
    rows = ledger(tables.read_all(facts_paths, Fact))
    tables.write(ledger_path, LedgerRow, rows, {"summary": summary(rows, checked)})
