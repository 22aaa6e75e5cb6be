"""The summary of a run and its headline, which exists only while every check is green."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bmn import lengths as lt
from bmn import store
from bmn.build import ENGINE
from bmn.checks import ABOUT
from bmn.chunks import Search, read_table
from bmn.errors import InputError

QUANTILES = (0.1, 0.5, 0.9, 0.99)
"""Shares of the deals for which the summary tells tricks and card plays."""


def summarise(
    folder: str | Path, name: str, search: Mapping[str, Any], chunk_sizes: Sequence[int]
) -> dict[str, Any]:
    """Put a run into one JSON object, from its tables.

    Parameters
    ----------
    folder
        The results folder.
    name, search, chunk_sizes
        Of the configuration; ``search`` is its identity.

    Returns
    -------
    dict
        ``name``, ``search``, ``chunk_sizes``, ``totals``, ``quantiles``, ``fingerprint``,
        ``checks``, ``green`` and ``headline``; the headline is None if any check is red.
    """
    of = Search.described(search)
    lengths, plays, record = (
        read_table(of, Path(folder, f"{table}.parquet"))[0]
        for table in ("lengths", "plays", "record")
    )
    checks = {check: _tally(of, Path(folder, f"checks/{check}.parquet")) for check in ABOUT}
    green = all(not check["red"] for check in checks.values())
    return {
        "name": name,
        "search": dict(search),
        "chunk_sizes": list(chunk_sizes),
        "fingerprint": f"{lt.fingerprint(lengths):016x}",
        "totals": {
            column: lt.total(lengths, column)
            for column in ("deals", "card_plays", "captures", "leader_wins", "violations")
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


def read(folder: str | Path) -> dict[str, Any]:
    """Return the summary of a run, derived anew from its tables and compared with the file.

    Raises
    ------
    InputError
        If a file is missing or damaged, or ``summary.json`` does not follow from the tables.
    """
    path = Path(folder, "summary.json")
    told = store.read_json(path)
    try:
        derived = summarise(folder, told["name"], told["search"], told["chunk_sizes"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        derived = None
    if derived is None or told != derived:
        raise InputError(
            f"{path} does not follow from the tables beside it; delete it and run the workflow "
            "again"
        )
    return derived


def check_asked(
    path: str | Path, name: str, search: Mapping[str, Any], chunk_sizes: Sequence[int]
) -> None:
    """Make sure that a summary is of what a configuration asks for.

    Snakemake knows by its own records, in ``.snakemake/``, that results are of another
    configuration. Results that came from elsewhere have no records, or those of what was there
    before.

    Raises
    ------
    InputError
        If it is of something else.
    """
    told = store.read_json(path)
    asked = {"name": name, "chunk_sizes": list(chunk_sizes), **search}
    try:
        found = {"name": told["name"], "chunk_sizes": told["chunk_sizes"], **told["search"]}
    except (KeyError, TypeError):
        raise InputError(f"{path} is no summary; delete it and run the workflow again") from None
    for key in {**asked, **found}:
        if asked.get(key) != found.get(key):
            raise InputError(
                f"{path} is of a run with {key} {found.get(key)}, not {asked.get(key)} as in the "
                "configuration, and Snakemake has no record of how it was made; delete it and run "
                "the workflow again, or, if all results are of that run, play all deals again with "
                "`snakemake --cores all --forcerun chunk`"
            )


def headline_text(summary: Mapping[str, Any]) -> str:
    """Tell the headline in a few lines.

    Raises
    ------
    InputError
        If a check is red: then there is no headline, only what failed.
    """
    if not summary["green"]:
        red = [f"{name}: {item}" for name, c in summary["checks"].items() for item in c["red"]]
        way_out = "`bmn show` tells what was found"
        if summary["checks"]["binary"]["red"]:
            way_out = f"delete {ENGINE} and run the workflow again, which compiles it anew"
        raise InputError(
            f"no headline, since not everything checked is right: {'; '.join(red)}; {way_out}"
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


def _tally(search: Search, path: Path) -> dict[str, Any]:
    table, _ = read_table(search, path)
    red = [item for item, ok in zip(table["item"], table["ok"], strict=True) if not ok]
    return {"rows": len(table["ok"]), "red": red}
