"""What others published: every row measured, the wrong ones told."""

import numpy as np
import pytest

from bmn import _engine, published, statistics, store
from bmn.cards import CAMICIA
from bmn.chunks import Search
from bmn.known import known_deals


@pytest.fixture(scope="module")
def records():
    return published.records()


@pytest.fixture(scope="module")
def claims():
    table = published.claims()
    return {
        claim: dict(zip(table, row, strict=True))
        for claim, *row in zip(*table.values(), strict=True)
        for row in [[claim, *row]]
    }


def test_both_implementations_agree_on_every_known_deal(records):
    assert len(records["name"]) == len(known_deals())
    assert records["implementations_agree"].all()
    assert set(records["verdict"]) == {"agrees"}


def test_published_numbers_are_right_in_the_convention_they_were_counted_in(records):
    stated = {
        known["name"]: known["published"]["convention"]
        for known in known_deals()
        if known.get("published") and known["terminates"]
    }
    found = dict(zip(records["name"], records["convention"], strict=True))
    for name, convention in stated.items():
        expected = {
            "mann": ("Mann's",),
            "strict": ("piles taken, all cards",),
            "other": ("tricks begun, all cards", "stops at an empty hand"),
        }
        assert found[name] in expected[convention], name


def test_the_record_table_from_1999_on(records):
    rows = [i for i, source in enumerate(records["source"]) if source.startswith("record table")]
    counts = {
        records["name"][i]: (int(records["tricks_mann"][i]), int(records["cards_mann"][i]))
        for i in rows
    }
    assert counts["Paulhus 1999"] == (670, 4791)
    assert counts["Rucklidge 2014"] == (1122, 7959)
    assert counts["Nessler 2022"] == (1164, 8344)
    assert len(counts) == 9


@pytest.mark.parametrize(
    ("claim", "published_value", "ours"),
    [
        ("Rucklidge's game of 2014 takes 7,960 cards", "7960", "7959"),
        ("the third Camicia cycle takes 44 rounds", "44", "42"),
        ("the first Camicia cycle takes 93 cards", "93", "94"),
        (
            "323,481 deals of half the Camicia deck end after exactly 18 cards",
            "323481",
            "258723",
        ),
    ],
)
def test_wrong_numbers_are_told_with_the_reason(claims, claim, published_value, ours):
    row = claims[claim]
    assert (row["published"], row["ours"], row["verdict"]) == (published_value, ours, "differs")
    assert row["why"]


def test_right_claims(claims):
    for claim in (
        "30 deals reach Casella's cycle",
        "162 Camicia deals never end",
        "up to seat exchange these are nine cycles",
        "16 deals of half the Camicia deck never end",
        "the standard deck has 653,534,134,886,878,245,000 distinct deals",
        "323,481 deals of half the Camicia deck end after exactly 18 cards, "
        "if a game stops when a hand is empty",
    ):
        assert claims[claim]["verdict"] == "agrees", claim
    for row in claims.values():
        assert (row["verdict"] == "agrees") == (row["published"] == row["ours"])
        assert (row["why"] is not None) == (row["verdict"] == "differs")


def verdicts(seeds, first=0, **changes):
    search = Search(first, seeds)
    tables = _engine.search(first, seeds)
    lengths = tables.lengths | {
        name: change(tables.lengths[name]) for name, change in changes.items()
    }
    table = statistics.statistics(search, lengths, tables.plays)
    names = zip(table["statistic"], table["source"], strict=True)
    return dict(zip(names, table["verdict"], strict=True)), table


def test_statistics_of_random_deals():
    found, table = verdicts(400_000)
    independent = [v for (_, source), v in found.items() if source.startswith("independent")]
    assert len(independent) == 8
    assert set(independent) == {"agrees"}
    mean = table["statistic"].tolist().index("mean of tricks")
    assert abs(table["ours"][mean] - 35.4885) < 4 * table["standard_error"][mean]
    assert 0.03 < table["standard_error"][mean] < 0.06
    remarks = dict(zip(table["published"], table["why"], strict=True))
    assert remarks[530] == "published to the nearest 10"
    assert remarks[523] is None


def test_statistics_see_a_wrong_mean_and_a_wrong_share():
    found, _ = verdicts(400_000, tricks=lambda t: t + np.uint64(1))
    assert found["mean of tricks", "independent simulation, 20,000,000 random deals"] == "differs"
    found, _ = verdicts(400_000, leader_wins=lambda wins: wins + wins // np.uint64(50))
    name = ("games the leader wins", "independent simulation, 20,000,000 random deals")
    assert found[name] == "differs"


def test_other_decks_have_no_published_statistics(tmp_path):
    tables = _engine.search(0, 1000, deck=CAMICIA)
    table = statistics.statistics(Search(0, 1000, deck=CAMICIA), tables.lengths, tables.plays)
    assert [len(column) for column in table.values()] == [0] * 7
    store.write(tmp_path / "empty.parquet", table)
    assert store.read(tmp_path / "empty.parquet")[0].keys() == table.keys()


def test_known_cycles_and_their_basins():
    table = published.known_cycles()
    rows = {
        row["cycle"]: row
        for row in (
            dict(zip(table, values, strict=True)) for values in zip(*table.values(), strict=True)
        )
    }
    assert len(rows) == len(table["cycle"])
    (casella,) = [row for row in rows.values() if row["deck"] == "36-4-4-4-4"]
    assert casella["states_by_level"] == "62 378 1142 544 388 100 56"
    assert (casella["balanced"], casella["known_deals"]) == (30, 25)
    camicia = [row for row in rows.values() if row["deck"] == "28-4-4-4-0"]
    assert [int(row["balanced"]) for row in camicia] == [90, 28, 26, 4, 4, 4, 2, 2, 2]
    for row in rows.values():
        assert row["states"] == sum(map(int, row["states_by_level"].split()))
        assert row["states_by_level"].split()[0] == str(row["period_tricks_seat_normalised"])
