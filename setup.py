"""Compile the Cython extensions; everything else is in pyproject.toml.

Every ``.pyx`` file under ``bmn/`` is one extension, named after its path. The flags make the
binary a function of the sources, the compiler and Python alone: no debug information, no
symbol table, no absolute path, and no instruction set beyond the plain architecture (the
kernels choose theirs at run time, by target attributes).
"""

import os
import re
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOT = Path(__file__).resolve().parent


def headers(source: Path) -> set[Path]:
    """Every header a source includes, directly or not.

    They are named in the C source that Cython writes, so there must be no others among them.
    """
    names = re.findall(r'^(?:#include|cdef extern from) "([^"]+)"', source.read_text("utf-8"), re.M)
    direct = {Path(os.path.normpath(source.parent / name)) for name in names}
    return direct.union(*map(headers, direct))


def extensions() -> list[Extension]:
    """One extension per ``.pyx`` file, rebuilt when a header it includes changes."""
    found = []
    for source in sorted(Path("bmn").rglob("*.pyx")):
        found.append(
            Extension(
                ".".join(source.with_suffix("").parts),
                [str(source)],
                depends=sorted(map(str, headers(source))),
                include_dirs=[str(source.parent)],
                extra_compile_args=[
                    "-O3",
                    "-g0",
                    "-std=gnu11",
                    f"-ffile-prefix-map={ROOT}=.",
                    "-Wno-unused-function",
                ],
                extra_link_args=["-Wl,-s"],
            )
        )
    return found


setup(
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        extensions(),
        build_dir="build/cython",
        # A C source left by an earlier build can differ in its comments, and so in the line
        # numbers that go into the binary.
        force=True,
        language_level=3,
        compiler_directives={"embedsignature": False, "freethreading_compatible": False},
    ),
)
