"""``bmn deal`` and ``bmn play``: one deal, and one game move by move."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from bmn import api, reference
from bmn.cards import SYMBOLS, hand_text, hands_text, parse_hands
from bmn.cli.options import Number, count
from bmn.errors import InputError
from bmn.game import DEFAULT_CAP, Game
from bmn.rules import RULE_SETS, Rules

RULES = click.option(
    "--rules",
    type=click.Choice(list(RULE_SETS)),
    default="standard",
    show_default=True,
    help="The rule set.",
)

DASHES = {"ignore_unknown_options": True}
"""Let an argument begin with a dash, as most deals do."""


@click.command(context_settings=DASHES)
@click.argument("seed", type=Number())
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
@click.option("--seed", type=Number(), help="Play the deal of this seed instead of a written one.")
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
@RULES
@click.option("--trace", is_flag=True, help="Show every move (by the reference).")
@click.option("--watch", is_flag=True, help="Watch the game in the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON; a line a move with --trace.")
def play(
    deal: str | None,
    seed: int | None,
    cap: int,
    engine: str,
    rules: str,
    trace: bool,
    watch: bool,
    as_json: bool,
) -> None:
    """Play one game: of DEAL, or of the deal of a seed.

    DEAL is written HAND/HAND, the top card first; the first hand leads. Cards are - for a plain
    card and J Q K A for penalty cards.

    \b
    Examples:
      bmn play --seed 13750259
      bmn play ---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA
      bmn play -J/--A --trace
      bmn play --seed 13750259 --watch
      bmn play --seed 7 --rules three-players
    """
    if (deal is None) == (seed is None):
        raise InputError("give either a deal or --seed N, for example: bmn play --seed 0")
    rule_set = RULE_SETS[rules]
    hands = rule_set.deal(seed) if deal is None else parse_hands(deal, rule_set.players)
    api.check_cap(cap)
    if watch:
        from bmn.cli.watch import watch as watch_game

        watch_game(hands, rule_set, cap)
    if trace:
        for line in _trace(hands, rule_set, cap, as_json):
            click.echo(line)
        engine = "reference"
    game = api.play(hands, cap=cap, rules=rule_set, engine=engine)
    text = hands_text(hands)
    click.echo(_json(text, seed, game) if as_json else _sentence(text, game))


def _sentence(deal: str, game: Game) -> str:
    """Tell the outcome in a few lines."""
    lines = [f"deal    {deal}"]
    counts = f"{count(game.tricks, 'trick')}, {count(game.card_plays, 'card play')}"
    if not game.finished:
        lines.append(f"capped  still undecided after {counts}; this does not prove a cycle")
        return "\n".join(lines)
    how = {
        "dry": "in the last trick the loser ran out of cards inside it",
        "capture": "in the last trick the loser had none left when it began",
        "stopped": "a house rule stopped the game",
    }
    winner = "nobody: a draw" if game.winner is None else _seat(game.winner)
    lines.append(f"length  {counts}")
    mann = f"{count(game.tricks_mann, 'trick')}, {count(game.cards_mann, 'card')}"
    lines.append(f"Mann    {mann}")
    lines.append(f"winner  {winner}; {how[game.ending]}")
    return "\n".join(lines)


def _seat(seat: int) -> str:
    ordinal = ("first", "second", "third")[seat] if seat < 3 else f"{seat + 1}th"
    return f"seat {seat + 1}, the {ordinal} hand"


def _json(deal: str, seed: int | None, game: Game) -> str:
    about = {"deal": deal} if seed is None else {"seed": seed, "deal": deal}
    derived = {name: getattr(game, name) for name in ("tricks_mann", "cards_mann", "finished")}
    return json.dumps(about | asdict(game) | derived)


def _trace(hands: Sequence[bytes], rules: Rules, cap: int, as_json: bool) -> Iterator[str]:
    """Yield a line for every move: who plays what, who owes what, the hands, the pile."""
    names = [f"hand of seat {seat + 1}" for seat in range(len(hands))]
    width = max(sum(map(len, hands)), *map(len, names))
    columns = "  ".join(f"{{:<{width}}}" for _ in hands)
    row = f"{{:>5}} {{:>5}}  {{:<4}} {{:<4}}  {{:<26}}  {columns}  {{}}".format
    if not as_json:
        yield row("trick", "play", "seat", "card", "then", *names, "pile")
        dealt = map(hand_text, hands)
        yield row("", "", "", "", f"seat {rules.leader + 1} leads", *dealt, "").rstrip()
    for move in reference.moves(hands, cap=cap, rules=rules):
        held = [hand_text(hand) for hand in move.hands]
        pile, card = hand_text(move.pile), SYMBOLS[move.card]
        if as_json:
            texts = {"card": card, "hands": held, "pile": pile}
            pair = dict(zip(("first", "second"), held, strict=False))
            yield json.dumps(move._asdict() | texts | pair)
            continue
        then = f"seat {move.next_player + 1} "
        then += f"owes {move.owed}" if move.owed else "plays"
        if move.took is not None:
            then = f"seat {move.took + 1} takes the pile"
        elif not move.hands[move.next_player]:
            then += ", has no card"
        yield row(move.trick, move.card_play, move.player + 1, card, then, *held, pile).rstrip()
