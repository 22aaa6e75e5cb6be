"""``bmn sedaps``: one state, deck or turn of the three-queue War."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import click

from bmn.cli.patience import interruptible, slow_progress
from bmn.cli.sedaps_decks import JSON, census_command, period
from bmn.errors import InputError
from bmn.sedaps import backward, deals, fates, rule
from bmn.sedaps.rule import State

TURN = click.option("--turn", type=int, required=True, help="Turns since the deal.")


@click.group()
def sedaps() -> None:
    """Play the three-queue War with distinct cards.

    The largest of the front cards wins the pot.

    A STATE is written as its queues, front card first, with commas between cards and bars between
    queues, in quotes: "6,0,1|2,10,7,3|4,8,11,5,9". The deck of n cards is 0 to n - 1, except for
    51 cards: 0 to 51 without 7. Instead of a STATE give --seed, and --after to play on from there.

    \b
    Examples:
      bmn sedaps fate --seed 5
      bmn sedaps preds --seed 510053 --python --after 85
      bmn sedaps period 51 --packets 2,2,12
    """


sedaps.add_command(census_command)
sedaps.add_command(period)


def _state_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument STATE and the options that stand for it."""

    @click.argument("text", metavar="[STATE]", required=False)
    @click.option("--seed", type=int, help="The deal of this seed instead of a STATE.")
    @click.option(
        "--cards", type=int, default=51, show_default=True, help="The deck that is dealt."
    )
    @click.option(
        "--queues",
        type=click.IntRange(2, 3),
        default=3,
        show_default=True,
        help="Queues that it is dealt to.",
    )
    @click.option("--python", is_flag=True, help="Shuffle by Python's generator, not mulberry32.")
    @click.option("--after", type=int, default=0, help="Play so many turns first.")
    @functools.wraps(command)
    def wrapped(
        text: str | None,
        seed: int | None,
        cards: int,
        queues: int,
        python: bool,
        after: int,
        **options: Any,
    ) -> None:
        if (text is None) == (seed is None):
            raise InputError('give either a STATE, like "6,0,1|2,3|4,5", or --seed N')
        if text is not None:
            state = rule.parse(text)
        elif python:
            state = deals.deal_python(seed, cards, queues)
        else:
            state = deals.deal_seed(seed, cards, queues)
        if not 0 <= after <= fates.LIMIT:
            raise InputError(f"--after {after} is out of range; give 0 to {fates.LIMIT}")
        state, winners = fates.advance(state, after)
        if len(winners) < after:
            raise InputError(
                f"play ends after {len(winners)} turns, before --after {after}; give at most that"
            )
        command(state, **options)

    return wrapped


@sedaps.command()
@_state_options
@click.option(
    "--limit", type=int, default=fates.LIMIT, show_default=True, help="Turns to give up after."
)
@JSON
def fate(state: State, limit: int, as_json: bool) -> None:
    """Say how play from a state ends, or which loop it enters.

    \b
    Examples:
      bmn sedaps fate --seed 5
      bmn sedaps fate --seed 1 --json
      bmn sedaps fate "6,0,1|2,10,7,3|4,8,11,5,9"
      bmn sedaps fate --seed 11 --cards 20 --queues 2
    """
    if limit < 0:
        raise InputError(f"--limit {limit} is out of range; give 0 or more")
    found = fates.fate(state, limit=limit)
    last, _ = fates.advance(state, found.turns)
    about: dict[str, Any] = _about(state) | {"ends": found.ends, "turns": found.turns}
    if len(state) == 3:
        first = fates.fate(state, stop=3, limit=limit)
        about["first_elimination"] = first.turns if first.ends else None
    about["then"] = _about(last)
    if not found.ends:
        about["loop"] = fates.describe_loop(last, found.period)._asdict()
    if as_json:
        click.echo(json.dumps(about))
        return
    _tell(state)
    if about.get("first_elimination") is not None:
        click.echo(f"first queue empty  after {about['first_elimination']:,} turns")
    if found.ends:
        click.echo(f"ends               after {found.turns:,} turns")
    else:
        click.echo("never ends")
        click.echo(f"loop               first met after {found.turns:,} turns")
        click.echo(f"period             {found.period:,} turns")
        click.echo(f"live queues        {_loop_text(about['loop'])}")
    click.echo(f"sizes then         {_sizes(last)}")
    click.echo(f"state then         {rule.key(last)}")


