"""Results handed over: an RO-Crate that says the same whenever and wherever it is made."""

import json
import re
import shutil
import zipfile
from urllib.parse import unquote

import pytest
from click.testing import CliRunner

from bmn import cli, crate, manifest
from bmn.errors import InputError
from bmn.provenance import file_sha256

pytestmark = pytest.mark.workflow

rocrate = pytest.importorskip("rocrate.rocrate", reason="the extra 'crate' is not installed")


@pytest.fixture
def folder(finished, tmp_path):
    return shutil.copytree(finished.results, tmp_path / "theirs/results")


def run(*arguments):
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments])


def entities(folder):
    graph = json.loads((folder / crate.METADATA).read_text(encoding="utf-8"))["@graph"]
    assert len({entity["@id"] for entity in graph}) == len(graph)
    return {unquote(entity["@id"]): entity for entity in graph}


def refers_to(value):
    values = value if isinstance(value, list) else [value]
    return [unquote(v["@id"]) for v in values if isinstance(v, dict)]


def test_every_result_is_there_with_its_hash_and_what_it_is(folder):
    assert run("crate", folder).exit_code == 0
    told = entities(folder)
    listed = manifest.read(folder)
    assert {*listed["path"].tolist(), "manifest.parquet", "workflow/Snakefile"} <= told.keys()
    for path, entity in told.items():
        if entity["@type"] == "File" or "File" in entity["@type"]:
            assert entity["sha256"] == file_sha256(folder / path)
            assert entity["contentSize"] == str((folder / path).stat().st_size)
            assert entity["description"] and entity["encodingFormat"]
    assert set(listed["path"]) <= set(refers_to(told["./"]["hasPart"]))


def test_it_is_a_workflow_run_crate(folder):
    """What the profile, and those it extends, say must and should be there."""
    run("crate", folder)
    told = entities(folder)
    for entity in told.values():
        for name, value in entity.items():
            for identifier in refers_to(value):
                elsewhere = name in ("conformsTo", "identifier", "url")
                assert identifier in told or elsewhere, (name, identifier)
    root = told["./"]
    assert set(refers_to(root["conformsTo"])) == set(crate.PROFILES)
    assert {"name", "description", "datePublished", "license"} <= root.keys()
    (main,) = refers_to(root["mainEntity"])
    assert {"File", "SoftwareSourceCode", "ComputationalWorkflow"} <= set(told[main]["@type"])
    (action,) = refers_to(root["mentions"])
    assert told[action]["@type"] == "CreateAction"
    assert refers_to(told[action]["instrument"]) == [main]
    assert set(refers_to(told[action]["result"])) >= set(manifest.read(folder)["path"])
    parameters = {told[i]["name"]: told[i]["@id"] for i in refers_to(told[main]["input"])}
    values = {told[i]["name"]: told[i] for i in refers_to(told[action]["object"])}
    assert parameters.keys() <= values.keys()
    assert (values["seeds"]["value"], values["cap"]["value"]) == ("4096", "100000")
    assert refers_to(values["seeds"]["exampleOfWork"]) == [parameters["seeds"]]
    assert {"compiler", "machine", "engine_sha256"} <= values.keys()
    read = rocrate.ROCrate(folder)
    assert read.mainEntity["programmingLanguage"]["name"] == "Snakemake"


def test_equal_results_make_equal_crates(finished, folder, tmp_path):
    other = shutil.copytree(finished.results, tmp_path / "elsewhere")
    # Measured seconds, and what else lies in the folder, are not handed over.
    shutil.rmtree(other / "timing")
    (other / "notes.txt").write_text("mine")
    (other / "passwd").symlink_to("/etc/passwd")
    for place, zipped in ((folder, "one.zip"), (other, "two.zip"), (other, "three.zip")):
        assert run("crate", place, "-o", tmp_path / zipped).exit_code == 0
    assert (folder / crate.METADATA).read_bytes() == (other / crate.METADATA).read_bytes()
    one, two, three = ((tmp_path / f"{name}.zip").read_bytes() for name in ("one", "two", "three"))
    assert one == two == three
    names = set(zipfile.ZipFile(tmp_path / "one.zip").namelist())
    assert {"notes.txt", "passwd"}.isdisjoint(names)
    assert {*manifest.read(folder)["path"], manifest.MANIFEST, crate.METADATA} <= names
    text = (folder / crate.METADATA).read_text(encoding="utf-8")
    assert set(re.findall(r"\b20\d\d-\d\d-\d\d", text)) == {crate._released()}
    assert str(tmp_path) not in text


def test_the_times_of_the_run_only_if_asked_for(folder):
    run("crate", folder, "--times")
    (action,) = (e for e in entities(folder).values() if e["@type"] == "CreateAction")
    assert action["startTime"] <= action["endTime"]
    shutil.rmtree(folder / "timing")
    done = run("crate", folder, "--times")
    assert done.exit_code == 2 and "leave --times out" in done.stderr


def test_what_is_packed_can_be_verified_where_it_is_unpacked(folder, tmp_path):
    run("crate", folder, "-o", tmp_path / "results.zip")
    zipfile.ZipFile(tmp_path / "results.zip").extractall(tmp_path / "unpacked")
    done = run("verify", tmp_path / "unpacked")
    assert done.exit_code == 0
    assert "✓ complete" in done.output and "✓ untouched" in done.output


def test_what_cannot_be_handed_over(folder, tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    with monkeypatch.context() as patch:
        patch.setattr(crate, "import_module", missing)
        with pytest.raises(InputError, match="rocrate is not installed"):
            crate.write(folder)
    with monkeypatch.context() as patch:
        patch.setattr(crate, "file_sha256", lambda path: "another")
        with pytest.raises(InputError, match="another engine"):
            crate.write(folder)
    (folder / "record.parquet").unlink()
    done = run("crate", folder)
    assert done.exit_code == 2 and "record.parquet" in done.stderr
    assert not (folder / crate.METADATA).exists()
    assert not (folder / crate.WORKFLOW).exists()


def test_no_result_is_overwritten_by_the_package(folder):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for place in (folder / "lengths.parquet", folder / "in.zip", "/dev/full"):
        done = run("crate", folder, "-o", place)
        assert done.exit_code == 2 and done.stderr.count("\n") == 1
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before
