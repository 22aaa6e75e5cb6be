"""A process of the workflow that is interrupted tells nothing of where it was."""

import signal
import subprocess
import sys
import threading
import time

import pytest

from bmn.provenance import ROOT
from bmn.workflow import _AS_MODULE, _ended_by, terminate_without_waiting
from tests.conftest import heed_interrupts


def interrupted(after: float, *arguments: object) -> subprocess.CompletedProcess:
    process = subprocess.Popen(
        [sys.executable, "-c", _AS_MODULE, *map(str, arguments)],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_interrupts,
    )
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    return subprocess.CompletedProcess(process.args, process.returncode, None, said)


@pytest.mark.parametrize("after", [0.02 * step for step in range(16)])
def test_an_interrupt_at_any_moment_is_seen_as_one(after, tmp_path):
    done = interrupted(after, "bmn.published", *(tmp_path / name for name in "abc"))
    assert _ended_by(done) is signal.SIGINT
    # If it had not yet read its first line, Python itself says so.
    assert not done.stderr or done.stderr.endswith("KeyboardInterrupt\n"), done.stderr


def test_termination_does_not_wait_for_the_thread_that_it_interrupts():
    lock, ended = threading.Lock(), threading.Event()

    def end(*_):
        if lock.acquire(timeout=5):
            ended.set()

    before = signal.signal(signal.SIGTERM, end)
    try:
        terminate_without_waiting()
        with lock:
            signal.raise_signal(signal.SIGTERM)
        assert ended.wait(30)
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_module_sees_its_arguments_and_its_exit_code_is_kept(tmp_path):
    (tmp_path / "told.py").write_text("import sys; print(sys.argv); sys.exit(len(sys.argv))")
    command = [sys.executable, "-c", _AS_MODULE, "told", "one", "two"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert done.stdout.strip().endswith("told.py', 'one', 'two']")
    assert _ended_by(done) is None
