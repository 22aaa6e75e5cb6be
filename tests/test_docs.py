"""What the documentation says is true."""

import doctest
import json
import re
import shlex
import tomllib

import pandas as pd
import pytest
from click.testing import CliRunner

import bmn
import bmn.api
from bmn import cli
from bmn.provenance import ROOT


@pytest.mark.parametrize("module", [bmn, bmn.api])
def test_examples_in_docstrings(module):
    tried = doctest.testmod(module, extraglobs={"bmn": bmn})
    assert tried.attempted > 0 and tried.failed == 0


def code_blocks(path, language=""):
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def test_python_in_the_readme():
    (block,) = [block for block in code_blocks("README.md", "python") if "import bmn" in block]
    names = {}
    for line in block.splitlines():
        code, _, said = line.partition(" # ")
        if code.strip() and not code.startswith(("import", "table")):
            value = eval(code, names)
            assert not said or eval(said.strip(), {"Game": bmn.Game}) == value
        else:
            exec(code, names)


def test_commands_in_the_readme():
    lines = "\n".join(code_blocks("README.md")).splitlines()
    commands = [shlex.split(line, comments=True) for line in lines if line.startswith("bmn ")]
    assert {"deal", "play"} <= {command[1] for command in commands}
    for command in commands:
        if command[1] in ("deal", "play"):
            assert CliRunner().invoke(cli.main, command[1:]).exit_code == 0
        else:
            assert command[1] in cli.COMMANDS


def test_the_catalogue_of_the_readme_is_the_committed_one():
    text = (ROOT / "README.md").read_text("utf-8")
    counted = json.loads((ROOT / "results/expected/cycles/default.json").read_text("utf-8"))
    for what in ("distinct cycles", "cycles with balanced deals", "balanced deals that never end"):
        assert re.search(rf"\b{counted[what]:,} (cycles|are|deals)", text), what


def test_pinned_packages_are_those_of_the_extras():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    pinned = set(re.findall(r"[\w-]+==[\d.]+\d", (ROOT / "docs/cluster.md").read_text("utf-8")))
    assert pinned == set(extras["optional-dependencies"]["slurm"])


@pytest.mark.parametrize("path", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")], ids=str)
def test_links_lead_somewhere(path):
    for link in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
        assert link.startswith("https://") or (path.parent / link).exists(), link


@pytest.mark.workflow
def test_every_column_is_documented(finished):
    text = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    for path in finished.results.rglob("*.parquet"):
        for column in pd.read_parquet(path).columns:
            assert f"`{column}`" in text, f"{path.name}: {column}"
