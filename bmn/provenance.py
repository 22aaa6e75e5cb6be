"""What a result was made with: digests of source code, versions of tools."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def code_digest(*modules: str) -> str:
    """Digest the Python sources that modules run: their own and all they import from bmn.

    A rule of the workflow carries the digest as a parameter, so it reruns when, and only when,
    code behind it changes. Compiled extensions are not followed: they are files of their own.
    Nor is ``bmn`` itself, which only loads names on demand.

    Parameters
    ----------
    modules
        Dotted names, for example ``bmn.chunks``.

    Returns
    -------
    str
        The first 16 hex digits of a SHA-256.
    """
    reached: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += _imports(name)
    sha = hashlib.sha256()
    for name in sorted(reached):
        sha.update(name.encode() + b"\0" + _path(name).read_bytes() + b"\0")
    return sha.hexdigest()[:16]


def file_sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes, in hex."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _path(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


@cache
def _imports(module: str) -> list[str]:
    """List the modules of bmn that a module imports anywhere in its source."""
    found: list[str] = []
    for node in ast.walk(ast.parse(_path(module).read_bytes())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module)
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    packages = [".".join(name.split(".")[:-1]) for name in found]
    return [name for name in found + packages if name.startswith("bmn.") and _path(name).is_file()]
