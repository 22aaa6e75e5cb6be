"""What reruns when, and that nothing wrong is ever consumed or half-written."""

import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

from bmn import build, store
from tests.conftest import flip

pytestmark = pytest.mark.workflow

SHOWN = {"report", "pictures", "timed_report", "timed_pictures"}
"""What people look at follows whatever it shows."""

BELOW_CHUNKS = SHOWN | {
    "merge",
    "merge_other",
    "decompositions",
    "invariants",
    "record",
    "capped",
    "statistics",
    "expected",
    "summary",
    "headline",
    "manifest",
    "cost",
}


ENGINE_CHECKS = {"battery", "plants", "binary", "published"}


def rules(pending):
    return set(pending)


def test_a_finished_run_is_green_and_has_a_headline(finished):
    summary = json.loads((finished.results / "summary.json").read_text())
    assert summary["green"]
    assert summary["totals"]["deals"] == 4096
    assert summary["totals"]["violations"] == 0
    assert (finished.results / "headline.txt").read_text().startswith("The longest of 4,096")


def test_nothing_changed_nothing_to_do(finished):
    assert finished.pending() == {}


def test_a_touched_engine_reruns_nothing(project):
    (project.folder / build.ENGINE).touch()
    assert project.pending() == {}


def test_a_touched_source_reruns_nothing(project):
    (project.folder / "bmn/_engine.pyx").touch()
    assert project.pending() == {}


def test_a_changed_engine_reruns_chunks_and_what_is_below(project):
    engine = project.folder / build.ENGINE
    engine.write_bytes(engine.read_bytes() + b"\0")
    pending = project.pending()
    assert pending["chunk"] == 12
    assert rules(pending) == BELOW_CHUNKS | {"chunk", "battery", "plants", "binary", "published"}


def test_a_changed_engine_source_rebuilds_and_reruns_what_is_below(project):
    with (project.folder / "bmn/kernels/plain.h").open("a") as source:
        source.write("\n// a comment\n")
    pending = project.pending()
    assert pending["engine"] == 1
    assert pending["chunk"] == 12
    assert rules(pending) == BELOW_CHUNKS | {
        "engine",
        "chunk",
        "battery",
        "plants",
        "binary",
        "published",
    }


def test_changed_code_of_one_check_reruns_that_check(project):
    with (project.folder / "bmn/checks/control.py").open("a") as source:
        source.write("\n# a comment\n")
    above = {"control", "expected", "summary", "headline", "manifest"}
    assert rules(project.pending()) == above | SHOWN


def test_a_changed_cost_setting_reruns_only_the_cost(project):
    project.configure(cost_deals=60)
    assert project.pending() == {"cost": 1, "timed_report": 1, "timed_pictures": 1}


def test_a_changed_name_reruns_only_the_summary_and_what_is_below(project):
    project.configure(name="other")
    assert rules(project.pending()) == {"summary", "headline", "manifest"} | SHOWN


@pytest.mark.parametrize(
    ("key", "value"),
    [("cap", 20), ("seeds", 2048), ("longest", 4), ("name", "other"), ("rules", "reversed-pile")],
)
def test_results_without_records_are_not_taken_for_those_asked_for(project, key, value):
    # As in a folder that was copied: Snakemake has nothing but the times of files to go by.
    shutil.rmtree(project.folder / ".snakemake")
    project.snakemake()
    project.configure(**{key: value})
    for dry in ((), ("-n",)):
        done = project.snakemake(*dry, check=False)
        assert done.returncode == 2
        assert done.stderr.count("bmn: ") == 1 and f"{key} " in done.stderr
    # Also where something else is missing, which would be made of them.
    (project.results / "report.html").unlink()
    assert project.snakemake(check=False).returncode == 2
    assert not (project.results / "report.html").exists()


def test_results_of_another_configuration_are_replaced_as_the_sentence_says(project):
    shutil.rmtree(project.folder / ".snakemake")
    project.configure(cap=20)
    told = project.snakemake(check=False).stderr
    way_out = re.search("`snakemake --cores all (.*)`", told)[1]
    project.snakemake(*way_out.split())
    other = project.copy(project.folder.with_name("other"))
    shutil.rmtree(other.results)
    other.snakemake()
    assert other.files() == project.files()


