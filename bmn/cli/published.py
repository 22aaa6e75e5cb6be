"""``bmn published``: what others published, measured again."""

from __future__ import annotations

import json

import click

from bmn.cli.options import count


@click.command()
@click.option("--all", "everything", is_flag=True, help="Show every row, not only what differs.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON: every row.")
def published(everything: bool, as_json: bool) -> None:
    """Measure the published numbers again, say what differs.

    Known deals are played by both implementations; then single claims are measured. Statistics
    of random deals need a search: see results/published/ after a run of the workflow.

    \b
    Examples:
      bmn published
      bmn published --all
      bmn published --json
    """
    from bmn import published as measured

    records, claims = _rows(measured.records()), _rows(measured.claims())
    if as_json:
        click.echo(json.dumps({"records": records, "claims": claims}))
        return
    right = sum(row["verdict"] == measured.AGREES for row in records)
    click.echo(f"known deals  {right} of {len(records)} agree")
    for row in records:
        if everything or row["verdict"] == measured.DIFFERS:
            click.echo(f"  {row['verdict']:<8} {row['name']}: {_numbers(row)}")
    right = sum(row["verdict"] == measured.AGREES for row in claims)
    click.echo(f"claims       {right} of {len(claims)} agree")
    for row in claims:
        if everything or row["verdict"] == measured.DIFFERS:
            why = f" ({row['why']})" if row["why"] else ""
            click.echo(
                f"  {row['verdict']:<8} {row['claim']}: {measured.grouped(row['ours'])}{why}"
            )


def _numbers(row: dict) -> str:
    """Tell our counts: in the convention of what was published, if any was."""
    from bmn import published as measured

    plain, convention = _length(row["tricks"], row["card_plays"]), row["convention"]
    if not row["ends"]:
        period = f"period {_length(row['period_tricks'], row['period_cards'])}"
        return f"{plain} {convention}, {period}" if convention else period
    if convention is None:
        return plain
    return f"{_length(*measured.counted(row['deal'], convention))} in the convention: {convention}"


def _length(tricks: int, cards: int) -> str:
    return f"{count(tricks, 'trick')}, {count(cards, 'card')}"


def _rows(table: dict) -> list[dict]:
    columns = (values.tolist() for values in table.values())
    return [dict(zip(table, row, strict=True)) for row in zip(*columns, strict=True)]
