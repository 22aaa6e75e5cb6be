"""The source package and the wheel, built and tried away from the project."""

import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import bmn
from bmn.build import engine_sources
from bmn.errors import InputError

ROOT = Path(__file__).resolve().parent.parent
MADE = (
    ".git*",
    ".venv",
    ".snakemake",
    "build",
    "dist",
    "logs",
    "__pycache__",
    "*.so",
    "*.egg-info",
)


def run(*command, cwd, check=True):
    """Run a command that knows nothing of the project's folder."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), "LANG": "C.UTF-8"}
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True
    )
    if check:
        assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    """The source package, made from a copy of the project in which things lie about."""
    folder = tmp_path_factory.mktemp("sdist")
    tree = folder / "tree"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*MADE))
    (tree / "results/lengths.parquet").touch()
    (tree / "bmn/_engine.c").touch()
    (tree / "bmn/_engine.cpython-311.so").touch()
    run(sys.executable, "setup.py", "--quiet", "sdist", "--dist-dir", folder, cwd=tree)
    (made,) = folder.glob("*.tar.gz")
    return made


@pytest.fixture(scope="module")
def wheel(sdist):
    """The wheel, made from the source package alone."""
    command = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation")
    run(*command, "--quiet", "--wheel-dir", sdist.parent, sdist, cwd=sdist.parent)
    (made,) = sdist.parent.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def fresh(wheel, tmp_path_factory):
    """A fresh environment with the wheel, and nothing else but what it asks for."""
    folder = tmp_path_factory.mktemp("fresh")
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    pip = (folder / "venv/bin/pip", "--disable-pip-version-check")
    if run(
        *pip, "download", "--no-deps", "--dest", folder, "click", cwd=folder, check=False
    ).returncode:
        pytest.skip("no package index can be reached")
    run(*pip, "install", "--quiet", wheel, cwd=folder)
    return folder


def test_the_version_is_in_one_place():
    """Every other place takes it from there, but for the file for citing."""
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)
    assert cited[1] == bmn.__version__
    assert 'version = { attr = "bmn.__version__" }' in (ROOT / "pyproject.toml").read_text()


def test_sources_that_are_not_there_are_one_sentence(tmp_path):
    with pytest.raises(InputError, match="the workflow cannot run"):
        engine_sources(tmp_path)


@pytest.mark.slow
def test_the_source_package_is_the_project_without_what_is_made(sdist):
    with tarfile.open(sdist) as package:
        names = {name.partition("/")[2] for name in package.getnames()}
    assert {"Snakefile", "Makefile", "rules/common.smk", "config/schema.yaml", ".ci/run"} <= names
    assert {"profiles/default/config.yaml", "results/expected/quick.json"} <= names
    assert {"bmn/_engine.pyx", "bmn/kernels/avx512.h", "tests/conftest.py", "docs/spec.md"} <= names
    made = re.compile(r"\.(c|so|pyc|parquet)$|__pycache__|(^|/)\.(git|venv|snakemake)")
    assert not [name for name in names if made.search(name)]


@pytest.mark.slow
def test_the_wheel_has_everything_and_no_sources_of_extensions(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    package = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "bmn").rglob("*")
        if path.is_file()
        and path.suffix in {".py", ".json", ".html", ".js", ".css", ".rst", ".woff2"}
    }
    assert package | {"bmn/py.typed", "bmn/data/expected/published.json"} <= names
    extensions = {name.partition(".")[0] for name in names if name.endswith(".so")}
    sources = {
        path.relative_to(ROOT).with_suffix("").as_posix() for path in ROOT.glob("bmn/**/*.pyx")
    }
    assert extensions == sources
    assert not [name for name in names if name.endswith((".pyx", ".h", ".c"))]
    assert wheel.name.split("-")[1] == bmn.__version__


@pytest.mark.slow
def test_the_installed_package_works_anywhere(fresh):
    program = fresh / "venv/bin/bmn"
    assert run(program, "deal", 0, cwd=fresh).stdout.strip() == bmn.deal(0)
    assert "37 tricks, 264 card plays" in run(program, "play", "--seed", 0, cwd=fresh).stdout
    run(program, "search", 0, 100_000, "-o", "mine.parquet", cwd=fresh)
    assert json.loads(run(program, "bench", "--quick", "--json", cwd=fresh).stdout)["kernels"]
    assert run(program, "sedaps", "fate", "--seed", 5, cwd=fresh).stdout
    assert run(program, "cycle", "J--/-J-", cwd=fresh).stdout
    assert run(program, "published", cwd=fresh).stdout
    assert run(program, "--version", cwd=fresh).stdout.split()[-1] == bmn.__version__
    read = "import bmn, pandas; print(bmn.fingerprint(pandas.read_parquet('mine.parquet')))"
    found = run(fresh / "venv/bin/python", "-c", read, cwd=fresh).stdout
    assert int(found) == 0xD51D51E248099C6D
    assert not run(fresh / "venv/bin/pip", "check", cwd=fresh).stderr


@pytest.mark.slow
def test_without_the_sources_the_workflow_says_so_in_one_sentence(fresh):
    for command in (("bmn", "show"), ("bmn", "verify"), ("bmn.checks", "binary", "out.parquet")):
        done = run(fresh / "venv/bin/python", "-m", *command, cwd=fresh, check=False)
        assert done.returncode == 2
        assert done.stderr.startswith("bmn: ") and done.stderr.count("\n") == 1
        assert "workflow" in done.stderr