def test_more_seeds_rerun_only_the_new_chunks(project):
    project.configure(seeds=8192)
    pending = project.pending()
    assert pending["chunk"] == 12
    assert rules(pending) == BELOW_CHUNKS | {"chunk"}


def test_a_crate_does_not_outlive_the_results_that_it_describes(project):
    described = project.results / "ro-crate-metadata.json"
    described.write_text("{}")
    project.configure(cost_deals=60)
    project.snakemake()
    assert described.exists()
    project.configure(name="other")
    project.snakemake()
    assert not described.exists()


def test_a_dry_run_does_not_wonder_at_what_the_installation_compiled(unfinished, tmp_path):
    project = unfinished.copy(tmp_path / "project")
    project.snakemake()
    done = project.snakemake("-n")
    assert "missing" not in done.stdout + done.stderr


def test_a_deleted_chunk_is_made_again_with_what_is_below(project):
    before = project.files()
    project.chunk().unlink()
    pending = project.pending()
    assert pending["chunk"] == 1
    assert "merge_other" not in pending
    project.snakemake()
    assert project.files() == before


def test_a_flipped_bit_in_a_chunk_stops_the_run_with_its_name(project):
    chunk = project.chunk()
    flip(chunk)
    done = project.snakemake(check=False)
    assert done.returncode == 2
    assert f"first={1024:012d}.parquet" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    assert 'File "' not in done.stdout + done.stderr


def test_swapped_chunks_stop_the_run(project):
    one, other = project.chunk(512), project.chunk(1024)
    one_bytes, other_bytes = one.read_bytes(), other.read_bytes()
    one.write_bytes(other_bytes)
    other.write_bytes(one_bytes)
    done = project.snakemake(check=False)
    assert done.returncode == 2
    assert "first=000000000512.parquet was written as first=000000001024" in done.stderr


def only_sentence(done):
    """Return what a command ends with that meets bad input: one sentence."""
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr and "LockException" not in done.stderr
    (sentence,) = re.findall(r"^bmn: (?!\d+ of \d+ ).*", done.stderr, re.MULTILINE)
    return sentence


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("checks/invariants.parquet", "checks/replay.parquet"),
        ("lengths.parquet", "plays.parquet"),
        ("record.parquet", "capped.parquet"),
        ("search/size=512/first=000000001024.parquet", None),
    ],
)
def test_tables_in_the_place_of_each_other_stop_the_run(project, one, other):
    other = other or one.replace("search/", "search_plays/")
    paths = [project.results / one, project.results / other]
    for path, content in zip(paths, [path.read_bytes() for path in paths[::-1]], strict=True):
        path.write_bytes(content)
    assert "delete it and run the workflow again" in only_sentence(project.snakemake(check=False))


@pytest.mark.parametrize("table", ["record", "capped", "checks/replay", "published/statistics"])
def test_a_table_of_another_search_stops_the_run(project, table):
    path = project.results / f"{table}.parquet"
    columns, about = store.read(path)
    store.write(path, columns, about | {"first_seed": 4096})
    sentence = only_sentence(project.snakemake(check=False))
    assert f"{table}.parquet holds 4096 seeds from 4096" in sentence


@pytest.mark.parametrize(
    ("made", "named"),
    [
        ("report.html", "report.sha256"),
        ("report.sha256", "report.sha256"),
        ("headline.txt", "headline.txt"),
        ("summary.json", "summary.json"),
    ],
)
def test_a_changed_digit_is_not_taken_for_what_was_made(project, made, named):
    path = project.results / made
    path.write_text(re.sub(r"\d", lambda digit: str(9 - int(digit[0])), path.read_text(), count=1))
    sentence = only_sentence(project.snakemake(check=False))
    assert f"results/{named} " in sentence and "delete it" in sentence
    assert not made.startswith("summary") or not (project.results / "headline.txt").exists()


