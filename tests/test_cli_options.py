"""What is asked of every command: one sentence for bad input, an end that comes at once."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from bmn import cli
from bmn.cli.options import count
from tests.conftest import heed_interrupts


def run(*arguments):
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("frob",), "no such command 'frob'; see bmn --help"),
        (("--frob",), "no such option '--frob'"),
        (("deal",), "missing argument 'SEED'; see bmn deal --help"),
        (("deal", "x"), "'x' is not a whole number, such as 13750259 or 0xd1cff3"),
        (("play", "--seed"), "requires an argument; see bmn"),
        (("play", "-/-", "--rules", "magic"), "'magic' is not one of 'standard'"),
        (("cycles", "frob"), "see bmn cycles --help"),
        (("sedaps", "fate", "--queues", 9), "see bmn sedaps fate --help"),
        (("search", 0, 10, "--deck", ""), "'--deck': it is empty"),
        (("search", 0, 10, "--kernel", ""), "'--kernel': it is empty"),
        (("search", 0, 10, "-o", ""), "it is empty"),
        (("search", 0, 10, "--kernel", "plain", "--rules", "reversed-pile"), "leave --kernel out"),
        (("search", 0, 10, "--workers", 10**6), "1<=x<=1024"),
        (("bench", "--workers", 10**6), "1<=x<=1024"),
        (("census", "14,2,2,2,0", "--workers", 10**6), "1<=x<=1024"),
        (("bench", "-o", ""), "it is empty"),
    ],
)
def test_a_mistaken_call_is_one_sentence_with_the_way_out(arguments, words):
    done = run(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith("bmn: ") and done.stderr.count("\n") == 1
    assert words in done.stderr


@pytest.mark.parametrize("command", [("bench", "--quick"), ("search", 0, 10), ("expect", "x")])
@pytest.mark.parametrize("place", ["missing/x/out", "a file/out", "."])
def test_a_place_that_takes_no_file_is_refused_before_any_work(
    command, place, tmp_path, monkeypatch
):
    monkeypatch.setattr("bmn.bench.measure", None)
    monkeypatch.setattr("bmn.chunks.play_parallel", None)
    (tmp_path / "a file").touch()
    done = run(*command, "-o", tmp_path / place)
    assert done.exit_code == 2 and done.stderr.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a file"]


def test_one_is_singular():
    assert [count(number, "trick") for number in (0, 1, 2, 1164)] == [
        "0 tricks",
        "1 trick",
        "2 tricks",
        "1,164 tricks",
    ]
    assert "1 trick, 2 card plays" in run("play", "J-/-", "--cap", 1).output
    assert "1 trick," in run("search", 0, 1, "--deck", "1,0,0,0,0").output


@pytest.mark.parametrize(("stop", "code"), [("SIGINT", 130), ("SIGTERM", -signal.SIGTERM)])
def test_a_long_search_ends_at_once(stop, code, tmp_path):
    command = [sys.executable, "-m", "bmn", "search", "0", str(2**64 - 1), "--workers", "2"]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    with subprocess.Popen(
        [*command, "-o", tmp_path / "out"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    ) as process:
        try:
            # At work are the command, the search it waits for, and two workers.
            while len(list(Path(f"/proc/{process.pid}/task").iterdir())) < 4:
                time.sleep(0.05)
            asked = time.monotonic()
            process.send_signal(getattr(signal, stop))
            assert process.wait(timeout=60) == code
            assert time.monotonic() - asked < 30
            assert "Traceback" not in process.stderr.read()
        finally:
            process.kill()
    assert not list(tmp_path.iterdir())
