"""What the page's tests share: waiting for something, and a run with a red check."""

import time

from bmn import store


def until(condition, seconds=20):
    """Wait until a function returns something true; the page itself allows no eval to poll."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return found


def make_red(folder, check, row=0):
    """Turn one row of a check red, and the summary with it, as the workflow would."""
    path = folder / f"checks/{check}.parquet"
    table, about = store.read(path)
    table["ok"][row] = False
    store.write(path, table, about)
    summary = store.read_json(folder / "summary.json")
    summary["checks"][check] = {"rows": len(table["ok"]), "red": [table["item"][row]]}
    summary["green"], summary["headline"] = False, None
    store.write_json(folder / "summary.json", summary)
