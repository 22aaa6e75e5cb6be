"""The workflow through a real SLURM of one node: every file as in a local run."""

import importlib.util
import os
import subprocess
import sys
import tomllib

import pytest
from one_node import NoSlurmError, OneNode

from bmn.provenance import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.slurm, pytest.mark.workflow]


@pytest.fixture(scope="module")
def plugin(tmp_path_factory):
    """A folder with Snakemake's plugin for SLURM, which slows every start where it is installed."""
    if importlib.util.find_spec("snakemake_executor_plugin_slurm"):
        return ""
    folder = tmp_path_factory.mktemp("plugin")
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = wanted["project"]["optional-dependencies"]["slurm"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", folder]
    done = subprocess.run([*command, *packages], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"the plugin for SLURM cannot be installed: {done.stderr.strip()[-200:]}")
    return str(folder)


@pytest.fixture(scope="module")
def slurm(plugin):
    try:
        with OneNode() as cluster:
            path = os.pathsep.join(filter(None, [plugin, os.environ.get("PYTHONPATH")]))
            cluster.environment["PYTHONPATH"] = path
            yield cluster
    except NoSlurmError as error:
        pytest.skip(f"no SLURM: {error}")


def through(slurm, project, *arguments):
    """Run the workflow through SLURM, asking it for news more often than a real one."""
    command = [sys.executable, "-m", "snakemake", "--workflow-profile", "profiles/slurm"]
    command += ["--slurm-status-command", "squeue", "--latency-wait", "20"]
    command += ["--slurm-init-seconds-before-status-checks", "3", *arguments]
    done = subprocess.run(
        command,
        cwd=project.folder,
        env=slurm.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=1500,
    )
    logs = project.folder.glob(".snakemake/slurm_logs/**/*.log")
    told = "\n".join(path.read_text(errors="replace") for path in logs)
    assert done.returncode == 0, done.stdout + done.stderr + told + slurm.told()
    return done


def test_every_file_is_that_of_a_local_run(slurm, finished, unfinished, tmp_path):
    project = unfinished.copy(tmp_path / "project")
    project.configure(threads=2)
    through(slurm, project, "--group-components", "chunks=4")
    assert project.files() == finished.files()
    jobs = slurm.run("squeue", "--states=all", "--noheader", "--format=%T %k %C").stdout
    told = [line.split() for line in jobs.splitlines()]
    assert {state for state, *_ in told} == {"COMPLETED"}
    # Twelve chunks of two threads, four in a job.
    assert [cpus for _, what, cpus in told if "chunk" in what] == ["8", "8", "8"]
    assert {what for _, what, _ in told} >= {"rule_battery", "rule_record", "rule_binary"}
    assert project.pending() == {}
