"""The three verdicts on a results folder, wherever it comes from."""

import json
import shutil

import pytest
from click.testing import CliRunner

from bmn import cli, store
from bmn.checks import expected
from tests.conftest import flip

pytestmark = pytest.mark.workflow


@pytest.fixture
def folder(finished, tmp_path):
    """A results folder that was packed elsewhere and unpacked here, with nothing around it."""
    packed = shutil.make_archive(tmp_path / "packed", "zip", finished.results)
    shutil.unpack_archive(packed, tmp_path / "theirs")
    return tmp_path / "theirs"


def verdicts(folder, *options):
    done = CliRunner().invoke(cli.main, ["verify", str(folder), *map(str, options), "--json"])
    assert "Traceback" not in done.stderr
    answers = {name: told["answer"] for name, told in json.loads(done.stdout)["verdicts"].items()}
    assert done.exit_code == ("no" in answers.values())
    return tuple(answers.values())


def test_a_folder_from_elsewhere(folder, tmp_path):
    assert verdicts(folder) == ("yes", "yes", "unknown")
    mine = tmp_path / "mine.json"
    expected.write(store.read_json(folder / "summary.json")["search"], folder, mine)
    assert verdicts(folder, "--expected", mine) == ("yes", "yes", "yes")
    told = store.read_json(mine)
    told["results"]["record"] = "0" * 64
    store.write_json(mine, told)
    assert verdicts(folder, "--expected", mine) == ("yes", "yes", "no")


@pytest.mark.parametrize(
    ("lost", "answers"),
    [
        ("search/size=512/first=000000001024.parquet", ("no", "yes", "unknown")),
        ("record.parquet", ("no", "yes", "unknown")),
        ("report.html", ("no", "yes", "unknown")),
        ("summary.json", ("no", "yes", "unknown")),
        ("manifest.parquet", ("no", "unknown", "unknown")),
    ],
)
def test_a_lost_file(folder, lost, answers):
    (folder / lost).unlink()
    assert verdicts(folder) == answers


def test_a_decomposition_that_the_manifest_leaves_out(folder):
    listed, about = store.read(folder / "manifest.parquet")
    kept = [not path.startswith("search/size=1024") for path in listed["path"]]
    store.write(folder / "manifest.parquet", {k: v[kept] for k, v in listed.items()}, about)
    assert verdicts(folder) == ("no", "yes", "unknown")


@pytest.mark.parametrize(
    "told", [{"seeds": 10**18}, {"seeds": "many"}, {"deck": [1]}, {"rules": {"players": None}}]
)
def test_a_summary_of_another_search(folder, told):
    summary = store.read_json(folder / "summary.json")
    summary["search"] |= told
    summary["chunk_sizes"] = [1, 2]
    store.write_json(folder / "summary.json", summary)
    assert verdicts(folder)[:2] in {("unknown", "no"), ("no", "no")}


@pytest.mark.parametrize("changed", ["lengths.parquet", "headline.txt", "manifest.parquet"])
def test_a_changed_file(folder, changed):
    flip(folder / changed)
    assert verdicts(folder)[1] == "no"


def test_a_forged_record_is_not_the_expected_one(folder, tmp_path):
    """Even where table and manifest are changed together."""
    mine = tmp_path / "mine.json"
    expected.write(store.read_json(folder / "summary.json")["search"], folder, mine)
    table, about = store.read(folder / "record.parquet")
    table["tricks"][0] += 1
    store.write(folder / "record.parquet", table, about)
    assert verdicts(folder, "--expected", mine)[2] == "no"


def test_the_committed_results_are_installed_too(monkeypatch, tmp_path):
    names = [path.name for path in expected.committed()]
    assert {"published.json", "quick.json"} <= set(names)
    monkeypatch.setattr(expected, "ROOT", tmp_path)
    assert [path.name for path in expected.committed()] == names


def test_words_for_people(folder):
    done = CliRunner().invoke(cli.main, ["verify", str(folder)])
    lines = done.stdout.splitlines()
    assert [line.split()[1:3] for line in lines] == [
        ["complete", "yes"],
        ["untouched", "yes"],
        ["expected", "unknown"],
    ]
    (folder / "record.parquet").unlink()
    done = CliRunner().invoke(cli.main, ["verify", str(folder)])
    assert "missing: " in done.output and "✗ complete   no" in done.output
