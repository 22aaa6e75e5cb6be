"""vl-convert with a memory: what it drew once for the storm is not drawn again in every round.

Half of the time of a round would be the same few pictures. What is given back is what the real
library gave for the same arguments.
"""

import contextlib
import functools
import hashlib
import importlib
import json
import os
import sys
from pathlib import Path

MEMORY = Path(os.environ["BMN_STORM_MEMORY"])
ELSEWHERE = [p for p in sys.path if Path(p).resolve() != Path(__file__).resolve().parent]


def __getattr__(name):
    def remembered(*arguments, **options):
        asked = json.dumps([name, arguments, options], sort_keys=True)
        path = MEMORY / hashlib.sha256(asked.encode()).hexdigest()
        if not path.exists():
            drawn = getattr(_real(), name)(*arguments, **options)
            # A limit on the size of files is no fault of the memory's.
            with contextlib.suppress(OSError):
                MEMORY.mkdir(parents=True, exist_ok=True)
                other = path.with_suffix(f".{os.getpid()}")
                other.write_bytes(repr(drawn).encode())
                other.replace(path)
            return drawn
        return eval(path.read_bytes())

    if name.startswith("__"):
        raise AttributeError(name)
    return remembered


@functools.cache
def _real():
    # The real one has the name of this one, and its own path.
    del sys.modules["vl_convert"]
    sys.path[:] = ELSEWHERE
    return importlib.import_module("vl_convert")
