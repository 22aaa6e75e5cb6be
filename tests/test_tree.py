"""The tree over the chunks: any shape gives the tables of a flat merge, and nothing reads much."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmn import chunks, groups, listing, record, store, tree
from bmn import lengths as lt
from bmn.chunks import Search
from bmn.errors import InputError
from bmn.tree import FAN_IN, WIDEST, Tree

FILES = 512
"""The most files that a job may read, however many chunks there are."""


def test_a_few_chunks_are_merged_directly():
    flat = Tree(Search(0, 512 * WIDEST), 512)
    assert flat.height == 0
    assert flat.groups == []
    assert flat.top == flat.first_chunks == flat.level(0)
    assert flat.path(flat.top[1], "lengths") == "results/search/size=512/first=000000000512.parquet"


@pytest.mark.parametrize(
    ("number", "height", "tops"),
    [(256, 0, 256), (257, 1, 3), (5000, 1, 40), (32_768, 1, 256), (50_000, 2, 4)],
)
def test_no_job_reads_more_files(number, height, tops):
    large = Tree(Search(10**12, 10 * number), 10)
    assert (large.height, len(large.top)) == (height, tops)
    assert len(large.level(0)) == number
    assert 2 * len(large.top) <= FILES
    for group in large.groups:
        below = large.below(group)
        assert len(below) <= FAN_IN
        assert 4 * len(below) <= FILES
        assert sum(node.seeds for node in below) == group.seeds


@given(st.integers(1, 5000), st.integers(1, 7), st.integers(2, 6), st.integers(1, 9))
def test_every_level_covers_every_seed_once(number, size, fan_in, widest):
    some = Tree(Search(7, number * size), size, fan_in=fan_in, widest=widest)
    assert len(some.top) <= widest
    for level in range(some.height + 1):
        nodes = some.level(level)
        assert nodes[0].first_seed == 7
        assert nodes[-1].first_seed + nodes[-1].seeds == 7 + number * size
        for one, following in pairwise(nodes):
            assert one.first_seed + one.seeds == following.first_seed
        assert nodes == [some.node(level, node.first_seed) for node in nodes]
        if level:
            assert [part for node in nodes for part in some.below(node)] == some.level(level - 1)
    paths = some.paths([*some.level(0), *some.groups], "lengths")
    assert len(set(paths)) == len(paths)


@given(st.integers(1, 3000), st.integers(1, 3000), st.integers(2, 6), st.integers(1, 9))
def test_a_complete_group_keeps_its_place_when_the_search_grows(few, more, fan_in, widest):
    small = Tree(Search(7, few), 1, fan_in=fan_in, widest=widest)
    large = Tree(Search(7, few + more), 1, fan_in=fan_in, widest=widest)
    complete = {n for n in small.groups if n.seeds == fan_in**n.level}
    assert complete <= {n for n in large.groups if n.level <= small.height}


TABLES = [chunks.play_parallel(Search(seed, 5, 40), workers=1) for seed in range(0, 300, 5)]


@given(st.integers(1, 60), st.integers(2, 9), st.integers(1, 9), st.integers(1, 500))
def test_any_tree_gives_the_tables_of_a_flat_merge(number, fan_in, widest, batch):
    some = Tree(Search(0, 5 * number, 40), 5, fan_in=fan_in, widest=widest)
    for kind, merge in enumerate((lt.merge_lengths, lt.merge_plays)):
        with pytest.MonkeyPatch.context() as patch:
            flat = merge(tables[kind] for tables in TABLES[:number])
            patch.setattr(lt, "BATCH", batch)
            tables = {node: TABLES[node.first_seed // 5][kind] for node in some.level(0)}
            for node in some.groups:
                tables[node] = merge(tables[part] for part in some.below(node))
            assert lt.same(merge(tables[node] for node in some.top), flat)


SHAPES = [{}, {"fan_in": 2, "widest": 3}, {"fan_in": 5, "widest": 1}, {"fan_in": 19, "widest": 2}]


@pytest.mark.parametrize("shape", SHAPES)
def test_files_through_the_tree(play_tree, shape):
    search = Search(2**63 - 500, 1000, 50)
    some = play_tree(search, 50, **shape)
    expected = chunks.play_parallel(search, workers=2)
    for name, table in zip(("lengths", "plays"), expected, strict=True):
        columns, about = store.read(some.folder / f"{name}.parquet")
        assert lt.same(columns, table)
        assert about == search.about
    measured = groups.timings(some, some.top)
    assert [chunk["seeds"] for chunk in measured] == [50] * 20


@pytest.mark.parametrize("shape", SHAPES)
def test_the_list_through_the_tree_is_the_list_of_all_files(play_tree, shape):
    some = play_tree(Search(0, 400, 50), 20, **shape)
    nodes = [*some.level(0), *some.groups]
    tables = some.paths(nodes, "lengths") + some.paths(nodes, "plays")
    merged = [str(some.folder / "lengths.parquet")]
    plain = listing.listed(some.folder, tables + merged + some.paths(some.groups, "files"))
    if some.height:
        joined = listing.listed(some.folder, merged, some.paths(some.top, "files"))
        assert lt.same(joined, plain)
    assert len(set(plain["path"])) == len(plain["path"])


@pytest.mark.parametrize("kind", ["lengths", "plays"])
def test_a_group_of_other_seeds_is_refused(play_tree, kind):
    some = play_tree(Search(0, 400, 50), 20, fan_in=4, widest=2)
    one, other = some.level(1)[:2]
    table, about = store.read(some.path(other, kind))
    store.write(some.path(one, kind), table, about)
    with pytest.raises(InputError, match=r"80 seeds from 80 .* where 80 seeds from 0 .* belongs"):
        groups.write_group(some, some.level(2)[0], *(str(some.folder / n) for n in "abcd"))


def test_a_missing_timing_is_left_out(play_tree):
    some = play_tree(Search(0, 100, 50), 20)
    (some.folder / "timing/search/size=20/first=000000000040.json").unlink()
    assert len(groups.timings(some, some.top)) == 4


def test_chunks_and_groups_open_in_pandas(play_tree):
    some = play_tree(Search(0, 400, 50), 20, fan_in=4, widest=2)
    for folder in ("search/size=20", "groups/lengths/size=20/level=1"):
        assert pd.read_parquet(some.folder / folder)["deals"].sum() == 400


def test_a_search_for_ties_reads_few_chunks(tmp_path, monkeypatch):
    """Two thousand chunks in a tree of 32; the longest deals lie anywhere, some twice in one."""
    some = Tree(Search(0, 2000), 1, tmp_path, fan_in=32, widest=32)
    rows = np.arange(2000, dtype=np.uint64)
    tricks = np.sort(np.random.default_rng(1).geometric(0.02, 2000).astype(np.uint64))
    np.random.default_rng(2).shuffle(tricks)
    columns = {name: np.zeros(2000, np.uint64) for name in lt.LENGTH_COLUMNS}
    columns |= {"finished": np.ones(2000, bool), "tricks": tricks, "first_seed": rows}
    columns["deals"] = np.ones(2000, np.uint64)
    whole = lt.merge_lengths([columns])

    def read(node, kind):
        reads.append(node)
        part = slice(node.first_seed, node.first_seed + node.seeds)
        return lt.merge_lengths([{name: values[part] for name, values in columns.items()}])

    reads = []
    monkeypatch.setattr(tree.Tree, "read", lambda self, node, kind: read(node, kind))
    store.write(tmp_path / "lengths.parquet", whole)
    found = record.longest_seeds(some, 10, tmp_path / "lengths.parquet")
    expected = sorted(range(2000), key=lambda seed: (-int(tricks[seed]), seed))[:10]
    assert found == expected
    assert len({int(tricks[seed]) for seed in found}) < 10, "the test needs ties"
    assert len(reads) < 200
