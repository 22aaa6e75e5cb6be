"""Compile an extension from its sources, away from the tree, and put the result in its place."""

from __future__ import annotations

import os
import re
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

GENERAL = f"bmn/explore/_general{SUFFIX}"
"""The kernel for other rules than the standard ones."""

EXPLORE = f"bmn/explore/_explore{SUFFIX}"
"""Cycle detection, backward play and censuses."""

HUNT = f"bmn/explore/_hunt{SUFFIX}"
"""Trunks, and the deals of random searches."""

PIECES = f"bmn/explore/_pieces{SUFFIX}"
"""Periodic pieces, and the cycles made of them."""

WAR = f"bmn/sedaps/_war{SUFFIX}"
"""The three-queue War."""


def engine_sources(root: Path = ROOT, binary: str = ENGINE) -> list[str]:
    """List the files an extension is compiled from, relative to the root.

    They are ``setup.py``, the Cython source, and every header it includes.

    Raises
    ------
    InputError
        If the sources are not there, as where only the library is installed.
    """
    if not (root / "setup.py").exists():
        raise InputError(
            f"the sources of bmn are not in {root}, so nothing can be compiled there and the "
            "workflow cannot run; unpack the source package or clone the project, and run there"
        )
    source = root / f"{binary.removesuffix(SUFFIX)}.pyx"
    waiting, found = [source], {root / "setup.py"}
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            names = re.findall(INCLUDE, path.read_text(encoding="utf-8"), re.MULTILINE)
            waiting += [Path(os.path.normpath(path.parent / name)) for name in names]
    return sorted(str(path.relative_to(root)) for path in found)


INCLUDE = r'^(?:#include|cdef extern from) "([^"]+)"'
"""How a Cython source or a header names a header of its own."""


def compile_engine(
    folder: Path, sources: list[str], root: Path = ROOT, binary: str = ENGINE
) -> Path:
    """Copy the sources of an extension into a folder, compile them there, return the binary.

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
    return folder / binary


def build_engine(destination: str | Path, binary: str = ENGINE) -> None:
    """Compile an extension and move it into place in one step.

    A process that has the old binary loaded keeps it; the new one has another inode.
    """
    with tempfile.TemporaryDirectory() as folder:
        made = compile_engine(Path(folder), engine_sources(binary=binary), binary=binary)
        with replacing(destination) as temporary:
            shutil.copyfile(made, temporary)
            shutil.copymode(made, temporary)


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
