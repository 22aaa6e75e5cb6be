"""The tables of climbs, long games and cycles, and the stages of the workflow that make them."""

import numpy as np
import pandas as pd
import pytest

import bmn
from bmn import store
from bmn.cards import CAMICIA, STANDARD, Deck
from bmn.explore import catalogue, confirm, endless_decks, hunting, tables
from bmn.explore.catalogue import Plan
from bmn.provenance import ROOT

SMALL = Plan(lag=5, trials=50_000, near=20_000, parts=2, deck=CAMICIA)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The files of a small catalogue of the 40-card deck, by their names."""
    folder = tmp_path_factory.mktemp("cycles") / "cycles"
    assembled, counts, pieces = [], [], []
    for name, tape in SMALL.tapes.items():
        sweeps = [folder / f"{name}/{passes}-{part}" for passes, part in SMALL.sweeps()]
        for (passes, part), path in zip(SMALL.sweeps(), sweeps, strict=True):
            catalogue.write_sweep(SMALL, tape, passes, part, path)
        pieces.append(folder / f"{name}/pieces")
        assembled.append(folder / f"{name}/cycles")
        counts.append(folder / f"{name}/counts")
        catalogue.write_pieces(SMALL, tape, sweeps, pieces[-1])
        catalogue.write_assembled(SMALL, tape, pieces[-1], assembled[-1], counts[-1])
    near = [folder / f"near/{part}" for part in range(SMALL.parts)]
    for part, path in enumerate(near):
        catalogue.write_near(SMALL, assembled, part, path)
    names = ("cycles", "balanced_deals", "summary", "pieces", "confirmed", "basins")
    files = {name: folder / f"{name}.parquet" for name in names}
    first = [files[name] for name in names[:3]]
    catalogue.write_catalogue(SMALL, assembled, near, counts, *first)
    catalogue.write_all_pieces(pieces, files["pieces"])
    confirm.write_confirmed(
        files["cycles"], files["balanced_deals"], 20, files["confirmed"], files["basins"]
    )
    return files | {"sweep": sweeps[0], "assembled": assembled}


def test_the_catalogue_lists_each_cycle_and_each_deal_once(made):
    cycles, deals = (pd.read_parquet(made[name]) for name in ("cycles", "balanced_deals"))
    assert cycles["cycle"].is_unique
    assert deals["deal"].is_unique
    assert cycles["balanced_deals"].sum() == len(deals) == 18
    counted = deals.groupby("cycle").size()
    listed = cycles.set_index("cycle")["balanced_deals"]
    assert (listed[counted.index] == counted).all()
    for row in deals.itertuples():
        found = bmn.cycle(row.deal)
        assert found.preperiod_tricks == row.preperiod_tricks
        assert (found.period_tricks, found.period_cards) == (row.period_tricks, row.period_cards)
        hands = row.deal.split("/")
        assert len(hands[0]) == len(hands[1]) == 20


def test_the_summary_counts_the_tables(made):
    summary = dict(pd.read_parquet(made["summary"]).itertuples(index=False))
    cycles = pd.read_parquet(made["cycles"])
    assert summary["distinct cycles"] == len(cycles)
    assert summary["cycles with balanced deals"] == 6
    assert summary["balanced deals that never end"] == 18
    assert summary["deals on the cycles of these"] == 18
    assert summary["failed with the head J-"] == 0
    assert summary["shortest period in tricks"] == cycles["period_tricks"].min() > 0


def test_everything_is_confirmed_by_the_reference_and_by_complete_backward_play(made):
    confirmed = pd.read_parquet(made["confirmed"])
    assert confirmed["agrees"].all()
    assert len(confirmed) == 18 + 20
    assert pd.read_parquet(made["basins"])["ok"].all()


@pytest.mark.parametrize("column", ["preperiod_tricks", "period_tricks", "period_cards"])
def test_a_wrong_deal_is_not_confirmed(made, tmp_path, column):
    deals, about = store.read(made["balanced_deals"])
    deals[column][3] += 1
    store.write(tmp_path / "deals", deals, about)
    confirm.write_confirmed(made["cycles"], tmp_path / "deals", 1, tmp_path / "c", tmp_path / "b")
    agrees = store.read(tmp_path / "c")[0]["agrees"]
    assert np.flatnonzero(~agrees).tolist() == [3]


def test_a_deal_that_ends_is_not_confirmed():
    row = ("-----J/Q-Q-J-", "-----J/Q-Q-J-", 0, 10, 50)
    assert confirm._replayed(row)[-4:] == (-1, -1, -1, False)


def test_the_expectation_notices_a_change(made, tmp_path):
    names = ("cycles", "balanced_deals", "pieces", "summary", "confirmed")
    paths = {name: made[name] for name in names}
    expected = tmp_path / "expected.json"
    store.write_json(expected, catalogue.expectation(SMALL, paths))
    same = catalogue.compare_expected(SMALL, paths, [expected])
    assert same["ok"].all()
    assert len(same["ok"]) > 10
    other = Plan(lag=6, trials=50_000, near=20_000, parts=2, deck=CAMICIA)
    assert len(catalogue.compare_expected(other, paths, [expected])["ok"]) == 1
    deals, about = store.read(made["balanced_deals"])
    store.write(tmp_path / "fewer", {n: v[1:] for n, v in deals.items()}, about)
    paths["balanced_deals"] = tmp_path / "fewer"
    fewer = catalogue.compare_expected(SMALL, paths, [expected])
    assert fewer["item"][~fewer["ok"]].tolist() == ["digest of balanced_deals"]


def test_a_file_of_another_plan_is_refused(made, tmp_path):
    other = Plan(lag=5, trials=1, near=0, parts=2, deck=Deck(20, 4, 4, 4, 0))
    with pytest.raises(bmn.InputError, match="belongs"):
        catalogue.write_pieces(other, other.tapes["J1.1"], [made["sweep"]], tmp_path / "x")


def test_a_deck_without_jacks_has_no_tape_for_them():
    assert list(Plan(3, 0, 0, deck=Deck(20, 0, 4, 2, 0)).tapes) == ["Q2.1"]


def test_the_row_of_a_deck():
    row = dict(zip(endless_decks.COLUMNS, endless_decks.deck_row(CAMICIA, 5, 50_000), strict=True))
    assert (row["balanced_deals"], row["cycles_with_deals"], row["failed"]) == (18, 6, 0)
    assert bmn.cycle(row["shortest"]).period_tricks == 33
    nothing = dict(
        zip(endless_decks.COLUMNS, endless_decks.deck_row(Deck(4, 2, 2, 0, 0), 2, 100), strict=True)
    )
    assert (nothing["balanced_deals"], nothing["shortest"]) == (0, "")


def test_tables_of_a_document_are_replaced(made):
    results = made["cycles"].parent.parent
    text = (
        "before\n<!-- table cycles -->\nold\n<!-- end -->\n<!-- table law -->\nkept\n<!-- end -->"
    )
    filled = tables.fill(text, results)
    assert "| distinct cycles | " in filled
    assert "old" not in filled
    assert "kept" in filled
    assert tables.fill(filled, results) == filled
    assert "| 33 |" in tables.loops(results)
    with pytest.raises(bmn.InputError, match="no table 'other'"):
        tables.fill("<!-- table other -->\n<!-- end -->", results)


def test_methods_are_compared_with_sampling(tmp_path):
    paths = [tmp_path / str(k) for k in range(3)]
    kinds = ("sampling", "better", "worse")
    for path, method, shift in zip(paths, kinds, (0, 200, -200), strict=True):
        table = {
            "method": np.full(12, method, object),
            "restart": np.arange(12),
            "deals": np.full(12, 1000, np.uint64),
            "tricks": (300 + shift + np.arange(12)).astype(np.uint64),
            "deal": np.full(12, "-/-", object),
        }
        store.write(path, table)
    lengths = {name: c.to_numpy() for name, c in bmn.search(0, 20_000).items()}
    store.write(tmp_path / "lengths", lengths)
    hunting.write_comparison(paths, tmp_path / "lengths", tmp_path / "c", tmp_path / "law")
    table, about = store.read(tmp_path / "c")
    assert table["verdict"].tolist() == ["the yardstick", "beats sampling", "worse than sampling"]
    assert about["longest_found"] == lengths["tricks"].max()
    assert abs(about["hazard"] - 0.0348) < 4 * about["hazard_error"]


def test_trunks_are_measured(tmp_path):
    hunting.write_trunks(60_000, STANDARD, tmp_path / "t", tmp_path / "h")
    table = pd.read_parquet(tmp_path / "t")
    assert (table["search_agrees"] == table["sample"]).all()
    assert (table["most_on_trunk"] == 1).all()
    share = table["with_predecessor"] / table["sample"]
    assert share[0] == pytest.approx(0.92, abs=0.03)


@pytest.mark.workflow
@pytest.mark.slow
def test_the_stages_of_the_workflow(fresh_project):
    project = fresh_project
    project.configure(
        climb_chains=2,
        climb_deals=2000,
        method_restarts=2,
        method_deals=2000,
        long_keys=2,
        long_deals=20_000,
        long_threshold=100,
        trunk_seeds=20_000,
        cycle_lag=5,
        cycle_trials=300_000,
        cycle_near=1000,
        decks_lag=2,
        decks_trials=0,
    )
    targets = ("climb", "long", "cycles", "cycles_decks")
    project.snakemake(*targets)
    assert not project.pending(*targets)
    leaders = pd.read_parquet(project.results / "long/leaderboard.parquet")
    assert leaders["reference_agrees"].all()
    assert leaders["tricks"].is_monotonic_decreasing
    assert set(leaders["source"]) >= {"search", "published", "two-sided search"}
    assert (leaders["gain"][leaders["source"] == "published, made longer"] > 0).all()
    climbed = pd.read_parquet(project.results / "climb/first26/chain=01.parquet")
    record = pd.read_parquet(project.results / "record.parquet")
    assert climbed["deal"][0] == record["deal"][0]
    assert pd.read_parquet(project.results / "cycles/confirmed.parquet")["agrees"].all()
    documented = (ROOT / "docs/results-hunt.md").read_text(encoding="utf-8")
    for folder in ("climb", "long", "cycles", "cycles_decks"):
        for path in (project.results / folder).rglob("*.parquet"):
            for column in pd.read_parquet(path).columns:
                assert f"`{column}`" in documented, f"{path.name}: {column}"
