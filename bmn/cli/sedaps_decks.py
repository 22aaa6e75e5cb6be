"""``bmn sedaps census`` and ``bmn sedaps period``: whole decks of the three-queue War."""

from __future__ import annotations

import json
from typing import Any

import click

from bmn.cli.patience import interruptible, slow_progress
from bmn.errors import InputError
from bmn.sedaps import census, loops, periods, rigid, rule

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command("census")
@click.argument("kind", type=click.Choice([*census.KINDS, "loops"]))
@click.argument("cards", type=int)
@click.option(
    "--method",
    type=click.Choice(["tree", "enumeration", "both"]),
    default="tree",
    show_default=True,
    help="Comparison tree, or every state by itself.",
)
@JSON
def census_command(kind: str, cards: int, method: str, as_json: bool) -> None:
    """Count what becomes of every state of a small deck.

    \b
    KIND is one of
      three         every state of three queues, played to its end
      two           every state of two live queues, played to its end
      raw           every state of three live queues, until one empties
      packet        the same, states in packet form only
      synchronised  the same, sizes that are multiples of 3 only
      alternate     every alternate deal to two players
      loops         all loops of three live queues, found alone

    \b
    Examples:
      bmn sedaps census packet 14
      bmn sedaps census three 9 --method both
      bmn sedaps census loops 18
    """
    if kind == "loops":
        _loops_census(cards, as_json)
        return
    methods = ["tree", "enumeration"] if method == "both" else [method]
    for one in methods:
        census.check(kind, cards, one)
    results = [_count(kind, cards, one) for one in methods]
    if as_json:
        click.echo(json.dumps([told for _, told in results]))
    else:
        for _, told in results:
            for name, value in told.items():
                click.echo(f"{name.replace('_', ' '):<18} {_value(value)}")
    if len(results) == 2:
        same = census.same_outcomes(results[0][0], results[1][0])
        if not as_json:
            click.echo(f"{'same outcomes':<18} {_value(same)}")
        if not same:
            raise click.ClickException("the two methods disagree")


def _count(kind: str, cards: int, method: str) -> tuple[list[census.CensusRow], dict[str, Any]]:
    """Make a census, pattern by pattern, and say what it found."""
    patterns = census.patterns(kind, cards)
    rows, nodes = [], 0
    with slow_progress("size patterns", len(patterns)) as advance:
        for pattern in patterns:
            found, turns = interruptible(census.count, kind, cards, method, [pattern])
            rows += found
            nodes += turns
            advance(1)
    checked = census.completeness(rows, nodes)
    return rows, {
        "census": f"{kind}, {cards} cards, by {method}",
        "states": checked.counted,
        "closed_form": checked.closed_form,
        "complete": checked.complete,
        "nodes": nodes,
        "leaves": checked.leaves,
        "longest_play": census.longest(rows),
        "states_that_cycle": census.cycling(rows),
        "loops": census.loops(rows),
    }


def _loops_census(cards: int, as_json: bool) -> None:
    loops.check(cards)
    patterns = loops.patterns(cards, False)
    rows, nodes = [], 0
    with slow_progress("size patterns", len(patterns)) as advance:
        for pattern in patterns:
            found, turns = interruptible(loops.search, cards, [pattern])
            rows += found
            nodes += turns
            advance(1)
    counts = loops.count(rows)
    by_period = {period: number for (period, _), number in counts.items()}
    told = {
        "census": f"loops of three live queues, {cards} cards",
        "loops": by_period,
        "all_rigid": all(is_rigid for _, is_rigid in counts),
        "nodes": nodes,
    }
    if as_json:
        click.echo(json.dumps(told))
        return
    for name, value in told.items():
        click.echo(f"{name.replace('_', ' '):<18} {_value(value)}")


@click.command()
@click.argument("cards", type=int)
@click.option("--alpha", type=int, help="Two queues: cards of a queue when it is about to win.")
@click.option("--packets", help="Three queues: whole packets of A, B and C, like 2,2,12.")
@click.option("--anticlockwise", is_flag=True, help="Three queues: they win in the order A C B.")
@JSON
def period(
    cards: int, alpha: int | None, packets: str | None, anticlockwise: bool, as_json: bool
) -> None:
    """Tell the periods of loops by their formulas: all of a deck, or of given sizes.

    \b
    Examples:
      bmn sedaps period 51
      bmn sedaps period 51 --alpha 12
      bmn sedaps period 51 --packets 2,2,12
      bmn sedaps period 12 --packets 1,1,1 --anticlockwise --json
    """
    rule.deck(cards)
    if alpha is not None and packets is not None:
        raise InputError("give --alpha for two queues or --packets for three, not both")
    if alpha is not None:
        cycles = periods.cycle_lengths(periods.two_queue_sigma(cards, alpha))
        told = {"period": periods.two_queue_period(cards, alpha), "cycles_of_places": cycles}
    elif packets is not None:
        shape = _shape(cards, packets, not anticlockwise)
        told = {
            "period": shape.period,
            "sizes": list(shape.sizes),
            "cycles_of_places": periods.cycle_lengths(shape.sigma),
            "states": rigid.count_states(shape),
            "example": rule.key(shape.state),
        }
    else:
        evens = range(2, cards - 1, 2) if cards % 2 else []
        shapes = periods.rigid_shapes(cards) if cards % 3 == 0 else []
        told = {
            "two_queues": sorted({periods.two_queue_period(cards, alpha) for alpha in evens}),
            "three_queues_rigid": sorted({shape.period for shape in shapes}),
        }
    if as_json:
        click.echo(json.dumps({"cards": cards} | told))
        return
    for name, value in told.items():
        click.echo(f"{name.replace('_', ' '):<18} {_value(value)}")


def _shape(cards: int, packets: str, clockwise: bool) -> periods.RigidShape:
    try:
        a, b, c = (int(number) for number in packets.split(","))
    except ValueError:
        raise InputError(
            f"--packets {packets!r} is not three numbers with commas; write them like 2,2,12"
        ) from None
    shape = periods.RigidShape((a, b, c), clockwise)
    if min(a, b, c) < 1 or shape.cards != cards:
        raise InputError(
            f"{a}, {b} and {c} packets make no rigid loop of {cards} cards; give three numbers of "
            f"at least 1 that add up to {max(cards // 3 - 1, 3)}"
            + ("" if cards % 3 == 0 and cards >= 12 else ", and a multiple of 3 cards from 12 on")
        )
    return shape


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return ", ".join(f"{one:,}" for one in value) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{number:,} of period {key:,}" for key, number in value.items()) or "none"
    return str(value)
