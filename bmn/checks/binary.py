"""The binary: the engine rebuilt twice from its sources must have the same bytes.

Only builds by the same tools can be compared, so their versions stand beside the hash.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bmn import build, checks
from bmn.provenance import ROOT, file_sha256
from bmn.store import Columns

FOLDERS = ("one", "a/much/deeper/folder/than/the/first/one")
"""Where the engine is rebuilt: two folders of different depth."""


def check() -> Columns:
    """Rebuild the engine in two folders and compare both with the one in use."""
    sources = build.engine_sources()
    in_use = file_sha256(ROOT / build.ENGINE)

    def rebuild(folder: Path) -> str:
        folder.mkdir(parents=True)
        return file_sha256(build.compile_engine(folder, sources))

    with tempfile.TemporaryDirectory() as top, ThreadPoolExecutor() as pool:
        rebuilt = list(pool.map(rebuild, [Path(top, folder) for folder in FOLDERS]))
    tools = build.toolchain()
    return checks.table(
        [
            checks.row(f"the engine rebuilt in {folder}/", in_use, found, **tools)
            for folder, found in zip(FOLDERS, rebuilt, strict=True)
        ]
    )
