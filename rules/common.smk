# What every stage shares: the validated configuration, digests of code, faults as sentences.
#
# Rules are thin: each calls one function of the library. Python sources enter through a `code`
# parameter, the digest of the modules a rule runs, so that a change reruns exactly what it
# touches. Work done mostly in Python runs as a process of its own (`FAULTS.python`); what the engine
# does without the interpreter's lock runs as a thread of this one.
import os
import sys
from pathlib import Path

import yaml

sys.path.insert(0, str(workflow.basedir))

from bmn import config as bmn_config
from bmn import manifest as bmn_manifest
from bmn import store as bmn_store
from bmn import summary as bmn_summary
from bmn import workflow as bmn_workflow
from bmn.errors import BAD_INPUT, InputError
from bmn.provenance import code_digest as code

ROOT = os.path.relpath(workflow.basedir)
FAULTS = bmn_workflow.Faults("results", lambda: check_kept())
PROGRESS = bmn_workflow.ChunkProgress()


def root(path):
    """Return a path inside the source tree, relative to where the workflow runs."""
    return os.path.normpath(os.path.join(ROOT, path))


def stop(error):
    """Print one sentence and end with the exit code of bad input."""
    print(f"bmn: {error}", file=sys.stderr)
    sys.exit(BAD_INPUT)


try:
    SCHEMA = yaml.safe_load(Path(workflow.basedir, "config/schema.yaml").read_text())
    CONFIG = bmn_config.load(config, SCHEMA)
    bmn_store.check_writable("results")
except InputError as error:
    stop(error)


def check_kept():
    """Make sure that a summary that is not made again is of this configuration."""
    waiting = set(workflow.dag.needrun_jobs())
    kept = (job for job in workflow.dag.jobs if job not in waiting)
    if any(job.rule.name == "summary" for job in kept):
        bmn_summary.check_asked(
            "results/summary.json", CONFIG.name, CONFIG.identity, CONFIG.chunk_sizes
        )


onstart:
    if not workflow.execution_settings.use_threads:
        print(
            "bmn: the profile profiles/default is not in use, so every chunk starts a process "
            "of its own; run in the project's folder, or add --workflow-profile "
            f"{root('profiles/default')}",
            file=sys.stderr,
        )
    waiting = list(workflow.dag.needrun_jobs())
    if not (FAULTS.alone() and FAULTS.keeps()):
        sys.exit(BAD_INPUT)
    bmn_workflow.terminate_without_waiting()
    # No headline may outlive what it was read from, even if this run is killed.
    for job in waiting:
        if job.rule.name in ("headline", "report", "timed_report"):
            for path in job.output:
                Path(path).unlink(missing_ok=True)
        # Nor what describes it for others.
        if job.rule.name == "manifest":
            Path("results", bmn_manifest.METADATA).unlink(missing_ok=True)
    made = {path for job in waiting for path in job.output}
    used = {path for job in waiting for path in job.input if path.endswith(".so")}
    if not FAULTS.loads(used - made):
        sys.exit(BAD_INPUT)
    bmn_workflow.bring_back(path for job in waiting for path in job.input)
    # On a cluster the chunks are played elsewhere, and Snakemake itself says what is done.
    if workflow.local_exec:
        PROGRESS.start(sum(job.rule.name == "chunk" for job in waiting))


onsuccess:
    PROGRESS.stop()


onerror:
    PROGRESS.stop()
