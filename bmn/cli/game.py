"""``bmn deal`` and ``bmn play``: one deal, and one game move by move."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict

import click

from bmn import api, reference
from bmn.cards import SYMBOLS, Deal, hand_text
from bmn.errors import InputError
from bmn.game import DEFAULT_CAP, Game
from bmn.shuffle import deal_seed

DASHES = {"ignore_unknown_options": True}
"""Let an argument begin with a dash, as most deals do."""


@click.command(context_settings=DASHES)
@click.argument("seed", type=int)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def deal(seed: int, as_json: bool) -> None:
    """Print the deal of SEED, a number from 0 to 2^64 - 1.

    \b
    Examples:
      bmn deal 0
      bmn deal 18446744073709551615
    """
    text = api.deal(seed)
    click.echo(json.dumps({"seed": seed, "deal": text}) if as_json else text)


@click.command(context_settings=DASHES)
@click.argument("deal", required=False)
@click.option("--seed", type=int, help="Play the deal of this seed instead of a written one.")
@click.option(
    "--cap", type=int, default=DEFAULT_CAP, show_default=True, help="Give up after so many tricks."
)
@click.option(
    "--engine",
    type=click.Choice(["fast", "reference"]),
    default="fast",
    show_default=True,
    help="The compiled engine or the slow reference.",
)
@click.option("--trace", is_flag=True, help="Show every move (by the reference).")
@click.option("--watch", is_flag=True, help="Watch the game in the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; a line a move with --trace.")
def play(
    deal: str | None,
    seed: int | None,
    cap: int,
    engine: str,
    trace: bool,
    watch: bool,
    as_json: bool,
) -> None:
    """Play DEAL, written HAND/HAND with the top card first; the first hand leads.

    Cards are - for a plain card and J Q K A for penalty cards.

    \b
    Examples:
      bmn play --seed 13750259
      bmn play ---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA
      bmn play -J/--A --trace
      bmn play --seed 13750259 --watch
    """
    if (deal is None) == (seed is None):
        raise InputError("give either a deal or --seed N, for example: bmn play --seed 0")
    stated = deal_seed(seed) if deal is None else Deal.parse(deal)
    api.check_cap(cap)
    if watch:
        from bmn.cli.watch import watch as watch_game

        watch_game(stated, cap)
    if trace:
        for line in _trace(stated, cap, as_json):
            click.echo(line)
        engine = "reference"
    game = api.play(stated, cap=cap, engine=engine)
    click.echo(_json(stated, seed, game) if as_json else _sentence(stated, game))


def _sentence(deal: Deal, game: Game) -> str:
    """Tell the outcome in a few lines."""
    lines = [f"deal    {deal}"]
    counts = f"{game.tricks:,} tricks, {game.card_plays:,} card plays"
    if not game.finished:
        lines.append(f"capped  still undecided after {counts}; this does not prove a cycle")
        return "\n".join(lines)
    seat = "first" if game.winner == 0 else "second"
    how = {"dry": "ran out of cards inside it", "capture": "had none left when it began"}
    lines.append(f"length  {counts}")
    lines.append(f"Mann    {game.tricks_mann:,} tricks, {game.cards_mann:,} cards")
    lines.append(f"winner  the {seat} hand; in the last trick the loser {how[game.ending]}")
    return "\n".join(lines)


def _json(deal: Deal, seed: int | None, game: Game) -> str:
    about = {"deal": str(deal)} if seed is None else {"seed": seed, "deal": str(deal)}
    derived = {name: getattr(game, name) for name in ("tricks_mann", "cards_mann", "finished")}
    return json.dumps(about | asdict(game) | derived)


def _trace(deal: Deal, cap: int, as_json: bool) -> Iterator[str]:
    """Yield a line for every move: who plays what, who owes what, both hands, the pile."""
    width = max(deal.deck.size, len("second hand"))
    row = f"{{:>5}} {{:>5}}  {{:<4}} {{:<4}}  {{:<20}}  {{:<{width}}}  {{:<{width}}}  {{}}".format
    if not as_json:
        yield row("trick", "play", "seat", "card", "then", "first hand", "second hand", "pile")
        yield row("", "", "", "", "seat 1 leads", *str(deal).split("/"), "").rstrip()
    for move in reference.moves(deal, cap=cap):
        hands = hand_text(move.first), hand_text(move.second)
        pile, card = hand_text(move.pile), SYMBOLS[move.card]
        if as_json:
            texts = {"card": card, "first": hands[0], "second": hands[1], "pile": pile}
            yield json.dumps(move._asdict() | texts)
            continue
        if move.took is not None:
            then = f"seat {move.took + 1} takes the pile"
        elif move.owed:
            then = f"seat {move.next_player + 1} owes {move.owed}"
        else:
            then = f"seat {move.next_player + 1} plays"
        yield row(move.trick, move.card_play, move.player + 1, card, then, *hands, pile).rstrip()
