"""Compile the engine from its sources, away from the tree, and put the result in its place."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.metadata import version
from pathlib import Path

from bmn.errors import InputError
from bmn.provenance import ROOT
from bmn.store import replacing

SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")

ENGINE = f"bmn/_engine{SUFFIX}"
"""The compiled engine, relative to the root of the sources."""


def engine_sources(root: Path = ROOT) -> list[str]:
    """List the files the engine is compiled from, relative to the root."""
    package = root / "bmn"
    found = [root / "setup.py", *package.glob("_engine.p*"), *package.glob("kernels/*.h")]
    return sorted(str(path.relative_to(root)) for path in found)


def compile_engine(folder: Path, sources: list[str], root: Path = ROOT) -> Path:
    """Copy the sources into a folder, compile them there and return the binary.

    Raises
    ------
    InputError
        If there is no C compiler, or it fails.
    """
    compiler = _compiler()
    if shutil.which(compiler) is None:
        raise InputError(
            f"the C compiler {compiler!r} is not installed; install gcc (and the headers of "
            "Python), or set CC to a compiler"
        )
    for source in sources:
        target = folder / source
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / source, target)
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        messages = (done.stderr + done.stdout).splitlines()
        reason = next((line.strip() for line in messages if "error" in line), "no message")
        log = Path(tempfile.gettempdir(), "bmn-build.log")
        log.write_text(done.stdout + done.stderr)
        raise InputError(f"the engine does not compile ({reason}); all messages are in {log}")
    return folder / ENGINE


def build_engine(destination: str | Path) -> None:
    """Compile the engine and move it into place in one step.

    A process that has the old binary loaded keeps it; the new one has another inode.
    """
    with tempfile.TemporaryDirectory() as folder:
        binary = compile_engine(Path(folder), engine_sources())
        with replacing(destination) as temporary:
            shutil.copyfile(binary, temporary)
            shutil.copymode(binary, temporary)


def toolchain() -> dict[str, str]:
    """Return the versions that decide the bytes of the binary."""
    return {
        "compiler": _first_line(_compiler(), "--version"),
        "linker": _first_line("ld", "--version"),
        "cython": version("Cython"),
        "python": sys.version.split()[0],
        "machine": os.uname().machine,
    }


def _compiler() -> str:
    return (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]


def _first_line(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return "not installed"
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[
        0
    ]
