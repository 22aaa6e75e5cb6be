import numpy as np
import pytest

from bmn import checks, chunks, store, summary
from bmn.chunks import Search
from bmn.errors import InputError


@pytest.fixture
def run(tmp_path):
    """Return a function that summarises a small search with one check green or red."""
    search = Search(0, 500, 60)
    tables = chunks.play_parallel(search, workers=1)
    for name, table in zip(("lengths", "plays"), tables, strict=True):
        store.write(tmp_path / f"{name}.parquet", table, search.about)

    def summarise(ok=True, record=True):
        rows = [{"rank": 1, "seed": 7, "tricks": 50}] if record else []
        store.write(tmp_path / "record.parquet", checks.table(rows, {"rank": np.uint64}))
        for check in checks.ABOUT:
            row = checks.row("thing", 1, 1 if ok or check != "battery" else 2)
            store.write(tmp_path / f"checks/{check}.parquet", checks.table([row]))
        told = summary.summarise(tmp_path, "small", search.about, (100, 250))
        store.write_json(tmp_path / "summary.json", told)
        return told

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


def test_a_summary_that_does_not_follow_from_the_tables_is_refused(run, tmp_path):
    told = run()
    assert summary.read(tmp_path) == told
    for change in (
        told | {"green": False},
        told | {"headline": told["headline"] | {"tricks": 9999}},
        {},
        [],
        "x",
        None,
    ):
        store.write_json(tmp_path / "summary.json", change)
        with pytest.raises(InputError, match=r"summary\.json"):
            summary.read(tmp_path)


def test_a_check_that_turned_red_since_is_noticed(run, tmp_path):
    told = run()
    run(ok=False)
    store.write_json(tmp_path / "summary.json", told)
    with pytest.raises(InputError, match="does not follow"):
        summary.read(tmp_path)


def test_a_red_binary_says_what_to_delete():
    checks = {"binary": {"rows": 2, "red": ["the engine rebuilt"]}}
    with pytest.raises(InputError, match=r"binary: the engine rebuilt; delete bmn/_engine\S+ and"):
        summary.headline_text({"green": False, "checks": checks})
