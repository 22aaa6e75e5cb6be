"""Censuses: every deal once, in order, and counted as other programs count them."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import decks

import bmn
from bmn import _engine, reference, shuffle, store
from bmn import lengths as lt
from bmn.cards import HALF, STANDARD, Deal, Deck
from bmn.errors import InputError
from bmn.explore import _explore, census
from bmn.explore import decks as tables
from bmn.explore.census import Census


@settings(max_examples=200, deadline=None)
@given(decks(60, 7).filter(lambda deck: deck.size - deck.plain <= 31), st.data())
def test_ranks(deck, data):
    rank = data.draw(st.integers(0, deck.deals - 1))
    deal = census.unrank(deck, rank)
    assert deal.deck == deck
    assert 0 <= len(deal.first) - len(deal.second) <= 1
    assert census.rank_of(deal) == rank
    if rank:
        before = census.unrank(deck, rank - 1)
        assert before.first + before.second < deal.first + deal.second


def test_the_ranks_of_the_16_infinite_deals_are_the_published_ones():
    """Indices of github alessandro-gentilini/pelagaletto2 for half the Camicia deck."""
    published = {
        246414: "00000030100100302020",
        477920: "00001002000030302010",
        670912: "00003010001030202000",
        917330: "00020100301200000003",
        1120477: "00100000003020100302",
        1199338: "00100302020000003010",
        1257979: "00120000003002010030",
        1397712: "00201003021000000003",
        1613646: "00303020100001002000",
        1849144: "01030202000000301000",
        2568257: "10003030200000010020",
        2597170: "10020200000301000003",
        2779940: "13020200000030100000",
        3305725: "30020100300120000000",
        3330878: "30100000300202000010",
        3371832: "30201003020100000000",
    }
    deck = Deck(14, 2, 2, 2, 0)
    for rank, text in published.items():
        deal = census.unrank(deck, rank)
        assert "".join(map(str, deal.first + deal.second)) == text
        assert bmn.cycle(deal) is not None
    cycles = census.play(Census.of(deck)).cycles
    assert cycles["deals"].sum() == 16
    assert set(cycles["first_rank"].tolist()) <= set(published)


@settings(max_examples=60, deadline=None)
@given(decks(9))
def test_every_deal_by_the_reference(deck):
    found = census.play(Census.of(deck))
    rows = census.every_deal(deck)
    assert len(rows) == len(np.unique(rows, axis=0)) == deck.deals
    share, endless, plays = 0, {}, 0
    for rank, row in enumerate(rows):
        deal = Deal(row[: (deck.size + 1) // 2].tobytes(), row[(deck.size + 1) // 2 :].tobytes())
        assert census.rank_of(deal) == rank
        repeats = reference.cycle(deal)
        if repeats is None:
            game = reference.play(deal)
            share += shuffle.fingerprint(rank, game.tricks, game.card_plays, game.winner)
            plays += game.card_plays
        else:
            endless.setdefault((repeats[0], *repeats[2:]), []).append(rank)
    cycles = dict(
        zip(
            zip(*(found.cycles[name].tolist() for name in census.CYCLE_COLUMNS[:3]), strict=True),
            zip(*(found.cycles[name].tolist() for name in census.CYCLE_COLUMNS[3:]), strict=True),
            strict=True,
        )
    )
    assert cycles == {key: (len(ranks), min(ranks)) for key, ranks in endless.items()}
    assert lt.fingerprint(lt.finished(found.lengths)) == share & shuffle.MASK
    assert lt.total(lt.finished(found.lengths), "card_plays") == plays
    assert lt.total(found.lengths, "violations") == 0


@pytest.mark.parametrize("deck", [Deck(10, 2, 2, 2, 0), Deck(6, 3, 0, 2, 1), Deck(11, 1, 1, 1, 1)])
def test_every_deal_by_the_engine(deck):
    found = census.play_parallel(Census.of(deck), 2)
    rows = census.every_deal(deck)
    games = _engine.play_many(rows, 2000, split=(deck.size + 1) // 2)
    ends = games["ending"] < 2
    ranks = np.flatnonzero(ends).astype(np.uint64)
    shares = lt.shares(ranks, *(games[name][ends] for name in ("tricks", "card_plays", "winner")))
    ended = lt.finished(found.lengths)
    assert lt.fingerprint(ended) == int(shares.sum(dtype=np.uint64))
    assert lt.total(ended, "captures") == np.count_nonzero(games["ending"] == 1)
    assert lt.total(found.cycles, "deals") == np.count_nonzero(~ends)
    tricks, counts = np.unique(games["tricks"][ends], return_counts=True)
    assert ended["tricks"].tolist() == tricks.tolist()
    assert ended["deals"].tolist() == counts.tolist()
    firsts = [int(np.flatnonzero(ends & (games["tricks"] == t))[0]) for t in tricks]
    assert ended["first_seed"].tolist() == firsts


@settings(max_examples=40, deadline=None)
@given(decks(12), st.integers(1, 400))
def test_any_decomposition_gives_the_same_tables(deck, size):
    whole = census.play(Census.of(deck))
    parts = census.merge(census.play(part) for part in Census.of(deck).split(size)[:200])
    if deck.deals <= 200 * size:
        assert all(lt.same(one, other) for one, other in zip(whole, parts, strict=True))


@pytest.mark.parametrize(
    "counted",
    [row for row in tables.counted_decks() if row["deals"] <= 8_000_000],
    ids=lambda row: tables.deck_text(Deck(**row["deck"])),
)
def test_decks_counted_by_other_programs(counted):
    found = bmn.census(counted["deck"])
    for name in (*tables.EXACT, "n_cards", "max_tricks_deal"):
        assert found[name] == counted[name], name


@pytest.mark.slow
def test_the_largest_deck_counted_by_another_program():
    (counted,) = [row for row in tables.counted_decks() if row["deals"] > 8_000_000]
    found = bmn.census(counted["deck"])
    assert {name: found[name] for name in tables.EXACT} == {n: counted[n] for n in tables.EXACT}


def test_deals_of_more_tricks_than_the_kernel_plays():
    """Some deals of 52 cards with four Jacks last over 256 tricks, others never end."""
    found = bmn.census("48,4,0,0,0")
    assert found["max_tricks"] == 292 > _explore.CENSUS_TRICKS
    assert found["infinite"] == 32
    game = bmn.play(found["max_tricks_deal"], engine="reference")
    assert game.tricks == 292
    assert bmn.cycle(found["infinite_deal"]).period_tricks == 13


def test_too_large_and_malformed():
    with pytest.raises(InputError, match="a census takes at most 63, 31 and 2\\^64"):
        bmn.census(STANDARD)
    with pytest.raises(InputError, match="a census takes at most"):
        bmn.census([10, 8, 8, 8, 8])
    with pytest.raises(InputError, match="not understood"):
        bmn.census({"plain": 3, "T": 1})
    with pytest.raises(InputError, match="its ranks are 0 to 3936932999"):
        Census(HALF, 3936932999, 2)
    with pytest.raises(InputError, match="there is no deal 3936933000"):
        census.unrank(HALF, 3936933000)
    with pytest.raises(InputError, match="uneven hands"):
        census.rank_of(Deal.parse("-/--"))


def test_chunks_are_written_checked_and_merged(tmp_path):
    whole = Census.of(Deck(8, 2, 2, 2, 0))
    chunks = whole.split(100_000)
    assert [chunk.deals for chunk in chunks] == [100_000, 100_000, 70_270]
    names = census.Tables._fields
    paths = [[tmp_path / f"{name}{i}.parquet" for name in names] for i in range(len(chunks))]
    for chunk, files in zip(chunks, paths, strict=True):
        census.play_chunk(chunk, files)
    merged = [tmp_path / f"{name}.parquet" for name in names]
    by_table = list(zip(*paths, strict=True))
    census.merge_chunks(whole, 100_000, by_table, merged)
    assert all(
        lt.same(one, other)
        for one, other in zip(census.read_chunk(whole, merged), census.play(whole), strict=True)
    )
    tables.write_row(whole.deck, merged, tmp_path / "row.parquet")
    (row,) = tables.table_rows(store.read(tmp_path / "row.parquet")[0])
    assert row == bmn.census(whole.deck)

    with pytest.raises(InputError, match="belongs"):
        census.merge_chunks(whole, 100_000, [files[::-1] for files in by_table], merged)
    lengths, about = store.read(paths[0][0])
    lengths["deals"][0] += 1
    store.write(paths[0][0], lengths, about)
    with pytest.raises(InputError, match="do not count 100000 deals"):
        census.merge_chunks(whole, 100_000, by_table, merged)


def test_the_atlas(tmp_path):
    listed = tables.atlas_decks(8, 2, 3000)
    assert len(listed) == len(set(listed))
    assert Deck(4, 2, 0, 0, 0) in listed and Deck(0, 2, 2, 2, 2) in listed
    assert all(d.size <= 8 and max(d[1:]) <= 2 and 0 < d.deals <= 3000 for d in listed)
    parts = tables.atlas_parts(8, 2, 3000, 4)
    assert sorted(d for part in parts for d in part) == sorted(listed)
    files = [tmp_path / f"{i}.parquet" for i in range(4)]
    for part, file in zip(parts, files, strict=True):
        tables.write_atlas_part(part, file)
    tables.merge_atlas(parts, files, tmp_path / "atlas.parquet", tmp_path / "smallest.parquet")
    rows = tables.table_rows(store.read(tmp_path / "atlas.parquet")[0])
    assert len(rows) == len(listed)
    for row in rows[:: len(rows) // 9]:
        assert row == bmn.census(row["deck"])
    smallest, _ = store.read(tmp_path / "smallest.parquet")
    found = {
        kinds: (cards, deal)
        for kinds, cards, first, deal in zip(
            *(smallest[name].tolist() for name in ("kinds", "n_cards", "smallest", "deal")),
            strict=True,
        )
        if first
    }
    assert found["J"] == (6, "J--/-J-")
    assert found["JQ"][0] == 8
    with pytest.raises(InputError, match="holds other decks"):
        tables.merge_atlas(parts[::-1], files, tmp_path / "a.parquet", tmp_path / "b.parquet")


def test_rows_survive_their_table():
    rows = [bmn.census("4,2,0,0,0"), bmn.census("5,0,0,0,0")]
    assert tables.table_rows(tables.rows_table(rows)) == rows
    assert json.loads(json.dumps(rows)) == rows
    assert rows[1]["infinite_deal"] is None


def test_a_wrong_count_is_told(monkeypatch):
    rows = [bmn.census(row["deck"]) for row in tables.counted_decks() if row["deals"] < 4000]
    small = {tuple(row["deck"].values()) for row in rows}
    kept = [row for row in tables.counted_decks() if tuple(row["deck"].values()) in small]
    rows[0]["max_tricks"] += 1
    monkeypatch.setattr(tables, "counted_decks", lambda: kept)
    table = tables.compare(rows)
    assert np.count_nonzero(~table["ok"]) == 1
    assert table["item"][~table["ok"]][0].endswith("max tricks")