def test_two_runs_in_one_folder(project):
    project.chunk().unlink()
    folder = os.open(project.results, os.O_RDONLY)
    fcntl.flock(folder, fcntl.LOCK_EX)
    sentence = only_sentence(project.snakemake(check=False))
    assert "another run is at work in" in sentence and "wait for it" in sentence
    os.close(folder)
    project.snakemake()


def test_the_lock_of_a_killed_run(project):
    project.chunk().unlink()
    locks = project.folder / ".snakemake/locks"
    locks.mkdir(exist_ok=True)
    (locks / "0.output.lock").write_text("results/headline.txt\n")
    assert "`snakemake --unlock`" in only_sentence(project.snakemake(check=False))
    project.snakemake("--unlock")
    project.snakemake()


@pytest.mark.parametrize("size", [0, 1000, 200_000])
def test_an_engine_that_cannot_be_loaded(project, size):
    engine = project.folder / build.ENGINE
    content = engine.read_bytes()
    engine.unlink()
    engine.write_bytes(content[:size])
    sentence = only_sentence(project.snakemake(check=False))
    assert "_engine" in sentence and "cannot be loaded" in sentence and "delete it" in sentence
    assert not (project.results / "headline.txt").exists()


def test_files_from_the_future(project):
    before = project.files()
    then = time.time() + 1e6
    os.utime(project.chunk(), (then, then))
    project.snakemake()
    assert project.files() == before


def test_verify_tells_a_truncated_file(project):
    final = project.results / "record.parquet"
    final.write_bytes(final.read_bytes()[:-100])
    done = project.python("bmn", "verify", check=False)
    assert done.returncode == 1
    assert "record.parquet" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_red_check_leaves_no_headline_and_fails(project):
    battery = project.results / "checks/battery.parquet"
    table, about = store.read(battery)
    table["ok"][0] = False
    store.write(battery, table, about)
    done = project.snakemake(check=False)
    assert done.returncode == 2
    assert "no headline" in done.stderr and "battery" in done.stderr
    assert not (project.results / "headline.txt").exists()


def test_two_folders_and_other_cores_give_the_same_bytes(finished, tmp_path):
    other = type(finished).fresh(tmp_path / "a/deeper/folder")
    other.snakemake(cores=1)
    assert other.files() == finished.files()


def test_a_killed_run_is_finished_by_the_documented_commands(finished, tmp_path):
    project = type(finished).fresh(tmp_path / "killed")
    command = [sys.executable, "-m", "snakemake", "--cores", "2"]
    with subprocess.Popen(
        command,
        cwd=project.folder,
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as run:
        while not list(project.results.glob("search/*/*.parquet")) and run.poll() is None:
            time.sleep(0.02)
        os.killpg(run.pid, signal.SIGKILL)
    project.snakemake("--unlock")
    project.snakemake()
    assert project.files() == finished.files()


@pytest.mark.parametrize(
    ("setting", "word"),
    [
        ("cap=0", "'cap'"),
        ("sedes=100", "'seeds'"),
        ("seeds=1000", "chunks of 512"),
        ("first_seed=-1", "'first_seed'"),
        ("first_seed=18446744073709551615", "64 bits"),
        ("seeds=many", "'seeds'"),
    ],
)
def test_bad_configuration_is_one_sentence(finished, setting, word):
    done = finished.snakemake("--config", setting, check=False)
    sentences = [line for line in done.stderr.splitlines() if line.startswith("bmn: ")]
    assert done.returncode == 2
    assert len(sentences) == 1 and word in sentences[0]
    assert "Traceback" not in done.stderr


def test_a_results_folder_that_cannot_be_made_is_one_sentence(finished, tmp_path):
    (tmp_path / "results").write_text("a file in the way")
    done = finished.snakemake("--directory", str(tmp_path), check=False)
    assert done.returncode == 2
    assert "cannot be written to" in done.stderr


def test_a_missing_compiler_is_one_sentence(project, monkeypatch):
    (project.folder / build.ENGINE).unlink()
    project.chunk().unlink()
    monkeypatch.setenv("CC", "no-such-compiler")
    done = project.snakemake(check=False)
    assert done.returncode == 2
    assert "no-such-compiler" in done.stderr and "install" in done.stderr
    assert not (project.folder / build.ENGINE).exists()
