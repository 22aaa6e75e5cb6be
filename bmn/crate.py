"""A results folder handed over as an RO-Crate: what every file is, and how it came to be.

The metadata follow the profile Workflow Run Crate (and what it extends, Process Run Crate and
Workflow RO-Crate). They are a function of the results and of this project's sources: no clock is
read, unless the times of the run are asked for.
"""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

from bmn import __version__, build, manifest, store
from bmn.checks import ABOUT
from bmn.described import described
from bmn.errors import InputError
from bmn.join import Run
from bmn.manifest import METADATA
from bmn.provenance import ROOT, file_sha256

WORKFLOW = "workflow"
"""The folder of the crate with the workflow's own files."""

SPECIFICATION = "1.3"
PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.6": ("Process Run Crate", "0.6"),
    "https://w3id.org/ro/wfrun/workflow/0.6": ("Workflow Run Crate", "0.6"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.1": ("Workflow RO-Crate", "1.1"),
}
RUN_CONTEXT = "https://w3id.org/ro/terms/workflow-run/context"
MIT = "https://spdx.org/licenses/MIT"

SOURCES = ("Snakefile", "rules/*.smk", "config/*.yaml", "profiles/*/*.yaml", "requirements.lock")
"""The workflow's own files, relative to the source tree."""

FORMATS = {
    ".parquet": "application/vnd.apache.parquet",
    ".json": "application/json",
    ".txt": "text/plain",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".yaml": "application/yaml",
    ".lock": "text/plain",
    ".sha256": "text/plain",
    ".smk": "text/plain",
    "": "text/plain",
}

DESCRIPTIONS = {
    "lengths.parquet": "the length table of the whole search: deals by whether and when they end",
    "plays.parquet": "the plays table of the whole search: deals by the cards laid",
    "record.parquet": "the longest deals of the search, replayed by the slow reference",
    "capped.parquet": "what became of the deals that were given up at the cap",
    "summary.json": "totals, quantiles, the longest deal and every check in one object",
    "headline.txt": "the headline, which exists only while every check is green",
    "report.html": "all of it for people to look at: one page that needs no network",
    "manifest.parquet": "every file of the run with its size and digests",
    "search/*": "the length table of one chunk of seeds",
    "search_plays/*": "the plays table of one chunk of seeds",
    "decompositions/*/lengths.parquet": "the length table, merged from chunks of another size",
    "decompositions/*/plays.parquet": "the plays table, merged from chunks of another size",
    "published/records.parquet": "the deals other people published, measured again",
    "published/claims.parquet": "single published claims, measured again",
    "published/cycles.parquet": "the cycles that known deals run into",
    "published/statistics.parquet": "published statistics of random deals beside those found",
    "figures/*": "a picture of the page as a file",
    "*.sha256": "the SHA-256 of what was drawn",
    "groups/lengths/*": "the length table of a group of neighbouring chunks",
    "groups/plays/*": "the plays table of a group of neighbouring chunks",
    "groups/files/*": "the files below a group of chunks, with their sizes and digests",
    **{
        f"checks/{name}.parquet": f"a check: it rules out {rules_out}"
        for name, (rules_out, _) in ABOUT.items()
    },
    "workflow/Snakefile": "the workflow that made the results",
    "workflow/*": "a file of the workflow",
}
"""What each result is, as documented in docs/results.md; the first pattern that fits counts."""


def write(folder: str | Path, *, times: bool = False) -> dict[str, Any]:
    """Make the results folder of a finished run an RO-Crate.

    Parameters
    ----------
    folder
        The results folder. It gets ``ro-crate-metadata.json`` and ``workflow/``.
    times
        Whether the metadata say when the run was; without it, equal results have equal metadata.

    Returns
    -------
    dict
        The metadata, as written.

    Raises
    ------
    InputError
        If the run is not finished, green and untouched, if the workflow's sources are not there
        or are not those it was made with, or if the library ``rocrate`` is missing.
    """
    folder = Path(folder)
    run = Run.read(folder)
    made_with = _machine(folder)
    when = _times(folder) if times else {}
    listed = manifest.read(folder)
    library = _library()
    # Nothing is refused from here on, so nothing half-made is left.
    sources = _copy_workflow(folder)
    metadata = _describe(library, run, made_with, listed, sources, when)
    store.write_json(folder / METADATA, metadata)
    return metadata


