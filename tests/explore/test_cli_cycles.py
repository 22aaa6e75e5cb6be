"""The commands cycle, basin, predecessors, deck and census, and rule sets for play and search."""

import json

import pytest
from click.testing import CliRunner

import bmn
from bmn.cli import COMMANDS, main

CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"


def run(*arguments, code=0):
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == code, done.output
    return done


def told(*arguments):
    return json.loads(run(*arguments, "--json").stdout)


def test_cycle():
    found = told("cycle", CASELLA)
    assert (found["ends"], found["preperiod_tricks"], found["period_tricks"]) == (False, 4, 62)
    assert found["tricks_at_first_repeat"] == 66
    assert told("cycle", CASELLA, "--distinct")["laps"] == 75
    assert told("cycle", "-----J/Q-Q-J-") == {
        "deal": "-----J/Q-Q-J-",
        "ends": True,
        "tricks": 19,
        "card_plays": 92,
        "winner": 1,
        "ending": "dry",
    }
    assert "never ends" in run("cycle", "J--/-J-").stdout
    assert "exchanged after 1 trick\n" in run("cycle", "J--/-J-").stdout
    assert "undecided after 5 tricks" in run("cycle", CASELLA, "--budget", 5, code=2).stderr


def test_cycle_under_other_rules():
    deal = "J--/-J-/--"
    found = told("cycle", deal, "--rules", "three-players")
    assert found["ends"] == (bmn.cycle(deal, rules="three-players") is None)


def test_basin():
    text = run("basin", CASELLA).stdout
    assert text.startswith("2,670 states, 30 of them balanced deals\n")
    assert text.count("\n") == 32
    states = told("basin", CASELLA)
    assert len(states) == 2670
    assert sum(state["balanced"] for state in states) == 30
    assert run("basin", "J--/-J-", "--all").stdout.count("\n") == 5
    assert "has no basin" in run("basin", "-----J/Q-Q-J-", code=2).stderr


def test_predecessors():
    assert told("predecessors", "--J-/K-") == bmn.predecessors("--J-/K-")
    assert run("predecessors", "-J/K-").stdout == "none\n"
    assert len(told("predecessors", "--J-/K-", "--depth", 2)) == len(bmn.ancestors("--J-/K-", 2))


def test_deck():
    assert told("deck") == {
        "plain": 36,
        "J": 4,
        "Q": 4,
        "K": 4,
        "A": 4,
        "cards": 52,
        "deals": 653534134886878245000,
    }
    assert told("deck", "camicia")["deals"] == 193584473082000
    assert "3,936,933,000" in run("deck", "18,2,2,2,2").stdout
    assert "not understood" in run("deck", "18,2", code=2).stderr


def test_census():
    found = told("census", "8,2,2,2,0")
    assert found == bmn.census({"plain": 8, "J": 2, "Q": 2, "K": 2, "A": 0})
    text = run("census", "8,2,2,2,0", "--workers", 1).stdout
    assert "never end    90" in text and "270,270" in text
    assert "at most 63" in run("census", "standard", code=2).stderr


def test_play_and_search_under_other_rules():
    game = told("play", "--seed", 7, "--rules", "three-players")
    assert game["deal"].count("/") == 2
    assert "a house rule stopped the game" in run("play", CASELLA, "--rules", "house-stop").stdout
    moves = run("play", "-/J/-", "--rules", "three-players", "--trace", "--json").stdout
    assert json.loads(moves.splitlines()[0])["hands"] == ["", "J", "-"]
    found = told("search", 0, 2000, "--rules", "reversed-pile")
    assert found["kernel"] == "general"
    assert told("search", 0, 2000, "--deck", "camicia")["card_plays"] != found["card_plays"]


@pytest.mark.parametrize("name", ["cycle", "basin", "predecessors", "deck", "census", "published"])
def test_help_has_examples(name):
    assert name in COMMANDS
    text = run(name, "--help").stdout
    assert "Examples:" in text and "--json" in text


def test_published():
    text = run("published").stdout
    assert "known deals  327 of 327 agree" in text
    assert "differs  Rucklidge's game of 2014 takes 7,960 cards: 7,959" in text
    found = told("published")
    assert len(found["records"]) == 327
    assert {row["verdict"] for row in found["claims"]} == {"agrees", "differs"}
    text = run("published", "--all").stdout
    assert "Nessler 2022: 1,164 tricks, 8,344 cards in the convention: Mann's\n" in text
    assert "Casella 2024: 66 tricks, 474 cards at the first repeat, period 62 tricks," in text
    assert "stops at an empty hand" in text
