"""Whatever is in a results folder, `bmn verify` says what is wrong: never a traceback or a wait."""

import json
import os
import shutil
from urllib.parse import quote

import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from bmn import cli, finished, inventory, listing, store
from bmn.checks import expected
from bmn.errors import InputError
from bmn.provenance import file_sha256
from tests.conftest import ROOT

pytestmark = [pytest.mark.workflow, pytest.mark.timeout(600)]

CHUNK = "search/size=512/first=000000001024.parquet"


@pytest.fixture
def folder(finished, tmp_path):
    return copy(finished, tmp_path)


@pytest.fixture(scope="module")
def shared(finished, tmp_path_factory):
    """A folder whose summary and manifest every example of a test writes anew."""
    return copy(finished, tmp_path_factory.mktemp("shared"))


def copy(run, parent):
    return shutil.copytree(run.results, parent / "theirs", ignore=shutil.ignore_patterns("timing"))


def verify(folder, *options):
    done = CliRunner().invoke(cli.main, ["verify", str(folder), *map(str, options)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code in (0, 1, 2)
    return done


def judged(folder, *options):
    """Return the three answers, and the findings."""
    done = verify(folder, *options, "--json")
    told = json.loads(done.stdout)
    answers = tuple(verdict["answer"] for verdict in told["verdicts"].values())
    assert done.exit_code == ("no" in answers)
    return answers, told["findings"]


def relist(folder, *paths, drop=(), add=()):
    """Let the manifest list files as they are now."""
    listed, about = store.read(folder / "manifest.parquet")
    rows = [dict(zip(listed, row, strict=True)) for row in zip(*listed.values(), strict=True)]
    rows = [row for row in rows if row["path"] not in drop]
    rows = [listing.entry_of(folder, folder / r["path"]) if r["path"] in paths else r for r in rows]
    columns = {
        name: np.array([row[name] for row in [*rows, *add]], kind)
        for name, kind in listing.ENTRY.items()
    }
    store.write(folder / "manifest.parquet", columns, about)


def summarised(folder, **changes):
    told = store.read_json(folder / "summary.json")
    search = told["search"] | changes.pop("search", {})
    store.write_json(folder / "summary.json", told | {"search": search} | changes)
    relist(folder, "summary.json")


def test_a_finished_run_has_what_is_due(folder):
    listed = set(store.read(folder / "manifest.parquet")[0]["path"])
    pictures = {path for path in listed if path.startswith("figures/")}
    assert pictures and listed == finished.due(finished.plan(folder)) | pictures
    schema = yaml.safe_load((ROOT / "config/schema.yaml").read_text())
    assert schema["properties"]["longest"]["maximum"] == finished.MOST_KEPT


# What the files may say

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
    | st.sampled_from([0, -5, 1, 3, 4, 512, 2048, 10**9, 10**18, 2**64, 10**30, "standard"]),
    lambda values: st.lists(values, max_size=5) | st.dictionaries(st.text(max_size=5), values),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=120)
@given(
    where=st.sampled_from(
        [
            ("chunk_sizes",),
            ("search",),
            ("totals",),
            ("search", "deck"),
            ("search", "seeds"),
            ("search", "first_seed"),
            ("search", "cap"),
            ("search", "longest"),
            ("search", "rules"),
            (),
        ]
    ),
    value=JSON,
)
def test_any_summary(finished, shared, where, value):
    shutil.copy(finished.results / "manifest.parquet", shared)
    told = right = store.read_json(finished.results / "summary.json")
    if not where:
        told = value
    elif len(where) == 1:
        told = told | {where[0]: value}
    else:
        told = told | {where[0]: told[where[0]] | {where[1]: value}}
    (shared / "summary.json").write_text(json.dumps(told))
    relist(shared, "summary.json")
    answers, found = judged(shared)
    if json.dumps(told) == json.dumps(right):
        assert answers[:2] == ("yes", "yes")
    else:
        assert "no" in answers
        assert any("delete" in finding["text"] for finding in found)


@pytest.mark.parametrize(
    "changes",
    [
        {"chunk_sizes": [0, 512]},
        {"chunk_sizes": [-5]},
        {"chunk_sizes": [512]},
        {"chunk_sizes": [512, 512]},
        {"chunk_sizes": [512, 1000]},
        {"chunk_sizes": [512, 1024.0]},
        {"chunk_sizes": [True, 512]},
        {"chunk_sizes": [512, 2048]},
        {"name": [1]},
        {"search": {"longest": 10**9}},
        {"search": {"longest": 4}},
        {"search": {"longest": True}},
        {"search": {"longest": 3.0}},
        {"search": {"deck": [36.0, 4, 4, 4, 4]}},
        {"search": {"seeds": 10**18}, "chunk_sizes": [1, 2]},
    ],
)
def test_a_summary_of_no_run_of_these_tables(folder, changes):
    summarised(folder, **changes)
    answers, found = judged(folder)
    assert answers[1] == "no" or answers[0] == "no"
    assert found and all("delete " in finding["text"] for finding in found)


PATHS = st.none() | st.text() | st.sampled_from(
    [
        "search/size=512/foo.parquet", "search/size=abc/first=000.parquet", "/etc/passwd", ".",
        "search/size=512/first=abc.parquet", "../../etc/passwd", "a\0b", "", "x" * 5000, "search",
        "checks/../summary.json", "search//size=512", "timing/cost.json", "headline.txt",
    ]
)  # fmt: skip
NUMBERS = st.integers(0, 2**64 - 1)


@settings(max_examples=80)
@given(
    path=PATHS,
    numbers=st.tuples(NUMBERS, NUMBERS),
    digests=st.tuples(*[st.none() | st.text()] * 2),
    alone=st.booleans(),
)
def test_any_row_of_the_manifest(finished, shared, path, numbers, digests, alone):
    for name in ("manifest.parquet", "summary.json"):
        shutil.copy(finished.results / name, shared)
    row = dict(zip(listing.ENTRY, (path, *numbers, *digests), strict=True))
    drop = store.read(shared / "manifest.parquet")[0]["path"] if alone else ()
    try:
        relist(shared, add=[row], drop=drop)
    except UnicodeEncodeError:
        return  # no Parquet file holds it
    answers, found = judged(shared)
    assert "no" in answers
    assert any("manifest.parquet" in finding["text"] for finding in found)


def test_a_manifest_of_other_columns(folder):
    listed, _ = store.read(folder / "manifest.parquet")
    for columns in ({"path": listed["path"]}, listed | {"path": listed["rows"]}):
        store.write(folder / "manifest.parquet", columns)
        answers, found = judged(folder)
        assert answers[:2] == ("unknown", "no")
        assert [finding["item"] for finding in found] == ["manifest.parquet"]


@settings(max_examples=60)
@given(
    text=st.binary(max_size=40)
    | st.builds(lambda told: json.dumps(told).encode(), JSON)
    | st.builds(lambda told: json.dumps({"search": {}, "results": told}).encode(), JSON)
    | st.builds(lambda told: json.dumps({"search": told, "results": {}}).encode(), JSON)
)
def test_any_file_of_expectations(shared, tmp_path_factory, text):
    path = tmp_path_factory.mktemp("expected") / "theirs.json"
    path.write_bytes(text)
    done = verify(shared, "--expected", path)
    try:
        told = expected.read(path)
    except InputError:
        assert done.exit_code == 2 and not done.stdout
        assert done.stderr.startswith(f"bmn: {path} ") and "bmn expect" in done.stderr
        assert len(done.stderr.splitlines()) == 1
    else:
        assert isinstance(told["search"], dict) and isinstance(told["results"], dict)
        assert done.stdout.splitlines()[-1].startswith("- expected   unknown")


# What is not a file of the folder


def pipe(path):
    os.mkfifo(path)


def link(path):
    path.symlink_to("/etc/passwd")


@pytest.mark.parametrize("make", [pipe, link, os.mkdir])
@pytest.mark.parametrize(
    "place", ["report.html", "summary.json", "manifest.parquet", "record.parquet", CHUNK]
)
def test_no_file_in_the_place_of_one(folder, make, place):
    (folder / place).unlink()
    make(folder / place)
    answers, found = judged(folder)
    assert answers[0] != "yes" and "no" in answers
    told = [finding["text"] for finding in found if finding["item"] == place]
    assert len(told) == 1 and str(folder / place) in told[0] and "delete it" in told[0]


@pytest.mark.parametrize("make", [pipe, link])
def test_what_is_no_file_is_never_opened(folder, make):
    (folder / "climb").mkdir()
    make(folder / "climb/x.parquet")
    answers, found = judged(folder)
    assert answers[:2] == ("yes", "yes")
    assert [(f["item"], f["level"]) for f in found] == [("climb/x.parquet", "stray")]


def test_a_folder_that_is_elsewhere(folder, tmp_path):
    (folder / "search").rename(tmp_path / "elsewhere")
    (folder / "search").symlink_to(tmp_path / "elsewhere")
    answers, found = judged(folder)
    assert answers[:2] == ("unknown", "no")
    assert [(f["item"], f["level"]) for f in found] == [("search", "fault")]


def test_a_folder_that_cannot_be_read(folder, monkeypatch):
    scandir = os.scandir

    def refuse(path):
        if path == folder / "search":
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(inventory.os, "scandir", refuse)
    answers, found = judged(folder)
    assert answers[:2] == ("unknown", "no")
    assert [(f["item"], f["level"]) for f in found] == [("search", "fault")]
    assert "Permission denied" in found[0]["text"]


# What a finished run has


@pytest.mark.parametrize(
    "start",
    ["figures/", "figures", "report", "published/", "capped", "search_plays/size=1024", "summary",
     "decompositions/", "checks/expected", ""],
)  # fmt: skip
@pytest.mark.parametrize("deleted", [False, True])
def test_what_the_manifest_leaves_out(folder, start, deleted):
    paths = store.read(folder / "manifest.parquet")[0]["path"]
    dropped = [path for path in paths if path.startswith(start)]
    relist(folder, drop=dropped)
    for path in dropped if deleted else ():
        (folder / path).unlink()
    answers, found = judged(folder)
    assert answers[0] == "no"
    assert any("manifest.parquet does not list" in finding["text"] for finding in found)


def test_a_census_alone_is_no_finished_run(folder):
    (folder / "census").mkdir()
    shutil.copy(folder / "capped.parquet", folder / "census/row.parquet")
    store.write(folder / "census/row.parquet", {"deals": np.array([1], np.uint64)})
    table = listing.listed(folder / "census", [folder / "census/row.parquet"])
    store.write(folder / "census/manifest.parquet", table)
    assert judged(folder)[0][:2] == ("yes", "yes")
    assert judged(folder / "census")[0] == ("unknown", "yes", "unknown")


@pytest.mark.parametrize("sums", ["report.sha256", "figures.sha256"])
def test_what_is_drawn_is_what_its_list_says(folder, sums):
    drawn = "report.html" if sums.startswith("report") else "figures/hazard.svg"
    (folder / drawn).write_text((folder / drawn).read_text() + " ")
    relist(folder, drawn)
    answers, found = judged(folder)
    assert answers[:2] == ("yes", "no")
    assert [finding["item"] for finding in found] == [f"what {sums} lists"]
    assert str(folder / sums) in found[0]["text"]


@pytest.mark.parametrize("text", [b"\xff junk", b"junk\n", b"", b"0  ../../etc/passwd\n"])
@pytest.mark.parametrize("sums", ["report.sha256", "figures.sha256"])
def test_a_list_that_is_none(folder, sums, text):
    (folder / sums).write_bytes(text)
    relist(folder, sums)
    assert judged(folder)[0][1] == "no"


# Folders inside


def test_a_folder_inside_speaks_for_itself(folder):
    (folder / "census").mkdir()
    (folder / "census/manifest.parquet").write_bytes(b"xx")
    answers, found = judged(folder)
    assert answers[:2] == ("yes", "no")
    assert [f["item"] for f in found] == ["census/manifest.parquet"]


def test_a_copy_inside_that_has_lost_a_file(folder, tmp_path):
    shutil.copytree(folder, tmp_path / "copy")
    (tmp_path / "copy").rename(folder / "old")
    assert judged(folder)[0][:2] == ("yes", "yes")
    (folder / "old/report.html").unlink()
    answers, found = judged(folder)
    assert answers[:2] == ("yes", "no")
    assert [(f["item"], f["level"], f["run"]) for f in found] == [
        ("old/report.html", "missing", "old")
    ]
    shutil.copytree(folder / "old/checks", folder / "old/older/checks")
    (folder / "old/older/manifest.parquet").write_bytes(b"")
    assert "old/older/manifest.parquet" in [f["item"] for f in judged(folder)[1]]


# Strays


def test_strays_are_named(folder):
    strays = ["report2.html", "checks/evil.json", "figures/x.svg", "lengths2.parquet", "a\nb.txt",
              "search/size=512/more/x.txt", os.fsdecode(b"figures/\xff.svg")]  # fmt: skip
    beside = [".hidden", "timing/x.json", "config.json", "expected/mini.json", "sedaps/page.html"]
    for path in [*strays, *beside]:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x")
    answers, found = judged(folder)
    assert answers[:2] == ("yes", "yes")
    assert sorted(f["item"] for f in found) == sorted(strays)
    done = verify(folder)
    assert len(done.stdout.splitlines()) == 5 + 1 + 3
    assert "stray: and 2 more" in done.stdout
    done = verify(folder, "--strays")
    assert sorted(done.stdout_bytes.strip().split(b"\n")) == sorted(
        line for path in strays for line in os.fsencode(folder / path).split(b"\n")
    )
    assert verify(folder, "--strays", "--json").exit_code == 2


# A crate


def describe(folder, *paths):
    files = [
        {"@id": quote(path), "@type": "File", "sha256": file_sha256(folder / path)}
        for path in paths
    ]
    graph = [{"@id": "./", "@type": "Dataset"}, *files]
    store.write_json(folder / "ro-crate-metadata.json", {"@graph": graph})


def test_a_crate_that_has_gone_stale(folder):
    (folder / "workflow").mkdir()
    (folder / "workflow/Snakefile").write_text("rule all:\n")
    describe(folder, "manifest.parquet", CHUNK, "report.html", "workflow/Snakefile")
    assert judged(folder) == (("yes", "yes", "unknown"), [])
    (folder / "workflow/Snakefile").write_text("rule none:\n")
    summarised(folder, name="other")
    answers, found = judged(folder)
    assert answers[:2] == ("yes", "no")
    assert [f["item"] for f in found] == ["ro-crate-metadata.json"]
    assert "bmn crate" in found[0]["text"] and "delete it " in found[0]["text"]
    (folder / "workflow/Snakefile").unlink()
    (folder / "workflow/Snakefile").symlink_to("/etc/passwd")
    assert judged(folder)[0][1] == "no"


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "null", '{"@graph": 5}', '{"@graph": [5]}', '{"@graph": []}',
             '{"@graph": [{"sha256": "0"}]}', '{"@graph": [{"@id": [], "sha256": "0"}]}']
)  # fmt: skip
def test_metadata_that_describe_nothing(folder, text):
    (folder / "ro-crate-metadata.json").write_text(text)
    answers, found = judged(folder)
    assert answers[:2] == ("yes", "no")
    assert [f["item"] for f in found] == ["ro-crate-metadata.json"]
    assert "bmn crate" in found[0]["text"] and "delete it " in found[0]["text"]
