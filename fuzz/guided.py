"""Fuzz a target guided by coverage, with atheris.

    python -m fuzz.guided deal -runs=100000

Everything after the name of the target goes to libFuzzer: ``-help=1`` lists what it takes. What
covers something new is kept in a temporary folder, ``bmn-fuzz-`` and the target, for the next run.
Atheris is an optional extra of the package: ``pip install bmn[fuzz]``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

try:
    import atheris
except ImportError:
    print("bmn: atheris is not installed; pip install 'bmn[fuzz]' brings it", file=sys.stderr)
    sys.exit(2)

with atheris.instrument_imports(include=["bmn", "json", "yaml"]):
    from fuzz.targets import TARGETS, examples


def main() -> None:
    """Fuzz the target that is named first."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in TARGETS:
        print(
            f"bmn: there is no target {name!r}; choose one of {', '.join(TARGETS)}", file=sys.stderr
        )
        sys.exit(2)
    corpus = Path(tempfile.gettempdir(), f"bmn-fuzz-{name}")
    corpus.mkdir(exist_ok=True)
    for number, example in enumerate(examples(name)):
        Path(corpus, str(number)).write_bytes(example)
    atheris.Setup([sys.argv[0], *sys.argv[2:], str(corpus)], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
