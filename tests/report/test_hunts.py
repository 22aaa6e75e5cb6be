"""What climbs, two-sided searches and the search for cycles found, as the page shows it."""

import numpy as np
import pytest

from bmn import store
from bmn.report.hunts import best_climbed, catalogue, climbing, leaderboard
from bmn.report.pictures import pictures
from bmn.report.run import Run, beside

pytestmark = [pytest.mark.workflow, pytest.mark.slow]

CASELLA = "---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA"

SMALL = {
    "climb_chains": 2,
    "climb_deals": 2000,
    "method_restarts": 3,
    "method_deals": 1000,
    "long_keys": 1,
    "long_deals": 50_000,
    "trunk_seeds": 1024,
    "cycle_lag": 4,
    "cycle_trials": 20_000,
    "cycle_near": 500,
}


@pytest.fixture(scope="module")
def hunted(finished, tmp_path_factory):
    project = finished.copy(tmp_path_factory.mktemp("hunted") / "project")
    project.configure(**SMALL)
    project.snakemake("climb", "long", "cycles")
    # So small a search finds no balanced deal; put in one that is known.
    path = project.results / "cycles/balanced_deals.parquet"
    table, about = store.read(path)
    row = {"deal": CASELLA, "cycle": "x/y", "preperiod_tricks": 4, "period_tricks": 62}
    row["period_cards"] = 440
    store.write(path, {k: np.array([row[k]], table[k].dtype) for k in table}, about)
    project.snakemake()
    return project


@pytest.fixture(scope="module")
def run(hunted):
    return Run.read(hunted.results)


def test_without_them_nothing_is_shown(results):
    run = Run.read(results)
    assert climbing(run) is None and best_climbed(run) is None and catalogue(run) is None
    assert leaderboard(run) == []
    assert all("climb" not in path for path, _ in beside(results))


def test_the_picture_has_every_trace(run):
    picture = next(p for p in pictures(run) if p.name == "climbing")
    chains = {value["chain"] for value in picture.spec["data"]["values"]}
    kinds = ("anywhere", "first26", "sampling")
    assert chains == {f"{kind} {chain}" for kind in kinds for chain in (1, 2)}
    comparison = run.table("climb/comparison")
    assert [row[0] for row in picture.table] == comparison["method"].tolist()
    assert [row[4] for row in picture.table] == comparison["verdict"].tolist()
    assert ("no method beats" in picture.caption) == (
        "beats sampling" not in comparison["verdict"].tolist()
    )


def test_the_best_climbed_deal_is_at_least_the_record(run):
    climbed = best_climbed(run)
    assert climbed["tricks"] >= run.record[0]["tricks"]


def test_the_page_shows_them(hunted, run, open_page):
    page = open_page(hunted.results / "report.html")
    words = page.inner_text("#records")
    assert "Longer games" in words and "Games that never end" in words
    options = page.locator("#preset optgroup option").all_inner_texts()
    assert any("best climbed deal" in option for option in options)
    cycles = [i for i, option in enumerate(options) if option.startswith("A cycle of")]
    assert cycles
    for index in cycles:
        page.select_option("#preset", index=index)
        period = options[index].split()[3]
        assert f"a cycle of {period} tricks" in page.inner_text("#outcome")
    rows = page.locator("[aria-label='Deals that never end'] tbody tr")
    assert rows.count() == len(catalogue(run)["examples"])


def test_the_page_follows_them(hunted, tmp_path):
    project = hunted.copy(tmp_path / "project")
    assert "report" not in project.pending()
    path = project.results / "long/leaderboard.parquet"
    table, about = store.read(path)
    store.write(path, {name: values[:5] for name, values in table.items()}, about)
    assert "report" in project.pending()
