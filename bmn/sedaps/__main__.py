"""``python -m bmn.sedaps STEP FILE...``: run one step and write its tables."""

import sys
from importlib import import_module

if __name__ == "__main__":
    step, *paths = sys.argv[1:]
    import_module(f"bmn.sedaps.{step}").main(*paths)
