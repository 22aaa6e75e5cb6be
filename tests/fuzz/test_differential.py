"""All implementations play the same games alike, and a difference would be seen."""

import subprocess
import sys

import pytest

from bmn import _engine
from bmn.provenance import ROOT
from fuzz import differential


@pytest.mark.parametrize("kind", differential.KINDS)
def test_no_difference(kind):
    number = list(differential.KINDS).index(kind)
    step = len(differential.KINDS)
    for first in range(number, 20 * step, step):
        ((told, games, difference),) = differential.run(7, first, 1)
        assert (told, difference) == (kind, None)
        assert games["kernels"] >= games["reference"] > 0


def test_a_round_is_repeatable():
    assert list(differential.run(3, 0, 12)) == list(differential.run(3, 0, 12))
    assert list(differential.run(3, 6, 1)) == list(differential.run(3, 0, 7))[6:]


def first_difference(monkeypatch, name, broken):
    monkeypatch.setattr(_engine, name, broken)
    told = (difference for _, _, difference in differential.run(7, 0, 40) if difference)
    return next(told)


@pytest.mark.parametrize("column", ["tricks", "card_plays", "winner", "ending", "violation"])
def test_one_wrong_game_of_one_kernel_is_seen(column, monkeypatch):
    honest = _engine.play_many

    def broken(rows, cap, kernel=None, **options):
        games = honest(rows, cap, kernel, **options)
        if kernel == "scalar":
            games[column][-1] ^= 1
        return games

    assert "scalar" in first_difference(monkeypatch, "play_many", broken)


@pytest.mark.parametrize("kernels", [("scalar",), _engine.kernels()])
def test_a_wrong_search_is_seen(kernels, monkeypatch):
    """By the other kernels, and where all of them are wrong by the reference."""
    honest = _engine.search

    def broken(first, seeds, cap, kernel, deck):
        tables = honest(first, seeds, cap, kernel, deck)
        if kernel in kernels:
            tables.lengths["captures"][0] += 1
        return tables

    assert "seeds" in first_difference(monkeypatch, "search", broken)


def test_all_kernels_wrong_is_seen_by_the_reference(monkeypatch):
    honest = _engine.play_many

    def broken(rows, cap, kernel=None, **options):
        games = honest(rows, cap, kernel, **options)
        games["card_plays"] += 1
        return games

    monkeypatch.setattr(
        differential._general, "play_many", lambda r, s, _, c: broken(r, c, split=s[0])
    )
    assert "not Game" in first_difference(monkeypatch, "play_many", broken)


def test_the_command(tmp_path):
    command = [sys.executable, "-m", "fuzz.differential", "--rounds", "12", "--seed", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert '"differences": 0' in done.stdout
