"""``bmn sedaps``, as a person calls it."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner

from bmn import cli
from bmn.cli.patience import interruptible
from bmn.errors import InputError
from bmn.provenance import ROOT
from bmn.sedaps import census, rule
from bmn.sedaps.facts import turn_85

TURN_85 = ["--seed", "510053", "--python", "--after", "85"]
NINE = "6,0,1|2,10,7,3|4,8,11,5,9"


def run(*arguments):
    return CliRunner().invoke(cli.main, ["sedaps", *map(str, arguments)])


def told(*arguments):
    done = run(*arguments, "--json")
    assert done.exit_code == 0, done.output
    return json.loads(done.output)


def test_fate_of_a_game_that_ends():
    done = run("fate", "--seed", 5)
    assert "ends               after 117 turns" in done.output
    found = told("fate", "--seed", 5)
    assert (found["turns"], found["ends"], found["then"]["sizes"]) == (117, True, [0, 0, 51])
    assert found["first_elimination"] % 3 == 2


def test_fate_of_a_game_that_never_ends():
    assert "two, which win in turn; alpha 22" in run("fate", "--seed", 1).output
    loop = told("fate", "--seed", 1)["loop"]
    assert loop["period"] == loop["formula"] == 4004


def test_fate_of_a_written_state():
    assert "three, rigid" in run("fate", NINE).output
    assert told("fate", NINE)["loop"]["rigid"] is True


def test_fate_of_two_queues():
    found = told("fate", "1,0|3,2")
    assert found["ends"] and found["then"]["state"] == "|3,1,2,0"
    assert "first_elimination" not in found


def test_play_on_first():
    assert told("preds", *TURN_85)["state"] == rule.key(turn_85()[1])
    assert told("fate", "--seed", 5, "--after", 117)["turns"] == 0


def test_preds():
    found = told("preds", *TURN_85)["predecessors"]
    assert list(found) == ["00", "01", "10", "11"]
    assert found["10"]["digest"].startswith("261229adde7c06f9")
    assert "predecessors       4" in run("preds", *TURN_85).output
    assert "predecessors       0" in run("preds", "0,1,2|3|").output


def test_explore():
    found = told("explore", *TURN_85, "--turn", 84, "--to", 86)["searches"]
    assert [row["turn"] for row in found] == [84, 85, 86]
    assert [row["deals"] > 0 for row in found] == [False, True, False]
    lines = run("explore", *TURN_85, "--turn", 25).output.splitlines()
    assert lines[-1].split() == ["25", "68,128", "0", "24,310"]
    assert "gave up" in run("explore", *TURN_85, "--turn", 25, "--cap", 100).output


def test_histories():
    found = told("histories", "--seed", 1, "--after", 20, "--turn", 20)
    walked = told("histories", "--seed", 1, "--after", 20, "--turn", 20, "--walk")
    assert found["deals"] == walked["deals"] == sum(found["branches"].values()) > 0
    assert "deals  " in run("histories", "--seed", 1, "--after", 20, "--turn", 20).output


@pytest.mark.parametrize("kind", census.KINDS)
def test_census(kind):
    (found,) = told("census", kind, 9)
    assert found["complete"] is True and found["states"] == found["closed_form"]


def test_census_by_both_methods():
    lines = run("census", "three", 7, "--method", "both").output.splitlines()
    assert lines.count("loops              312 of period 8") == 2
    assert lines[-1].split() == ["same", "outcomes", "yes"]


def test_census_of_loops():
    assert told("census", "loops", 12)["loops"] == {"9": 1036800, "60": 108864}
    assert "all rigid          yes" in run("census", "loops", 12).output
    assert "loops              none" in run("census", "loops", 13).output


def test_period():
    assert told("period", 51)["two_queues"][:3] == [312, 520, 624]
    assert told("period", 51, "--alpha", 12)["period"] == 2964
    found = told("period", 51, "--packets", "2,2,12")
    assert (found["period"], found["sizes"]) == (180, [6, 7, 38])
    back = told("period", 12, "--packets", "1,1,1", "--anticlockwise")
    assert back["period"] == 60
    assert told("fate", back["example"])["loop"]["period"] == 60
    assert "three queues rigid none" in run("period", 10).output


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fate"], "give either a STATE"),
        (["fate", "0|1|2", "--seed", 1], "give either a STATE"),
        (["fate", "0,0|1|2"], "card 0 (place 1 of queue 0) is there 2 times"),
        (["fate", "0,9|1|2"], "card 9 (place 2 of queue 0) is not in the deck of 4 cards"),
        (["fate", "||"], "all queues of the state are empty"),
        (["fate", "0,1,2"], "the state has 1 queue"),
        (["fate", "--seed", 5, "--after", 118], "play ends after 117 turns"),
        (["fate", "--seed", 5, "--after", -1], "--after -1 is out of range"),
        (["fate", "--seed", 1, "--limit", 10], "within 10 turns"),
        (["fate", "--seed", 1, "--limit", -1], "--limit -1 is out of range"),
        (["fate", "--seed", -1], "seeds are 0 to 4294967295"),
        (["fate", "--seed", 1, "--cards", 0], "a deck of 0 cards is not possible"),
        (["explore", "--seed", 1, "--turn", 5, "--to", 4], "--to 4 is before --turn 5"),
        (["explore", "--seed", 1, "--turn", 5, "--to", 10**6], "turns are 0 to 10000"),
        (["explore", "0|1|", "--turn", 5], "fair deals are of three equal queues"),
        (["histories", "--seed", 1, "--turn", -1], "the turn -1 is out of range"),
        (["census", "packet", 99], "give 3 to 24 cards"),
        (["census", "packet", 17, "--method", "both"], "give 3 to 16 cards"),
        (["census", "loops", 31], "give 3 to 30"),
        (["period", 300], "a deck of 300 cards is not possible"),
        (["period", 51, "--alpha", 3], "alpha 3 is odd"),
        (["period", 50, "--alpha", 2], "an odd number of cards"),
        (["period", 51, "--packets", "1,1"], "is not three numbers"),
        (["period", 51, "--packets", "1,1,1"], "add up to 16"),
        (["period", 13, "--packets", "1,1,1"], "a multiple of 3 cards"),
        (["period", 51, "--packets", "1,1,14", "--alpha", 2], "not both"),
    ],
)
def test_bad_input_is_one_sentence(arguments, sentence):
    done = run(*arguments)
    assert done.exit_code == 2, done.output
    assert done.output.startswith("bmn: ") and done.output.count("\n") == 1
    assert sentence in done.output


INTERRUPTED = """
import _thread
import signal
from threading import Timer

from bmn.cli.patience import interruptible
from bmn.sedaps import census

signal.signal(signal.SIGINT, signal.default_int_handler)  # background jobs ignore it
Timer(0.5, _thread.interrupt_main).start()
try:
    interruptible(census.count, "three", 14, "tree")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_compiled_work():
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "interrupted\n"


def test_faults_of_compiled_work_are_told():
    with pytest.raises(InputError, match="give 3 to 24 cards"):
        interruptible(census.count, "packet", 99, "tree")
    assert interruptible(sum, [1, 2]) == 3


@pytest.mark.parametrize("command", ["fate", "preds", "explore", "histories", "census", "period"])
def test_the_examples_of_the_help_work(command):
    """Those that take no longer than the rest of the tests."""
    help_text = run(command, "--help").output
    examples = [
        line.split("bmn sedaps ", 1)[1]
        for line in help_text.splitlines()
        if "bmn sedaps " in line and "Usage" not in line
    ]
    assert examples
    import shlex

    for example in examples:
        if "--turn 85" not in example and "18" not in example:
            assert run(*shlex.split(example)).exit_code == 0, example
