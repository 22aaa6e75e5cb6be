import json
import os
import subprocess
import sys

import pytest

from bmn import chunks, store
from bmn import lengths as lt
from bmn.chunks import Search
from bmn.errors import InputError
from bmn.provenance import ROOT


def write(folder, search):
    paths = [folder / f"{search.first_seed}.{kind}" for kind in ("lengths", "plays", "json")]
    chunks.play_chunk(search, *paths)
    return paths


def test_chunks_merge_into_what_one_search_gives(tmp_path):
    whole = Search(2**63 - 500, 1000, 50)
    parts = [write(tmp_path, part) for part in whole.split(250)]
    out = [tmp_path / "lengths", tmp_path / "plays"]
    lengths, plays, _ = zip(*parts, strict=True)
    chunks.merge_chunks(whole, 250, lengths, plays, *out)
    expected = chunks.play_parallel(whole, workers=2)
    for path, table in zip(out, expected, strict=True):
        columns, about = store.read(path)
        assert lt.same(columns, table)
        assert about == whole.about


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
    done = []
    chunks.play_parallel(Search(0, chunks.BLOCK + 5), workers=2, done=done.append)
    assert sorted(done) == [5, chunks.BLOCK]


LEAN = """
import sys
import bmn
assert "bmn._engine" not in sys.modules and "pandas" not in sys.modules
from bmn import chunks, checks, config, provenance, record, summary, manifest, cost
assert "bmn._engine" not in sys.modules, "the workflow must not load the engine it builds"
search = chunks.Search(0, 100)
chunks.play_chunk(search, *sys.argv[1:])
chunks.merge_chunks(search, 100, sys.argv[1:2], sys.argv[2:3], "lengths", "plays")
assert "pandas" not in sys.modules
"""


def test_pandas_stays_off_the_chunk_path(tmp_path):
    paths = [str(tmp_path / name) for name in "abc"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", LEAN, *paths]
    subprocess.run(command, cwd=tmp_path, env=environment, check=True)
