"""``bmn play --watch``: a game in the terminal, with the keys of the page."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from bmn import reference
from bmn.cards import SYMBOLS, Deal
from bmn.errors import InputError

if TYPE_CHECKING:
    from rich.console import Group

    from bmn.rules import Rules

SPEEDS = (1, 2, 4, 8, 16, 32, 64, 250, 1000)
"""Card plays a second to choose from."""

NAMES = ("plain card", "jack", "queen", "king", "ace")
SEATS = ("bright_blue", "dark_orange")
BARS = " ▁▂▃▄▅▆▇█"
HELP = "space play/pause   ←→ step   shift ←→ trick   home/end   +− speed   q quit"

SEQUENCES = {
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1b[1;2C": "shift right",
    "\x1b[1;2D": "shift left",
    "\x1b[H": "home",
    "\x1b[1~": "home",
    "\x1bOH": "home",
    "\x1b[F": "end",
    "\x1b[4~": "end",
    "\x1bOF": "end",
    "\x03": "q",
}
"""What a terminal sends for keys that are not characters."""


class Moment(NamedTuple):
    """A position of the game: the move that led to it (None at the start) and what it left."""

    move: reference.Move | None
    seat: int
    owed: int
    hands: tuple[bytes, bytes]
    pile: bytes
    trick: int


class Film:
    """A whole game, moment by moment, up to its end or to the first repeated position.

    Attributes
    ----------
    moments : list of Moment
        The start, and the position after every card play.
    starts : list of int
        The moments at which tricks begin.
    cycle : tuple of int or None
        Tricks before the cycle and in it, if the game never ends.
    finished : bool
        Whether the game ends.
    """

    def __init__(self, deal: Deal, cap: int) -> None:
        self.moments = [Moment(None, 0, 0, (deal.first, deal.second), b"", 1)]
        self.starts = [0]
        self.cycle: tuple[int, int] | None = None
        seen = {(deal.first, deal.second, 0): 0}
        for move in reference.moves(deal, cap=cap):
            hands = (move.first, move.second)
            trick = move.trick + (move.took is not None)
            self.moments.append(Moment(move, move.next_player, move.owed, hands, move.pile, trick))
            if move.took is None:
                continue
            first = seen.setdefault((*hands, move.next_player), move.trick)
            if first < move.trick:
                self.cycle = first, move.trick - first
                break
            self.starts.append(move.card_play)
        last = self.moments[-1]
        self.finished = self.cycle is None and not last.hands[last.seat]
        if self.starts[-1] == len(self.moments) - 1 and not self.finished:
            self.starts.pop()


class Viewer:
    """Where in a film somebody is, and what a key does."""

    def __init__(self, film: Film, speed: int = 8) -> None:
        self.film = film
        self.now = 0
        self.playing = False
        self.quit = False
        self._speed = SPEEDS.index(speed)
        self._due = 0.0
        self._keys: dict[str, Callable[[], None]] = {
            "right": lambda: self._go(self.now + 1),
            "left": lambda: self._go(self.now - 1),
            "shift right": lambda: self._go(self._trick_start(+1)),
            "shift left": lambda: self._go(self._trick_start(-1)),
            "home": lambda: self._go(0),
            "end": lambda: self._go(self.last),
            " ": self._toggle,
            "+": lambda: self._faster(+1),
            "=": lambda: self._faster(+1),
            "-": lambda: self._faster(-1),
            "q": self._leave,
        }

    @property
    def last(self) -> int:
        """The last moment."""
        return len(self.film.moments) - 1

    @property
    def speed(self) -> int:
        """Card plays a second while playing."""
        return SPEEDS[self._speed]

    def press(self, key: str) -> None:
        """Do what a key does; other keys do nothing."""
        self._keys.get(key, lambda: None)()

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        if not self.playing:
            return
        self._due += seconds * self.speed
        cards, self._due = int(self._due), self._due % 1
        self.now = min(self.last, self.now + cards)
        self.playing = self.now < self.last

    def _go(self, moment: int) -> None:
        self.playing = False
        self.now = max(0, min(self.last, moment))

    def _trick_start(self, direction: int) -> int:
        if direction > 0:
            return next((start for start in self.film.starts if start > self.now), self.last)
        return next((start for start in reversed(self.film.starts) if start < self.now), 0)

    def _toggle(self) -> None:
        self.playing = not self.playing
        self._due = 0.0
        if self.playing and self.now == self.last:
            self.now = 0

    def _faster(self, by: int) -> None:
        self._speed = max(0, min(len(SPEEDS) - 1, self._speed + by))

    def _leave(self) -> None:
        self.quit = True


def explain(film: Film, now: int) -> str:
    """Say who must do what at a moment, and why."""
    moment = film.moments[now]
    who, other = f"Seat {moment.seat + 1}", f"seat {2 - moment.seat}"
    if now == len(film.moments) - 1:
        if film.cycle:
            before, period = film.cycle
            return (
                f"This is the position after trick {before} again: it comes back every {period} "
                "tricks, and the game never ends."
            )
        if film.finished:
            return f"{who} has no card to play: {other} wins the game."
        return "Given up here, undecided; that does not prove a cycle."
    if not moment.pile:
        if moment.move is None:
            return f"{who} leads the game."
        return f"The debt is paid: {who.lower()} takes the pile and leads."
    if not moment.owed:
        return f"{who} plays; nothing is owed."
    card = next(card for card in reversed(moment.pile) if card)
    paid = reference.PENALTIES[card] - moment.owed
    cards = "card" if moment.owed == 1 else "cards"
    done = f", {paid} paid" if paid else ""
    return f"{who} owes {moment.owed} {cards} for {other}'s {NAMES[card]}{done}."


def screen(viewer: Viewer, width: int) -> Group:
    """Draw a moment: counters, hands, pile, who owes what, and where in the game it is."""
    from rich.console import Group
    from rich.text import Text

    film, moment = viewer.film, viewer.film.moments[viewer.now]
    state = "playing" if viewer.playing else "paused"
    top = (
        f"Trick {moment.trick:,} · card play {viewer.now:,} of {viewer.last:,} · "
        f"{viewer.speed}/s · {state}"
    )
    lines = [Text(top, style="bold"), Text()]
    for seat, hand in enumerate(moment.hands):
        turn = "▶" if moment.seat == seat else " "
        lines.append(Text(f"{turn} Seat {seat + 1}  {len(hand):>3} cards", style=SEATS[seat]))
        lines.append(_cards(hand))
        lines.append(Text())
        if seat == 0:
            lines.append(Text(f"  Pile    {len(moment.pile):>3} cards"))
            lines.append(_cards(moment.pile))
            lines.append(Text())
    lines.append(Text(explain(film, viewer.now), style="bold"))
    lines.append(Text())
    lines += _strip(viewer, max(10, width - 2))
    lines.append(Text(HELP, style="dim"))
    return Group(*lines)


def _cards(cards: bytes) -> object:
    from rich.text import Text

    text = Text("  ")
    for card in cards:
        text.append(SYMBOLS[card], style="bold reverse" if card else "dim")
    return text if cards else Text("  none", style="dim")


def _strip(viewer: Viewer, width: int) -> Iterator[object]:
    """Yield a chart of seat 1's hand over the game, and a mark below it."""
    from rich.text import Text

    film, cards = viewer.film, sum(map(len, viewer.film.moments[0].hands))
    columns = min(width, viewer.last + 1)
    bars = Text()
    for column in range(columns):
        hand = film.moments[column * viewer.last // max(1, columns - 1)].hands[0]
        bars.append(BARS[-(-len(hand) * (len(BARS) - 1) // cards)])
    bars.stylize(SEATS[0])
    yield bars
    place = viewer.now * (columns - 1) // max(1, viewer.last)
    yield Text(" " * place + "▲ seat 1's cards" if place < width - 20 else " " * place + "▲")


def watch(hands: Sequence[bytes], rules: Rules, cap: int) -> None:
    """Show a game in the terminal until the user quits.

    Raises
    ------
    InputError
        If there is no terminal, or the game is not one of two by the standard rules.
    """
    from rich.console import Console
    from rich.live import Live

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise InputError("--watch needs a terminal; use --trace for a game as text")
    if not rules.standard_play:
        raise InputError(
            "--watch shows games of two by the standard rules; use --trace for any other"
        )
    viewer = Viewer(Film(Deal(*hands), cap))
    console = Console()
    with (
        _raw_keys() as keys,
        Live(console=console, screen=True, auto_refresh=False) as live,
    ):
        before = time.monotonic()
        while not viewer.quit:
            live.update(screen(viewer, console.width), refresh=True)
            for key in keys(1 / 30 if viewer.playing else None):
                viewer.press(key)
            now = time.monotonic()
            viewer.advance(now - before)
            before = now


@contextmanager
def _raw_keys() -> Iterator[Callable[[float | None], Sequence[str]]]:
    """Give a function that waits for keys, at most so many seconds, and names them."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)

    def keys(timeout: float | None) -> list[str]:
        if not select.select([terminal], [], [], timeout)[0]:
            return []
        return named(os.read(terminal, 1024).decode(errors="replace"))

    try:
        tty.setcbreak(terminal)
        yield keys
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def named(typed: str) -> list[str]:
    """Cut what a terminal sent into keys."""
    keys = []
    while typed:
        for sequence, name in SEQUENCES.items():
            if typed.startswith(sequence):
                keys.append(name)
                typed = typed[len(sequence) :]
                break
        else:
            keys.append(typed[0])
            typed = typed[1:]
    return keys
