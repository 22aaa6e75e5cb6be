"""What several tests share: short runs of the workflow in a folder of their own."""

import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, settings

from bmn.chunks import play_chunk
from bmn.groups import write_group
from bmn.tree import Tree, merge

# Nothing is timed: machines are shared, and examples are small.
settings.register_profile("bmn", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("bmn")

ROOT = Path(__file__).resolve().parent.parent

MINI = {
    "name": "mini",
    "first_seed": 0,
    "seeds": 4096,
    "cap": 100_000,
    "chunk_sizes": [512, 1024],
    "longest": 3,
    "cost_deals": 50,
}
"""A configuration that runs in seconds: 8 and 4 chunks."""


def heed_interrupts():
    """Undo, in a process about to start, that a shell's background jobs ignore SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def flip(path):
    """Flip a bit inside a file."""
    damaged = bytearray(path.read_bytes())
    damaged[len(damaged) // 3] ^= 1
    path.write_bytes(damaged)


class Project:
    """A copy of the source tree to run the workflow in."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.results = self.folder / "results"

    @classmethod
    def fresh(cls, folder, *, built=True):
        """Copy everything the workflow needs, with the compiled engine or without."""
        folder = Path(folder)
        unwanted = ["__pycache__"] if built else ["__pycache__", "_engine*.so"]
        for name in ("rules", "config", "profiles", "bmn"):
            ignore = shutil.ignore_patterns(*unwanted)
            shutil.copytree(ROOT / name, folder / name, ignore=ignore)
        for name in ("Snakefile", "setup.py", "pyproject.toml"):
            shutil.copy2(ROOT / name, folder / name)
        project = cls(folder)
        project.configure()
        return project

    def copy(self, folder):
        shutil.copytree(self.folder, folder, symlinks=True)
        return Project(folder)

    def python(self, *arguments, check=True):
        """Run a module in the project's folder; by default it must succeed."""
        command = [sys.executable, "-m", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=1500
        )
        if check:
            assert done.returncode == 0, done.stdout + done.stderr
        return done

    def snakemake(self, *arguments, check=True, cores=2):
        return self.python("snakemake", "--cores", cores, *arguments, check=check)

    def pending(self, *arguments):
        """Return how many jobs of each rule a run would do."""
        done = self.snakemake("-n", *arguments)
        told = done.stdout + done.stderr
        assert "Job stats" in told or "Nothing to be done" in told
        jobs = dict(re.findall(r"^(\w+) +(\d+)$", told, re.MULTILINE))
        return {rule: int(count) for rule, count in jobs.items() if rule not in ("total", "all")}

    def configure(self, **changes):
        (self.folder / "config/config.yaml").write_text(yaml.safe_dump(MINI | changes))

    def files(self):
        """Return the bytes of every result that is not a timing, by path."""
        return {
            path.relative_to(self.results).as_posix(): path.read_bytes()
            for path in sorted(self.results.rglob("*"))
            if path.is_file() and "timing" not in path.parts
        }

    def chunk(self, first=1024, size=512, folder="search"):
        return self.results / f"{folder}/size={size}/first={first:012d}.parquet"


@pytest.fixture
def play_tree(tmp_path):
    """Return a function that plays every chunk of a search and merges them as the workflow does."""

    def play(search, size, **shape):
        tree = Tree(search, size, tmp_path / "tree", **shape)
        for node in tree.level(0):
            files = (tree.path(node, kind) for kind in ("lengths", "plays", "timing"))
            play_chunk(tree.part(node), *files)
        for node in tree.groups:
            files = (tree.path(node, kind) for kind in ("lengths", "plays", "files", "timing"))
            write_group(tree, node, *files)
        merge(tree, tree.top, *merged_files(tree))
        return tree

    return play


def merged_files(tree):
    return [tree.folder / "lengths.parquet", tree.folder / "plays.parquet"]


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A finished run of the small configuration; copy it before changing anything."""
    project = Project.fresh(tmp_path_factory.mktemp("finished") / "project", built=False)
    project.snakemake()
    return project


@pytest.fixture
def project(finished, tmp_path):
    """A finished run of one's own."""
    return finished.copy(tmp_path / "project")


@pytest.fixture(scope="session")
def unfinished(tmp_path_factory):
    """A copy of the source tree with its compiled extensions, in which nothing has run."""
    return Project.fresh(tmp_path_factory.mktemp("unfinished") / "project")


@pytest.fixture
def fresh_project(tmp_path):
    """A project that has not run, with everything compiled."""
    return Project.fresh(tmp_path / "project")