def pack(folder: str | Path, path: str | Path) -> None:
    """Pack a crate into a zip file: the same bytes for the same results.

    What the metadata describe goes in, in the order of names and without dates, and nothing else
    that lies in the folder.
    """
    folder = Path(folder)
    files = described(store.read_json(folder / METADATA))
    with store.replacing(path) as temporary, zipfile.ZipFile(temporary, "w") as package:
        for name in sorted({METADATA, *files}):
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with (folder / name).open("rb") as source, package.open(entry, "w") as target:
                shutil.copyfileobj(source, target)


def description(path: str) -> str:
    """Say what a file of a results folder is."""
    return next(text for pattern, text in DESCRIPTIONS.items() if fnmatch(path, pattern))


def _library() -> tuple[type, type]:
    """Return the library's classes of a crate and of an entity that is no file."""
    try:
        return (
            import_module("rocrate.rocrate").ROCrate,
            import_module("rocrate.model.contextentity").ContextEntity,
        )
    except ImportError:
        raise InputError(
            "the library rocrate is not installed; pip install 'bmn[crate]' brings it"
        ) from None


def _describe(
    library: tuple[type, type],
    run: Run,
    made_with: Mapping[str, str],
    listed: store.Columns,
    sources: Sequence[str],
    times: Mapping[str, str],
) -> dict[str, Any]:
    """Return the metadata, by the library that knows their form."""
    make_crate, entity = library
    crate = make_crate(version=SPECIFICATION)
    crate.metadata.extra_contexts.append(RUN_CONTEXT)

    def add(identifier: str, kind: str, **properties: Any) -> Any:
        return crate.add(entity(crate, identifier, properties={"@type": kind, **properties}))

    search = run.search
    last = search.first_seed + search.seeds - 1
    team = add("#maintainers", "Organization", name="The bmn maintainers")
    licence = add(MIT, "CreativeWork", name="MIT License", url="https://opensource.org/license/mit")
    about = {"license": licence, "author": team}
    parts = [_add_file(crate, run.folder, f"{WORKFLOW}/{path}") for path in sources[1:]]
    workflow = crate.add_workflow(
        dest_path=f"{WORKFLOW}/{sources[0]}",
        main=True,
        lang="snakemake",
        properties=_file(run.folder, f"{WORKFLOW}/{sources[0]}")
        | {"name": "bmn", "version": __version__, "hasPart": parts, **about},
    )
    inputs, values = [], []
    for key, (value, kind, said) in _parameters(run).items():
        parameter = add(
            f"#parameter-{key}", "FormalParameter", name=key, additionalType=kind, description=said
        )
        inputs.append(parameter)
        values.append(
            add(f"#value-{key}", "PropertyValue", name=key, value=value, exampleOfWork=parameter)
        )
    workflow["input"] = inputs
    results = []
    for path, size, sha256 in zip(
        *(listed[name].tolist() for name in ("path", "bytes", "sha256")), strict=True
    ):
        properties = _properties(path, size, sha256)
        results.append(crate.add_file(dest_path=path, properties=properties))
    results.append(_add_file(crate, run.folder, manifest.MANIFEST))
    tools = [
        add(f"#machine-{name}", "PropertyValue", name=name, value=value)
        for name, value in made_with.items()
    ]
    action = add(
        f"#run-{store.read_json(run.folder / 'summary.json')['fingerprint']}",
        "CreateAction",
        name=f"the search of the seeds {search.first_seed} to {last}",
        description="snakemake --cores all, with the values of `object` as configuration",
        instrument=workflow,
        agent=team,
        object=values + tools,
        result=results,
        actionStatus="http://schema.org/CompletedActionStatus",
        **times,
    )
    crate.name = f"bmn: {run.name}, seeds {search.first_seed} to {last}"
    crate.description = (run.folder / "headline.txt").read_text(encoding="utf-8")
    crate.license, crate.creator = licence, team
    crate.datePublished = times.get("endTime", _released())
    root = crate.root_dataset
    root["mentions"] = [action]
    root["conformsTo"] = [
        add(url, "CreativeWork", name=name, version=version)
        for url, (name, version) in PROFILES.items()
    ]
    crate.metadata["conformsTo"] = {"@id": f"https://w3id.org/ro/crate/{SPECIFICATION}"}
    return crate.metadata.generate()


