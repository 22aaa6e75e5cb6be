"""``python -m bmn.sedaps STEP FILE...``: run one step and write its tables."""

import sys
from importlib import import_module

from bmn.errors import BAD_INPUT, InputError

if __name__ == "__main__":
    step, *paths = sys.argv[1:]
    try:
        import_module(f"bmn.sedaps.{step}").main(*paths)
    except InputError as error:
        print(f"bmn: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)