@sedaps.command()
@_state_options
@JSON
def preds(state: State, as_json: bool) -> None:
    """List the states whose next turn leads to a state, by branch label.

    \b
    Examples:
      bmn sedaps preds --seed 510053 --python --after 85
      bmn sedaps preds "2,1,0|5,4,3|"
    """
    found = rule.branches(state)
    if as_json:
        pasts = {label: _about(past) for label, past in found.items()}
        click.echo(json.dumps(_about(state) | {"predecessors": pasts}))
        return
    _tell(state)
    click.echo(f"predecessors       {len(found)}")
    for label, past in found.items():
        click.echo(f"{label}  sizes {_sizes(past)}  {rule.digest(past)}")
        click.echo(f"    {rule.key(past)}")


@sedaps.command()
@_state_options
@TURN
@click.option("--to", type=int, help="Search from every turn up to this one.")
@click.option(
    "--cap",
    type=click.IntRange(min=1),
    default=backward.CAP,
    show_default=True,
    help="States to expand before giving up.",
)
@JSON
def explore(state: State, turn: int, to: int | None, cap: int, as_json: bool) -> None:
    """Search backward from a state for the fair deals that lead to it at a turn.

    \b
    Examples:
      bmn sedaps explore --seed 1 --after 12 --turn 12
      bmn sedaps explore --seed 510053 --python --after 85 --turn 17 --to 27
    """
    if to is not None and to < turn:
        raise InputError(f"--to {to} is before --turn {turn}; give a later turn")
    if to is not None:
        backward.check(state, to)
    turns = range(turn, turn + 1 if to is None else to + 1)
    with slow_progress("turns", len(turns)) as advance:
        rows = []
        for at in turns:
            found = interruptible(backward.search_back, state, at, cap)
            rows.append({"turn": at} | found._asdict())
            advance(1)
    if as_json:
        click.echo(json.dumps(_about(state) | {"searches": rows}))
        return
    _tell(state)
    click.echo(f"{'turn':>6} {'expanded':>10} {'lowest':>7} {'deals':>10}")
    for row in rows:
        lowest = "-" if row["lowest"] is None else row["lowest"]
        capped = "  gave up" if row["capped"] else ""
        line = f"{row['turn']:>6} {row['expanded']:>10,} {lowest:>7} {row['deals']:>10,}{capped}"
        click.echo(line)


@sedaps.command()
@_state_options
@TURN
@click.option("--walk", is_flag=True, help="Walk to every deal instead of using the formula.")
@JSON
def histories(state: State, turn: int, walk: bool, as_json: bool) -> None:
    """Count the fair deals that lead to a state at a turn, by its past.

    \b
    Examples:
      bmn sedaps histories --seed 510053 --python --after 85 --turn 85
      bmn sedaps histories --seed 1 --after 30 --turn 30 --json
    """
    found = interruptible(backward.histories, state, turn, 0 if walk else None)
    if as_json:
        click.echo(json.dumps(_about(state) | {"turn": turn} | found._asdict()))
        return
    _tell(state)
    click.echo(f"deals              {found.deals:,}")
    for label, number in found.branches.items():
        click.echo(f"  through {label}       {number:,}")
    click.echo(f"states searched    {found.searched:,}, boundary states {found.boundary:,}")


def _about(state: State) -> dict[str, Any]:
    return {"state": rule.key(state), "sizes": rule.sizes(state), "digest": rule.digest(state)}


def _tell(state: State) -> None:
    click.echo(f"sizes              {_sizes(state)}")
    click.echo(f"state              {rule.key(state)}")
    click.echo(f"digest             {rule.digest(state)}")


def _sizes(state: State) -> str:
    return ", ".join(map(str, rule.sizes(state)))


def _loop_text(loop: dict[str, Any]) -> str:
    if loop["live"] == 3:
        return "three" + (", rigid: one packet head a turn, and it wins" if loop["rigid"] else "")
    if not loop["alternates"]:
        return "two, which do not win in turn"
    formula = f", period by formula {loop['formula']:,}" if loop["formula"] else ""
    return f"two, which win in turn; alpha {loop['alpha']}{formula}"
