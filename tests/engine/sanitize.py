"""Run the engine's tests on an engine compiled with the address and the undefined sanitizer.

    python tests/engine/sanitize.py [arguments of pytest]
    python tests/engine/sanitize.py --run fuzz.differential --rounds 1000

The second form runs a module instead of the tests. The sources are copied to a temporary folder
and compiled there; nothing else is touched. The exit code is that of what is run, or of the first
error a sanitizer finds.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FLAGS = "-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"

WANTED = ("_engine.pyx", "_general.pyx")
"""The extensions that are compiled."""


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
        for name in ("bmn", "tests", "fuzz"):
            shutil.copytree(ROOT / name, copy / name, ignore=unwanted)
        for name in ("setup.py", "pyproject.toml"):
            shutil.copy2(ROOT / name, copy / name)
        for source in (copy / "bmn").rglob("*.pyx"):
            if source.name not in WANTED:
                source.unlink()
        build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
        environment = os.environ | {"CC": "gcc", "CFLAGS": FLAGS, "LDFLAGS": FLAGS}
        subprocess.run(build, cwd=copy, env=environment, check=True)
        environment = os.environ | {
            "LD_PRELOAD": f"{library('libasan.so')} {library('libubsan.so')}",
            "ASAN_OPTIONS": "detect_leaks=0",  # Python frees little before it exits
            "UBSAN_OPTIONS": "print_stacktrace=1",
        }
        tests = ["-m", "pytest", "--capture=sys", "-p", "no:cacheprovider", "tests/engine"]
        alone = arguments[:1] == ["--run"]
        command = ["-m", *arguments[1:]] if alone else [*tests, *arguments]
        return subprocess.run([sys.executable, *command], cwd=copy, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["-m", "not slow"]))
