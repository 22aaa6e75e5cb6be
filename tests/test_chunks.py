import json
import os
import subprocess
import sys
import time

import pytest

from bmn import chunks, store
from bmn import lengths as lt
from bmn.chunks import Search
from bmn.errors import InputError
from bmn.provenance import ROOT
from bmn.rules import RULE_SETS


def write(folder, search):
    paths = [folder / f"{search.first_seed}.{kind}" for kind in ("lengths", "plays", "json")]
    chunks.play_chunk(search, *paths)
    return paths


@pytest.mark.parametrize("rules", ["standard", "reversed-pile"])
def test_threads_change_no_byte_of_a_chunk(tmp_path, monkeypatch, rules):
    monkeypatch.setattr(chunks, "BLOCKS", (7, 100))
    search = Search(2**64 - 3000, 3000, 60, rules=RULE_SETS[rules])
    files = []
    for threads in (1, 2, 5):
        folder = tmp_path / str(threads)
        files.append([folder / kind for kind in ("lengths", "plays", "timing")])
        chunks.play_chunk(search, *files[-1], threads)
        assert json.loads(files[-1][2].read_text())["threads"] == threads
    for one, *others in list(zip(*files, strict=True))[:2]:
        assert {path.read_bytes() for path in others} == {one.read_bytes()}


def test_a_fault_in_one_thread_stops_them_all(monkeypatch):
    played = []

    def fail_once(search, kernel):
        played.append(search.first_seed)
        if search.first_seed == 300:
            raise ZeroDivisionError
        time.sleep(0.001)
        return real(search, kernel)

    real = chunks.play_tables
    monkeypatch.setattr(chunks, "BLOCKS", (100, 100))
    monkeypatch.setattr(chunks, "play_tables", fail_once)
    with pytest.raises(ZeroDivisionError):
        chunks.play_parallel(Search(0, 1_000_000), workers=3)
    assert len(played) < 1000


def test_a_chunk_says_what_it_is_and_what_it_cost(tmp_path):
    lengths, _, timing = write(tmp_path, Search(100, 50))
    columns, _ = store.read(lengths)
    assert set(columns["chunk_first_seed"]) == {100}
    assert set(columns["chunk_seeds"]) == {50}
    assert json.loads(timing.read_text())["card_plays"] == lt.total(columns, "card_plays")


@pytest.mark.parametrize("other", [Search(0, 100), Search(100, 100, 7), Search(100, 99)])
def test_a_chunk_of_other_seeds_or_another_cap_is_refused(tmp_path, other):
    path, _, _ = write(tmp_path, Search(100, 100))
    with pytest.raises(InputError, match="belongs"):
        chunks.read_chunk(other, path)


@pytest.mark.parametrize(
    ("first", "seeds", "size", "words"),
    [
        (-1, 10, 10, "64 bits"),
        (2**64, 1, 1, "64 bits"),
        (2**64 - 1, 2, 2, "64 bits"),
        (0, 0, 1, "empty"),
        (0, 10, 3, "divisor"),
        (0, 10, 0, "divisor"),
    ],
)
def test_impossible_plans_are_one_sentence(first, seeds, size, words):
    with pytest.raises(InputError, match=words):
        Search(first, seeds).split(size)


def test_the_last_seed_can_be_searched():
    assert len(Search(2**64 - 10, 10).split(5)) == 2


def test_progress_adds_up():
    done, (block, _) = [], chunks.BLOCKS
    chunks.play_parallel(Search(0, block + 5), workers=2, done=done.append)
    assert sorted(done) == [5, block]


LEAN = """
import sys
import bmn
assert "bmn._engine" not in sys.modules and "pandas" not in sys.modules
from bmn import chunks, checks, config, provenance, record, summary, manifest, cost, groups, tree
assert "bmn._engine" not in sys.modules, "the workflow must not load the engine it builds"
search = chunks.Search(0, 100)
plan = tree.Tree(search, 50)
for node in plan.level(0):
    files = [plan.path(node, kind) for kind in ("lengths", "plays", "timing")]
    chunks.play_chunk(plan.part(node), *files, 2)
tree.merge(plan, plan.level(0), "lengths", "plays")
assert "pandas" not in sys.modules
"""


def test_pandas_stays_off_the_chunk_path(tmp_path):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", LEAN]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
