"""``python -m bmn``: the command line."""

from bmn.cli import main

main(prog_name="bmn")
