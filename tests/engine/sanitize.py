"""Run the engine's tests on an engine compiled with the address and the undefined sanitizer.

    python tests/engine/sanitize.py [arguments of pytest]

The sources are copied to a temporary folder and compiled there; nothing else is touched. The
exit code is that of pytest, or of the first error a sanitizer finds.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"


def library(name):
    """Find a library of the compiler."""
    found = subprocess.run(
        ["gcc", f"-print-file-name={name}"], capture_output=True, text=True, check=True
    )
    return found.stdout.strip()


def main(arguments):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "bmn")
        unwanted = shutil.ignore_patterns("*.so", "__pycache__")
        for name in ("bmn", "tests"):
            shutil.copytree(ROOT / name, copy / name, ignore=unwanted)
        for name in ("setup.py", "pyproject.toml"):
            shutil.copy2(ROOT / name, copy / name)
        # Only the engine is wanted.
        for source in (copy / "bmn").rglob("*.pyx"):
            if source.name != "_engine.pyx":
                source.unlink()
        build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        environment = os.environ | {"CC": "gcc", "CFLAGS": FLAGS, "LDFLAGS": FLAGS}
        subprocess.run(build, cwd=copy, env=environment, check=True)
        environment = os.environ | {
            "LD_PRELOAD": f"{library('libasan.so')} {library('libubsan.so')}",
            "ASAN_OPTIONS": "detect_leaks=0",  # Python frees little before it exits
            "UBSAN_OPTIONS": "print_stacktrace=1",
        }
        command = [sys.executable, "-m", "pytest", "--capture=sys", "-p", "no:cacheprovider"]
        return subprocess.run(
            [*command, "tests/engine", *arguments], cwd=copy, env=environment
        ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["-m", "not slow"]))
