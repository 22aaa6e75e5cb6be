"""``bmn play --watch``: the film of a game, what keys do, and the screen in a real terminal."""

import os
import pty
import select
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from bmn import reference
from bmn.cards import Deal
from bmn.cli import main
from bmn.cli.watch import SPEEDS, Film, Viewer, explain, named
from bmn.shuffle import deal_seed

CASELLA = Deal.parse("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")
KEYS = ["right", "left", "shift right", "shift left", "home", "end", " ", "+", "-", "x"]


@pytest.mark.parametrize("seed", range(20))
def test_a_film_is_the_game_of_the_reference(seed):
    film = Film(deal_seed(seed), 100_000)
    game = reference.play(deal_seed(seed))
    assert len(film.moments) == game.card_plays + 1
    assert len(film.starts) == game.tricks
    assert film.finished
    assert film.cycle is None
    for moment in film.moments:
        assert len(moment.hands[0]) + len(moment.hands[1]) + len(moment.pile) == 52


def test_a_game_that_never_ends_is_told_so():
    film = Film(CASELLA, 100_000)
    assert film.cycle == (4, 62)
    assert len(film.moments) == 474 + 1
    assert "never ends" in explain(film, 474)


def test_a_game_given_up_proves_nothing():
    film = Film(CASELLA, 10)
    assert film.cycle is None
    assert not film.finished
    assert "does not prove" in explain(film, len(film.moments) - 1)


def test_who_owes_what_is_told():
    film = Film(Deal.parse("K-/----"), 100)
    told = [explain(film, now) for now in range(len(film.moments))]
    assert told[0] == "Seat 1 leads the game."
    assert told[1] == "Seat 2 owes 3 cards for seat 1's king."
    assert told[2] == "Seat 2 owes 2 cards for seat 1's king, 1 paid."
    assert told[4] == "The debt is paid: seat 1 takes the pile and leads."


def test_a_hand_without_cards_loses_at_once():
    film = Film(Deal.parse("/-"), 100)
    assert explain(film, 0) == "Seat 1 has no card to play: seat 2 wins the game."


@given(st.lists(st.sampled_from(KEYS), max_size=60))
@settings(max_examples=50, deadline=None)
def test_keys_never_leave_the_film(keys):
    viewer = Viewer(Film(deal_seed(3), 100_000))
    for key in keys:
        viewer.press(key)
        viewer.advance(0.1)
        assert 0 <= viewer.now <= viewer.last
        assert viewer.speed in SPEEDS
    assert not viewer.quit


def test_tricks_are_stepped_over_both_ways():
    viewer = Viewer(Film(deal_seed(0), 100_000))
    visited = [0]
    while viewer.now < viewer.last:
        viewer.press("shift right")
        visited.append(viewer.now)
    assert visited[:-1] == viewer.film.starts
    back = [viewer.now]
    while viewer.now > 0:
        viewer.press("shift left")
        back.append(viewer.now)
    assert back == visited[::-1]


def test_playing_goes_at_the_chosen_speed_and_stops_at_the_end():
    viewer = Viewer(Film(deal_seed(0), 100_000), speed=64)
    viewer.press(" ")
    viewer.advance(1.0)
    assert viewer.now == 64
    viewer.advance(100.0)
    assert viewer.now == viewer.last
    assert not viewer.playing


def test_what_a_terminal_sends_is_cut_into_keys():
    assert named("\x1b[C \x1b[1;2Dq\x1b[H") == ["right", " ", "shift left", "q", "home"]


def test_without_a_terminal_it_says_so():
    result = CliRunner().invoke(main, ["play", "--seed", "0", "--watch"])
    assert result.exit_code == 2
    assert "--watch needs a terminal" in result.output


def test_it_runs_in_a_terminal():
    parent, child = pty.openpty()
    command = [sys.executable, "-m", "bmn", "play", "--seed", "1", "--watch"]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "100", "LINES": "40"}
    process = subprocess.Popen(command, stdin=child, stdout=child, stderr=child, env=environment)
    os.close(child)

    def seen(until, seconds=20):
        text, end = "", time.monotonic() + seconds
        while until not in text and time.monotonic() < end:
            if select.select([parent], [], [], 0.1)[0]:
                text += os.read(parent, 65536).decode(errors="replace")
        assert until in text, text
        return text

    try:
        seen("card play 0 of 57")
        os.write(parent, b"\x1b[C\x1b[C")
        seen("card play 2 of 57")
        os.write(parent, b"\x1b[F")
        seen("wins the game")
        os.write(parent, b"q")
        assert "57 card plays" in seen("Mann")
        assert process.wait(10) == 0
    finally:
        process.kill()
        os.close(parent)
