"""``python -m bmn.report WHAT RESULTS PATH [SUMS]``: make the page, its timed twin, or the files.

WHAT is ``page`` or ``timed-page`` (PATH is an HTML file), or ``pictures`` or ``timed-pictures``
(PATH is a folder). SUMS gets the SHA-256 of what was made.
"""

import sys
from pathlib import Path

from bmn import store
from bmn.errors import BAD_INPUT, InputError
from bmn.report import page
from bmn.report.cost import speed_pictures
from bmn.report.pictures import pictures
from bmn.report.run import Run
from bmn.report.vega import save


def main(what: str, results: str, path: str, sums: str | None = None) -> None:
    """Make one thing, or say in a sentence why not."""
    try:
        if what.endswith("page"):
            page.write(results, path, timing=what.startswith("timed"))
        else:
            run = Run.read(results)
            Path(path).mkdir(parents=True, exist_ok=True)
            drawn = speed_pictures(run) if what.startswith("timed") else pictures(run)
            for picture in drawn:
                save(picture, Path(path, f"{picture.name}.svg"), Path(path, f"{picture.name}.png"))
        if sums is not None:
            made = Path(path)
            store.write_sums(sums, sorted(made.glob("[!.]*")) if made.is_dir() else [made])
    except InputError as error:
        print(f"bmn: {error}", file=sys.stderr)
        sys.exit(BAD_INPUT)


if __name__ == "__main__":
    main(*sys.argv[1:])
