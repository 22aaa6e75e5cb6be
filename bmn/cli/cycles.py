"""Beyond playing: cycles, backward play, the number of deals, and censuses."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING

import click

from bmn import rules as rule_sets
from bmn.cards import Deck, parse_hands
from bmn.cli.game import DASHES, RULES
from bmn.cli.options import WORKERS, count
from bmn.cli.patience import interruptible
from bmn.explore import backward, cycles
from bmn.game import Game

if TYPE_CHECKING:
    import pandas as pd

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
LIMIT = click.option(
    "--limit",
    type=click.IntRange(min=1),
    default=backward.DEFAULT_LIMIT,
    show_default=True,
    help="The most states to list.",
)


@click.command(context_settings=DASHES)
@click.argument("deal")
@RULES
@click.option("--distinct", is_flag=True, help="Tell plain cards apart.")
@click.option(
    "--budget",
    type=int,
    default=cycles.DEFAULT_BUDGET,
    show_default=True,
    help="Tricks to give up after.",
)
@JSON
def cycle(deal: str, rules: str, distinct: bool, budget: int, as_json: bool) -> None:
    """Say whether the game of DEAL ends or comes back.

    It comes back when a state occurs again. A state is both hands in order and who leads. Exit code
    0 in either case.

    \b
    Examples:
      bmn cycle ---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA
      bmn cycle ---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA --distinct
      bmn cycle -----J/Q-Q-J- --json
    """
    rule_set = rule_sets.rules_of(rules)
    found = cycles.cycle(deal, rules=rule_set, distinct_plain_cards=distinct, budget=budget)
    if found is None:
        game = cycles.decide(parse_hands(deal, rule_set.players), rule_set, budget)
        click.echo(_ends_json(deal, game) if as_json else _ends(game))
    elif as_json:
        first = {
            name: getattr(found, name)
            for name in ("tricks_at_first_repeat", "cards_at_first_repeat")
        }
        click.echo(json.dumps({"deal": deal, "ends": False} | asdict(found) | first))
    else:
        stops = rule_set.stop_on_repeat or rule_set.stop_tricks is not None
        click.echo(_cycles(found, stops))


def _ends(game: Game) -> str:
    return (
        f"ends       after {count(game.tricks, 'trick')} and {count(game.card_plays, 'card play')}"
    )


def _ends_json(deal: str, game: Game) -> str:
    return json.dumps({"deal": deal, "ends": True} | asdict(game))


def _cycles(found: cycles.Cycle, stops: bool) -> str:
    lines = [
        "never ends" + ", unless a house rule stops it" * stops,
        f"preperiod  {_length(found.preperiod_tricks, found.preperiod_cards)}",
        f"period     {_length(found.period_tricks, found.period_cards)}",
    ]
    if found.laps > 1:
        lines.append(f"laps       {found.laps:,} until the plain cards are in their places")
    if found.period_tricks_seat_normalised != found.period_tricks:
        lines.append(
            f"seats      exchanged after {count(found.period_tricks_seat_normalised, 'trick')}"
        )
    lines.append(
        f"repeats    after {count(found.tricks_at_first_repeat, 'trick')} and "
        f"{count(found.cards_at_first_repeat, 'card')} for the first time"
    )
    return "\n".join(lines)


def _length(tricks: int, cards: int) -> str:
    return f"{count(tricks, 'trick')}, {count(cards, 'card')}"


@click.command(context_settings=DASHES)
@click.argument("deal")
@click.option("--depth", type=click.IntRange(min=0), help="The greatest distance, in tricks.")
@click.option("--all", "everything", is_flag=True, help="List every state, not only the deals.")
@LIMIT
@JSON
def basin(deal: str, depth: int | None, everything: bool, limit: int, as_json: bool) -> None:
    """List all balanced deals that run into the cycle of DEAL.

    States are written LEADER/OTHER; levels are tricks to the cycle.

    \b
    Examples:
      bmn basin ---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA
      bmn basin J--/-J- --all
      bmn basin J--/-J- --json
    """
    table = backward.basin(deal, depth=depth, limit=limit)
    _tell_tree(table, everything, as_json)


@click.command(context_settings=DASHES)
@click.argument("state")
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="How many tricks back.",
)
@LIMIT
@JSON
def predecessors(state: str, depth: int, limit: int, as_json: bool) -> None:
    """List every state that comes to STATE in one trick.

    STATE is written LEADER/OTHER.

    \b
    Examples:
      bmn predecessors --J-/K-
      bmn predecessors ---A----K---/-Q--J- --depth 3
    """
    if depth == 1:
        states = backward.predecessors(state)
        click.echo(json.dumps(states) if as_json else "\n".join(states) or "none")
    else:
        _tell_tree(backward.ancestors(state, depth, limit=limit), True, as_json)


def _tell_tree(table: pd.DataFrame, everything: bool, as_json: bool) -> None:
    """Print the levels of a tree, and its balanced deals or all its states."""
    listed = table if everything or as_json else table[table["balanced"]]
    if as_json:
        click.echo(json.dumps(listed.to_dict("records")))
        return
    levels = table["level"].value_counts().sort_index()
    balanced = int(table["balanced"].sum())
    click.echo(f"{count(len(table), 'state')}, {balanced:,} of them balanced deals")
    click.echo("level  " + "  ".join(f"{level}: {states:,}" for level, states in levels.items()))
    for row in listed.itertuples():
        click.echo(f"{row.level:>5}  {row.state}")


@click.command()
@click.argument("deck", default="standard")
@JSON
def deck(deck: str, as_json: bool) -> None:
    """Tell how many distinct deals DECK has.

    DECK is a name (standard, camicia, half) or the numbers of plain cards, J, Q, K and A. Cards
    of the same kind are not told apart.

    \b
    Examples:
      bmn deck
      bmn deck camicia
      bmn deck 18,2,2,2,2 --json
    """
    counts = Deck.parse(deck)
    if as_json:
        click.echo(json.dumps(counts._asdict() | {"cards": counts.size, "deals": counts.deals}))
        return
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts._asdict().items())
    click.echo(f"deck    {kinds}")
    click.echo(f"cards   {counts.size:,}")
    click.echo(f"deals   {counts.deals:,}")


@click.command()
@click.argument("deck")
@click.option("--workers", type=WORKERS, help="Threads.  [default: all cores]")
@JSON
def census(deck: str, workers: int | None, as_json: bool) -> None:
    """Play every distinct deal of DECK and count how the games go.

    DECK is as for ``bmn deck``. About 10 to 40 million deals a second and core.

    \b
    Examples:
      bmn census 14,2,2,2,0
      bmn census 48,1,1,1,1 --json
    """
    from bmn.explore import decks
    from bmn.progress import progress

    counts = Deck.parse(deck)
    with progress("deals", counts.deals) as advance:
        found = interruptible(partial(decks.census, counts, workers=workers, done=advance))
    if as_json:
        click.echo(json.dumps(found))
        return
    ended = found["deals"] - found["infinite"]
    click.echo(f"deals        {found['deals']:,}")
    click.echo(f"never end    {found['infinite']:,}")
    for period, deals in found["loop_periods_tricks"].items():
        click.echo(f"             {deals:,} with a period of {count(int(period), 'trick')}")
    if found["infinite_deal"]:
        click.echo(f"             such as {found['infinite_deal']}")
    click.echo(f"end          {ended:,}, {found['first_wins']:,} of them won by the first hand")
    click.echo(f"tricks       {found['sum_tricks']:,} in all")
    click.echo(f"card plays   {found['sum_card_plays']:,} in all")
    click.echo(f"longest      {count(found['max_tricks'], 'trick')}: {found['max_tricks_deal']}")
    click.echo(f"             {count(found['max_card_plays'], 'card play')} at most")
    click.echo(f"fingerprint  {found['fingerprint']}")
