"""Joining the results of machines, and growing a search: no deal is played twice."""

import re
import shlex
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from bmn import cli, join, store
from bmn.chunks import Search
from bmn.errors import InputError
from bmn.game import DEFAULT_CAP
from bmn.provenance import ROOT
from bmn.rules import RULE_SETS
from tests.conftest import flip

SEEDS = 8192

ONE = join.Run(Path("one"), "mini", Search(0, 4096), (512, 1024), 3)
"""What a run says of itself; `OTHER` goes on where it ends."""

OTHER = replace(ONE, folder=Path("other"), search=Search(4096, 4096))


def merge(*arguments):
    return CliRunner().invoke(cli.main, ["merge", *map(str, arguments)])


def stamps(project, size):
    """Say which file is in each place of a decomposition."""
    paths = project.results.glob(f"search*/size={size}/*.parquet")
    return {path.relative_to(project.results): path.stat().st_ino for path in paths}


@pytest.fixture(scope="module")
def second(finished, tmp_path_factory):
    """A finished run of the seeds after those of `finished`."""
    project = finished.copy(tmp_path_factory.mktemp("second") / "project")
    project.configure(first_seed=4096)
    project.snakemake()
    return project


@pytest.fixture(scope="module")
def whole(finished, tmp_path_factory):
    """A single run over all seeds, which plays every chunk."""
    project = finished.copy(tmp_path_factory.mktemp("whole") / "project")
    for made in ("search", "search_plays", "decompositions"):
        shutil.rmtree(project.results / made)
    project.configure(seeds=SEEDS)
    assert project.pending()["chunk"] == 24
    project.snakemake()
    return project


@pytest.mark.workflow
def test_joined_runs_end_as_a_single_run_without_playing_a_chunk(
    finished, second, whole, fresh_project
):
    out = fresh_project.folder / "joined/results"
    for binary in fresh_project.folder.rglob("*.so"):
        binary.touch()  # compiled from the sources that are there, and before the runs are joined
    done = merge(second.results, finished.results, "-o", out)
    assert done.exit_code == 0, done.output
    assert "8,192 seeds (0 to 8191) of 2 runs" in done.output
    command = shlex.split(done.output.splitlines()[-1])
    assert command[:3] == ["snakemake", "--cores", "all"]
    pending = fresh_project.pending(*command[3:])
    assert "chunk" not in pending and pending["record"] == 1
    fresh_project.snakemake(*command[3:])
    joined = type(whole)(out.parent)
    wanted = whole.files()
    assert {path: wanted[path] for path in wanted} == {
        path: data for path, data in joined.files().items() if path != join.CONFIG
    }


@pytest.mark.workflow
def test_a_longer_search_plays_only_the_new_chunks(finished, whole, tmp_path):
    project = finished.copy(tmp_path / "project")
    before = stamps(project, 512) | stamps(project, 1024)
    project.configure(seeds=SEEDS)
    project.snakemake()
    after = stamps(project, 512) | stamps(project, 1024)
    assert before.items() <= after.items() and len(after) == 2 * len(before)
    assert project.files() == whole.files()


@pytest.mark.workflow
def test_another_decomposition_plays_only_its_own_chunks(finished, tmp_path):
    project = finished.copy(tmp_path / "project")
    before = stamps(project, 512) | stamps(project, 1024)
    lengths = (project.results / "lengths.parquet").stat().st_ino
    project.configure(chunk_sizes=[512, 1024, 2048])
    assert project.pending()["chunk"] == 2
    project.snakemake()
    assert stamps(project, 512) | stamps(project, 1024) == before
    assert len(stamps(project, 2048)) == 4
    assert (project.results / "lengths.parquet").stat().st_ino == lengths
    table, _ = store.read(project.results / "checks/decompositions.parquet")
    assert table["ok"].all() and any("2048" in item for item in table["item"])


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (replace(OTHER, search=Search(4095, 4096)), "both hold the seeds 4095 to 4095"),
        (replace(OTHER, search=Search(0, 4096)), "both hold the seeds 0 to 4095"),
        (replace(OTHER, search=Search(4097, 4096)), "leave out the seeds 4096 to 4096"),
        (replace(OTHER, search=Search(4096, 4096, 100)), "the same cap (100000 and 100)"),
        (
            replace(OTHER, search=Search(4096, 4096, deck=RULE_SETS["camicia"].deck)),
            "the same deck",
        ),
        (
            replace(OTHER, search=Search(4096, 4096, rules=RULE_SETS["reversed-pile"])),
            "the same rules ({} and {'pile': 'reversed'})",
        ),
        (replace(OTHER, chunk_sizes=(512, 2048)), "512 and 1024; 512 and 2048"),
    ],
)
def test_runs_that_do_not_fit_are_refused(other, words, tmp_path, monkeypatch):
    runs = {"one": ONE, "other": other}
    monkeypatch.setattr(join.Run, "read", lambda folder: runs[folder])
    for folders in (["one", "other"], ["other", "one"]):
        with pytest.raises(InputError, match=re.escape(words)) as error:
            join.join(folders, tmp_path / "results")
        assert "\n" not in str(error.value)
    assert not list(tmp_path.iterdir())


