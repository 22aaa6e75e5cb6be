"""The commands extend, climb and cycles."""

import json

import numpy as np
from click.testing import CliRunner

from bmn import store
from bmn.cli import COMMANDS, main

COLLINS = "A-QK------Q----KA-----J---/-JAK----A--Q----J---QJ--K-"


def run(*arguments, code=0):
    done = CliRunner().invoke(main, [str(a) for a in arguments])
    assert done.exit_code == code, done.output
    return done


def test_extend():
    found = json.loads(run("extend", COLLINS, "--json").stdout)
    assert (found["from"], found["tricks"], found["gain"]) == (COLLINS, 1048, 88)
    assert found["deal"] in run("extend", COLLINS).stdout
    assert "no trunk" in run("extend", "--/--", code=2).stderr


def test_climb():
    found = json.loads(run("climb", COLLINS, "--deals", 500, "--json").stdout)
    assert found[0] == {"deals": 0, "tricks": 960, "deal": COLLINS}
    assert found[-1]["deals"] == 500
    assert "960" in run("climb", COLLINS, "--deals", 500, "--anywhere", "--plateau").stdout
    assert "uneven" in run("climb", "---/J", code=2).stderr


def test_cycles_find():
    arguments = ("cycles", "find", "--deck", "camicia", "--trials", 50_000)
    found = json.loads(run(*arguments, "--json").stdout)
    assert found["failed"] == 0
    assert found["balanced_deals"] == len(found["deals"]) > 0
    text = run(*arguments).stdout
    assert found["deals"][0] in text
    assert "--lag 5 and --trials 50000; larger ones may find more" in text
    assert "not a hand" in run("cycles", "find", "--head", "X", code=2).stderr


def test_cycles_show(tmp_path):
    summary = {"what": np.array(["distinct cycles"], object), "count": np.array([7], np.uint64)}
    store.write(tmp_path / "summary.parquet", summary)
    assert run("cycles", "show", tmp_path).stdout.split() == ["distinct", "cycles", "7"]
    told = json.loads(run("cycles", "show", tmp_path, "--json").stdout)
    assert told == [{"what": "distinct cycles", "count": 7}]
    assert "does not exist" in run("cycles", "show", tmp_path, "--deals", code=2).stderr
    for target in ("cycles", "cycles_full"):
        missing = run("cycles", "show", tmp_path / target, code=2).stderr
        assert f"`snakemake --cores all {target}` makes it" in missing


def test_commands_are_listed():
    told = run("--help").stdout
    assert {"extend", "climb", "cycles"} <= set(COMMANDS)
    assert all(name in told for name in ("extend", "climb", "cycles"))
