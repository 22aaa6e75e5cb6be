"""A run of more chunks than are merged directly: same tables, and reruns along the tree only."""

import pytest

from bmn import chunks, store
from bmn import lengths as lt
from bmn.chunks import Search
from tests.conftest import flip

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

SIZE, CHUNKS = 16, 300
SEARCH = Search(0, SIZE * CHUNKS)
SETTINGS = {"seeds": SEARCH.seeds, "chunk_sizes": [SIZE, 2 * SIZE]}


@pytest.fixture(scope="module")
def many(tmp_path_factory, unfinished):
    """A finished run of 300 chunks, in three groups, and of 150, in none."""
    project = unfinished.copy(tmp_path_factory.mktemp("many") / "project")
    project.configure(**SETTINGS)
    project.snakemake()
    return project


@pytest.fixture
def changing(many, tmp_path):
    return many.copy(tmp_path / "project")


def test_the_tables_are_those_of_one_search(many):
    played = chunks.play_parallel(SEARCH, workers=1)
    for name, table in zip(("lengths", "plays"), played, strict=True):
        found, about = store.read(many.results / f"{name}.parquet")
        assert lt.same(found, table)
        assert about == SEARCH.about
    groups = sorted(path.name for path in many.results.glob("groups/lengths/*/*/*.parquet"))
    assert groups == [f"first={first:012d}.parquet" for first in (0, 2048, 4096)]
    cost = store.read_json(many.results / "timing/cost.json")
    assert cost["chunks_timed"] == cost["chunks"] == 450


def test_the_manifest_lists_everything_and_verify_agrees(many):
    listed, _ = store.read(many.results / "manifest.parquet")
    files = {path for path in many.files() if not path.rpartition("/")[2].startswith(".")}
    assert set(listed["path"]) == files - {"manifest.parquet"}
    many.python("bmn", "verify")


def test_nothing_changed_nothing_to_do(many):
    assert many.pending() == {}


def test_a_deleted_chunk_reruns_its_group_and_no_other(changing):
    before = changing.files()
    changing.chunk(first=4096, size=SIZE).unlink()
    pending = changing.pending()
    assert (pending["chunk"], pending["group"]) == (1, 1)
    assert "merge_other" not in pending
    changing.snakemake()
    assert changing.files() == before


def test_a_deleted_group_plays_nothing_again(changing):
    (changing.results / f"groups/plays/size={SIZE}/level=1/first={0:012d}.parquet").unlink()
    pending = changing.pending()
    assert pending["group"] == 1
    assert "chunk" not in pending


def test_a_search_that_grows_keeps_its_complete_groups(changing):
    changing.configure(**SETTINGS | {"seeds": SIZE * 384})
    pending = changing.pending()
    assert pending["chunk"] == 84 + 42
    assert pending["group"] == 1


def test_a_damaged_group_stops_the_run_with_its_name(changing):
    group = changing.results / f"groups/lengths/size={SIZE}/level=1/first={2048:012d}.parquet"
    flip(group)
    done = changing.snakemake(check=False)
    assert done.returncode == 2
    assert f"first={2048:012d}.parquet" in done.stderr
