"""The summary of a run and its headline, which exists only while every check is green."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bmn import lengths as lt
from bmn import store
from bmn.config import Config
from bmn.errors import InputError

QUANTILES = (0.1, 0.5, 0.9, 0.99)
"""Shares of the deals for which the summary tells tricks and card plays."""


def summarise(
    config: Config,
    lengths_path: str | Path,
    plays_path: str | Path,
    record_path: str | Path,
    check_paths: Mapping[str, str],
) -> dict[str, Any]:
    """Put a run into one JSON object.

    Returns
    -------
    dict
        ``search``, ``totals``, ``quantiles``, ``fingerprint``, ``checks``, ``green`` and
        ``headline``; the headline is None if any check is red.
    """
    lengths, _ = store.read(lengths_path)
    plays, _ = store.read(plays_path)
    record, _ = store.read(record_path)
    checks = {name: _tally(path) for name, path in check_paths.items()}
    green = all(not check["red"] for check in checks.values())
    return {
        "name": config.name,
        "search": config.identity,
        "chunk_sizes": list(config.chunk_sizes),
        "fingerprint": f"{lt.fingerprint(lengths):016x}",
        "totals": {
            name: lt.total(lengths, name)
            for name in ("deals", "card_plays", "captures", "leader_wins", "violations")
        }
        | {"capped": lt.capped(lengths)},
        "quantiles": {
            "tricks": {str(q): lt.quantile(lengths, "tricks", q) for q in QUANTILES},
            "card_plays": {str(q): lt.quantile(plays, "card_plays", q) for q in QUANTILES},
        },
        "checks": checks,
        "green": green,
        "headline": _headline(record) if green else None,
    }


def headline_text(summary: Mapping[str, Any]) -> str:
    """Tell the headline in a few lines.

    Raises
    ------
    InputError
        If a check is red: then there is no headline, only what failed.
    """
    if not summary["green"]:
        red = [f"{name}: {item}" for name, c in summary["checks"].items() for item in c["red"]]
        raise InputError(
            f"no headline, since not everything checked is right: {'; '.join(red)}; "
            "`bmn show` tells what was found"
        )
    best, search, totals = summary["headline"], summary["search"], summary["totals"]
    if best is None:
        return (
            f"Every one of {search['seeds']:,} deals was still undecided after "
            f"{search['cap']:,} tricks, so there is no longest.\n"
        )
    last = search["first_seed"] + search["seeds"] - 1
    capped = f"{totals['capped']:,} deals were capped at {search['cap']:,} tricks"
    compared = summary["checks"]["expected"]["rows"]
    return (
        f"The longest of {search['seeds']:,} seeded deals (seeds {search['first_seed']} to {last})"
        f" lasts {best['tricks']:,} tricks\n"
        f"and {best['card_plays']:,} card plays ({best['tricks_mann']:,} tricks and "
        f"{best['cards_mann']:,} cards in Mann's convention).\n"
        f"seed         {best['seed']} = 0x{best['seed_hex']}\n"
        f"deal         {best['deal']}\n"
        f"fingerprint  {summary['fingerprint']}\n"
        f"checks       all {sum(check['rows'] for check in summary['checks'].values())} green; "
        f"{'equal to the committed run' if compared else 'no committed run of this search'}\n"
        f"A record of this search, not of all deals; {capped}.\n"
    )


def _headline(record: store.Columns) -> dict[str, Any] | None:
    """Return the longest deal, or None if every deal was capped."""
    if not len(record["rank"]):
        return None
    return {name: values.tolist()[0] for name, values in record.items()}


def _tally(path: str) -> dict[str, Any]:
    table, _ = store.read(path)
    red = [item for item, ok in zip(table["item"], table["ok"], strict=True) if not ok]
    return {"rows": len(table["ok"]), "red": red}
