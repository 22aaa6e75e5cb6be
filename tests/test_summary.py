import numpy as np
import pytest

from bmn import checks, chunks, store, summary
from bmn.chunks import Search
from bmn.config import Config
from bmn.errors import InputError


@pytest.fixture
def run(tmp_path):
    """Return a function that summarises a small search with one check, green or red."""
    config = Config("small", Search(0, 500, 60), (100, 250), 3, 5)
    tables = chunks.play_parallel(config.search, workers=1)
    for name, table in zip(("lengths", "plays"), tables, strict=True):
        store.write(tmp_path / name, table, config.search.about)

    def summarise(ok=True, record=True):
        rows = [{"rank": 1, "seed": 7, "tricks": 50}] if record else []
        store.write(tmp_path / "record", checks.table(rows, {"rank": np.uint64}))
        store.write(tmp_path / "check", checks.table([checks.row("thing", 1, 1 if ok else 2)]))
        paths = [tmp_path / name for name in ("lengths", "plays", "record")]
        tables = {"battery": tmp_path / "check", "expected": tmp_path / "check"}
        return summary.summarise(config, *paths, tables)

    return summarise


def test_a_green_run_has_a_headline(run):
    told = run()
    assert told["green"] and told["headline"]["seed"] == 7
    assert told["totals"]["deals"] == 500
    assert told["totals"]["capped"] > 0
    quantiles = list(told["quantiles"]["tricks"].values())
    assert quantiles == sorted(quantiles)


def test_a_red_run_has_none(run):
    told = run(ok=False)
    assert not told["green"] and told["headline"] is None
    with pytest.raises(InputError, match="battery: thing"):
        summary.headline_text(told)


def test_a_run_where_every_deal_was_capped_has_no_record(run):
    told = run(record=False)
    assert told["headline"] is None
    assert "no longest" in summary.headline_text(told)