def test_runs_that_fit_fit():
    join._check_fit(ONE, OTHER)
    join._check_fit(ONE, replace(OTHER, chunk_sizes=(1024, 512), longest=7))
    assert ONE.search.cap == DEFAULT_CAP


def rename(path):
    other = path.with_name("first=000000001536.parquet")
    data = path.read_bytes()
    path.write_bytes(other.read_bytes())
    other.write_bytes(data)


def redden(path):
    battery = path.parents[2] / "checks/battery.parquet"
    table, about = store.read(battery)
    table["ok"][0] = False
    store.write(battery, table, about)


def leave_unfinished(path):
    (path.parents[2] / "manifest.parquet").unlink()


def drop_a_decomposition(path):
    """Take away all chunks of the other size, and the manifest's rows of them."""
    other = path.parents[1] / "size=1024"
    shutil.rmtree(other)
    manifest = path.parents[2] / "manifest.parquet"
    table, about = store.read(manifest)
    kept = ["search/size=1024/" not in path for path in table["path"]]
    store.write(manifest, {name: values[kept] for name, values in table.items()}, about)


@pytest.mark.workflow
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (flip, "is not as its run left it"),
        (Path.unlink, "is not as its run left it"),
        (rename, "is not as its run left it"),
        (redden, "does not follow from the tables"),
        (leave_unfinished, "run the workflow there to its end"),
        (drop_a_decomposition, "does not list search/size=1024"),
    ],
)
def test_a_run_that_is_not_whole_is_refused(fault, words, project, second, tmp_path):
    fault(project.chunk())
    done = merge(project.results, second.results, "-o", tmp_path / "joined/results")
    assert done.exit_code == 2
    assert words in done.stderr and done.stderr.count("\n") == 1
    assert not (tmp_path / "joined").exists()


@pytest.mark.workflow
def test_a_red_run_is_refused(project, second, tmp_path):
    redden(project.chunk())
    told = store.read_json(project.results / "summary.json")
    again = join.summary.summarise(
        project.results, told["name"], told["search"], told["chunk_sizes"]
    )
    store.write_json(project.results / "summary.json", again)
    done = merge(project.results, second.results, "-o", tmp_path / "results")
    assert done.exit_code == 2 and "has a red check (battery)" in done.stderr


@pytest.mark.workflow
def test_the_place_of_the_joined_run_is_looked_at_first(finished, second, tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/mine").touch()
    for place, words in (("results", "is there already"), ("joined", "must be called results")):
        done = merge(finished.results, second.results, "-o", tmp_path / place)
        assert done.exit_code == 2 and words in done.stderr


def test_names_that_the_configuration_refuses_are_refused(tmp_path, monkeypatch):
    schema = yaml.safe_load((ROOT / "config/schema.yaml").read_text())
    assert schema["properties"]["name"]["pattern"] == f"^{join.NAME}$"
    for name in ("a/b", "two\nlines", " ", ""):
        with pytest.raises(InputError, match="cannot be called"):
            join.join([], tmp_path / "results", name)


@pytest.mark.workflow
def test_two_joins_keep_out_of_each_other(finished, second, tmp_path):
    with join._alone(tmp_path):
        done = merge(finished.results, second.results, "-o", tmp_path / "results")
    assert done.exit_code == 2 and "another `bmn merge`" in done.stderr
    assert not list(tmp_path.iterdir())
    assert merge(finished.results, second.results, "-o", tmp_path / "results").exit_code == 0


def test_a_folder_that_is_not_there_is_named():
    done = merge("nowhere/results", "elsewhere", "-o", "joined/results")
    assert done.exit_code == 2 and "there is no folder nowhere/results" in done.stderr


@pytest.mark.workflow
def test_nothing_is_left_of_a_join_that_fails(finished, second, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(join.shutil, "copyfile", full)
    done = merge(finished.results, second.results, "-o", tmp_path / "results")
    assert done.exit_code == 2 and "No space left on device" in done.stderr
    assert not list(tmp_path.iterdir())