def _parameters(run: Run) -> dict[str, tuple[str, str, str]]:
    """Return the configuration that decides the results: value, kind and meaning of each key."""
    import yaml

    schema = yaml.safe_load((ROOT / "config/schema.yaml").read_text(encoding="utf-8"))
    values = run.search.about | {
        "rules": run.search.rules.differences or "standard",
        "chunk_sizes": list(run.chunk_sizes),
        "longest": run.longest,
        "name": run.name,
    }
    return {
        key: (
            str(value),
            "Integer" if isinstance(value, int) else "Text",
            schema["properties"][key]["description"],
        )
        for key, value in sorted(values.items())
    }


def _machine(folder: Path) -> dict[str, str]:
    """Return what the engine was compiled with, and make sure that it is the engine in use here.

    Raises
    ------
    InputError
        If it is another.
    """
    table, _ = store.read(folder / "checks/binary.parquet")
    engine = ROOT / build.ENGINE
    build.engine_sources()  # or one sentence
    if not engine.exists() or file_sha256(engine) != table["expected"][0]:
        raise InputError(
            f"{folder} was made with another engine than the one in {ROOT}; make the crate where "
            "the run was made"
        )
    names = ("machine", "compiler", "linker", "cython", "python")
    return {"engine_sha256": table["expected"][0]} | {name: table[name][0] for name in names}


def _copy_workflow(folder: Path) -> list[str]:
    """Copy the workflow's files into the crate; return their names, the main one first."""
    names = [
        path.relative_to(ROOT).as_posix()
        for pattern in SOURCES
        for path in sorted(ROOT.glob(pattern))
    ]
    for name in names:
        with store.replacing(folder / WORKFLOW / name) as temporary:
            shutil.copyfile(ROOT / name, temporary)
    return names


def _add_file(crate: Any, folder: Path, path: str) -> Any:
    return crate.add_file(dest_path=path, properties=_file(folder, path))


def _file(folder: Path, path: str) -> dict[str, str]:
    file = folder / path
    return _properties(path, file.stat().st_size, file_sha256(file))


def _properties(path: str, size: int, sha256: str) -> dict[str, str]:
    properties = {
        "name": path,
        "description": description(path),
        "contentSize": str(size),
        "sha256": sha256,
    }
    suffix = Path(path).suffix
    return properties | ({"encodingFormat": FORMATS[suffix]} if suffix in FORMATS else {})


def _times(folder: Path) -> dict[str, str]:
    """Return when the first chunk was begun and the last one ended, by the clock of then.

    Raises
    ------
    InputError
        If no chunk was timed here.
    """
    timings = list(map(store.read_json, _timing_files(folder)))
    if not timings:
        raise InputError(f"{folder / 'timing/search'} has no times; leave --times out")
    start, stop = min(t["start"] for t in timings), max(t["stop"] for t in timings)
    told = (datetime.fromtimestamp(t, UTC).isoformat(timespec="seconds") for t in (start, stop))
    return dict(zip(("startTime", "endTime"), told, strict=True))


def _timing_files(folder: Path) -> Iterable[Path]:
    return sorted(folder.glob("timing/search/*/*.json"))


def _released() -> str:
    """Return the date of this version of bmn: a date for equal results to share."""
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    return re.search(r"^date-released: (\S+)", cited, re.MULTILINE)[1]
