"""Each check is green on the real thing and red on a fault of the kind it is there for."""

import pytest

from bmn import checks, chunks, shuffle, store
from bmn.cards import Deal
from bmn.checks import (
    battery,
    binary,
    control,
    decompositions,
    expected,
    invariants,
    plants,
)
from bmn.chunks import Search


def items(table, *, ok):
    return [item for item, good in zip(table["item"], table["ok"], strict=True) if bool(good) is ok]


def test_the_battery_is_green_and_covers_what_it_must():
    table = battery.check()
    assert table["ok"].all()
    rows = battery.rows()
    assert any(row.seeds == 1 for row in rows)
    assert any(row.deck and row.deck.size != 52 for row in rows)
    assert any(row.deck is None for row in rows)
    assert any(row.first_seed + row.seeds == 2**64 for row in rows)
    assert any(not row.has_ace for row in rows)


def test_the_battery_goes_red_for_an_engine_with_one_wrong_game(monkeypatch):
    right = battery.engine_fingerprint
    share = shuffle.fingerprint(1, 6, 57, 1)
    wrong = shuffle.fingerprint(1, 6, 57, 0)

    def faulty(row, kernel):
        change = wrong - share if row.name == "seeds from 0" else 0
        return (right(row, kernel) + change) & shuffle.MASK

    monkeypatch.setattr(battery, "engine_fingerprint", faulty)
    assert items(battery.check(), ok=False) == ["seeds from 0"]


def test_the_control_comes_back_red_as_it_must():
    table = control.check()
    assert table["ok"].all()
    assert set(table["found"]) == {"differs", "agrees"}


def test_a_control_that_comes_back_green_is_a_failure(monkeypatch):
    monkeypatch.setattr(control, "ACE_DEMANDS_NOTHING", (0, 1, 2, 3, 4))
    red = items(control.check(), ok=False)
    assert red == [row.name for row in battery.rows() if row.has_ace]


def test_the_plants_are_green():
    table = plants.check()
    assert table["ok"].all()
    assert len(table["ok"]) == len(plants.PLANTS) + 1


@pytest.mark.parametrize(
    ("deal", "period"),
    [
        ("----------------A-A-------/--------------A------A----", 4),
        ("-----J/Q-Q-J-", None),  # returns to both hands with the other player to lead, and ends
        ("------Q/-KA--J-", None),
    ],
)
def test_the_period_needs_the_leader_as_well(deal, period):
    assert plants.first_period(Deal.parse(deal)) == period


def test_a_wrong_period_is_red(monkeypatch):
    monkeypatch.setattr(plants, "first_period", lambda deal: 2)
    assert items(plants.check(), ok=False) == ["cycles with period four: exact states"]


@pytest.fixture
def merged(tmp_path):
    search = Search(0, 1000, 100)
    tables = chunks.play_parallel(search, workers=1)
    paths = {}
    for size in (100, 200):
        paths[size] = (tmp_path / f"lengths{size}", tmp_path / f"plays{size}")
        for path, table in zip(paths[size], tables, strict=True):
            store.write(path, table, search.about)
    return search, paths


def damage(path, column):
    table, about = store.read(path)
    table[column][-1] += 1
    store.write(path, table, about)


def test_equal_decompositions_are_green(merged):
    assert decompositions.check(*merged)["ok"].all()


@pytest.mark.parametrize(
    ("index", "column", "red"),
    [(0, "fingerprint", 2), (0, "first_seed", 1), (1, "deals", 1)],
)
def test_a_decomposition_that_differs_in_one_value_is_red(merged, index, column, red):
    damage(merged[1][200][index], column)
    assert len(items(decompositions.check(*merged), ok=False)) == red


def test_the_invariants_are_green_and_the_counter_counts(merged):
    search, paths = merged
    assert invariants.check(search, *paths[100])["ok"].all()
    assert invariants.counts_faults()


@pytest.mark.parametrize(
    ("index", "column", "red"),
    [
        (0, "violations", ["violations"]),
        (0, "deals", ["deals in the length table"]),
        (0, "card_plays", ["card plays in both tables"]),
        (1, "deals", ["deals in the plays table", "card plays in both tables"]),
    ],
)
def test_broken_invariants_are_red(merged, index, column, red):
    search, paths = merged
    damage(paths[100][index], column)
    assert items(invariants.check(search, *paths[100]), ok=False) == red


@pytest.mark.slow
def test_the_binary_is_reproducible():
    table = binary.check()
    assert table["ok"].all()
    assert len(set(table["found"])) == 1


def test_a_binary_from_other_sources_is_red(monkeypatch, tmp_path):
    (tmp_path / "other").write_bytes(b"another binary")
    monkeypatch.setattr(binary.build, "compile_engine", lambda *_: tmp_path / "other")
    assert not binary.check()["ok"].any()


def test_expected_compares_only_the_same_search(tmp_path, monkeypatch, merged):
    search, paths = merged
    monkeypatch.setattr(expected, "COMPARED", {"lengths": paths[100][0].name})
    expected.write(search.about, tmp_path, tmp_path / "mini.json")
    committed = [tmp_path / "mini.json"]
    assert expected.check(search.about, tmp_path, committed)["ok"].tolist() == [True, True]
    other = search.about | {"seeds": 200}
    assert expected.check(other, tmp_path, committed)["ok"].tolist() == []
    damage(paths[100][0], "fingerprint")
    assert expected.check(search.about, tmp_path, committed)["ok"].tolist() == [False, False]


def test_every_check_says_what_it_rules_out():
    assert set(checks.ABOUT) == {
        "battery", "control", "plants", "invariants", "decompositions", "replay", "binary",
        "expected",
    }  # fmt: skip
    assert all(len(text) == 2 for text in checks.ABOUT.values())
