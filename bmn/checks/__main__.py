"""``python -m bmn.checks NAME FILE``: run one check and write its table."""

import sys
from importlib import import_module

from bmn import store
from bmn.errors import BAD_INPUT, InputError


def main(name: str, path: str) -> None:
    """Run the check of that name and write its table."""
    try:
        store.write(path, import_module(f"bmn.checks.{name}").check(), {"check": name})
    except InputError as error:
        print(f"bmn: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
