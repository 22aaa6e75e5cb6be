"""The rules of the three-queue War: what reruns, and that nothing damaged is consumed."""

import pytest

from bmn.sedaps import census, loops, tables

pytestmark = pytest.mark.workflow

SMALL_PLAN = """

CENSUSES = (
    Census("three", "tree", 7),
    Census("packet", "tree", 12, parts=3),
    Census("packet", "enumeration", 9, parts=2),
)
MORE_CENSUSES = (Census("packet", "tree", 13),)
LOOP_SEARCHES = (LoopSearch("all", 12, parts=2), LoopSearch("synchronised", 12))
MORE_LOOP_SEARCHES = (LoopSearch("all", 13),)
"""

NAMES = ("census", "completeness", "loops", "facts/replays")
TARGETS = [f"results/sedaps/{name}.parquet" for name in NAMES]
BELOW_THE_BINARY = {
    "sedaps_census_part": 6,
    "sedaps_loops_part": 3,
    "sedaps_census": 1,
    "sedaps_loops": 1,
    "sedaps_replays": 1,
}


@pytest.fixture(scope="module")
def small(unfinished, tmp_path_factory):
    """A finished run of a few small censuses and searches."""
    project = unfinished.copy(tmp_path_factory.mktemp("sedaps") / "project")
    plan = project.folder / "bmn/sedaps/plan.py"
    plan.write_text(plan.read_text() + SMALL_PLAN)
    project.snakemake(*TARGETS)
    return project


def comment(path, mark="#"):
    path.write_text(f"{path.read_text()}\n{mark} A comment.\n")


def test_the_whole_plan_can_be_scheduled(unfinished):
    some = unfinished.pending("sedaps")
    more = unfinished.pending("sedaps_full")
    assert some["sedaps_ledger"] == more["sedaps_ledger"] == 1
    assert some["sedaps_census_part"] > 100
    assert more["sedaps_census_part"] > some["sedaps_census_part"]
    assert "chunk" not in more and "engine" not in more


def test_what_the_parts_merge_to(small):
    checked, _ = tables.read(small.results / "sedaps/completeness.parquet", census.Completeness)
    assert [line[:3] for line in checked] == [
        ("three", "tree", 7),
        ("packet", "enumeration", 9),
        ("packet", "tree", 12),
    ]
    assert all(line.complete for line in checked)
    found, about = tables.read(small.results / "sedaps/loops.parquet", loops.LoopRow)
    assert about["decks"] == {"all": [12], "synchronised": [12]}
    assert loops.count(found) == {(9, True): 1036800, (60, True): 108864}


def test_a_finished_run_has_nothing_left(small):
    assert small.pending(*TARGETS) == {}
    assert (small.results / "timing/sedaps/replays.tsv").exists()


def test_the_full_run_adds_to_the_parts(small):
    full = [target.replace("results/sedaps/", "results/sedaps_full/") for target in TARGETS[:3]]
    assert small.pending(*full) == {
        "sedaps_census_part": 1,
        "sedaps_loops_part": 1,
        "sedaps_census": 1,
        "sedaps_loops": 1,
    }


@pytest.mark.parametrize(
    ("module", "rerun"),
    [
        ("loops", {"sedaps_loops_part": 3, "sedaps_loops": 1}),
        ("census", {"sedaps_census_part": 6, "sedaps_census": 1}),
        ("replays", {"sedaps_replays": 1}),
        ("ledger", {}),
        ("plan", {}),
    ],
)
def test_changed_code_reruns_what_it_is_behind(small, tmp_path, module, rerun):
    project = small.copy(tmp_path / "project")
    comment(project.folder / f"bmn/sedaps/{module}.py")
    assert project.pending(*TARGETS) == rerun


def test_changed_words_rerun_no_computation(small, tmp_path):
    project = small.copy(tmp_path / "project")
    comment(project.folder / "bmn/sedaps/data/claims.json", " ")
    assert project.pending(*TARGETS) == {}


def test_another_binary_reruns_everything(small, tmp_path):
    project = small.copy(tmp_path / "project")
    (binary,) = (project.folder / "bmn/sedaps").glob("_war*.so")
    binary.touch()
    assert project.pending(*TARGETS) == {}
    binary.write_bytes(binary.read_bytes() + b"\0")
    assert project.pending(*TARGETS) == BELOW_THE_BINARY


def test_a_changed_header_rebuilds_the_binary(small, tmp_path):
    project = small.copy(tmp_path / "project")
    comment(project.folder / "bmn/sedaps/war/poset.h", "//")
    assert project.pending(*TARGETS) == BELOW_THE_BINARY | {"war": 1}


def test_a_damaged_part_is_told_and_not_consumed(small, tmp_path):
    project = small.copy(tmp_path / "project")
    part = next((project.results / "sedaps/census").rglob("cards=12/*.parquet"))
    body = bytearray(part.read_bytes())
    middle = len(body) // 3
    body[middle : middle + 64] = bytes(64)
    part.write_bytes(body)
    for target in TARGETS[:2]:
        (project.folder / target).unlink()
    done = project.snakemake(*TARGETS, check=False)
    assert done.returncode == 2
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("bmn: ")]
    assert part.name in sentence and "delete it" in sentence
    assert not (project.folder / TARGETS[0]).exists()
