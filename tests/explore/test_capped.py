"""Capped seeds: found again, and classified as the reference classifies them."""

import numpy as np
import pytest

from bmn import _engine, reference, store
from bmn.cards import Deck
from bmn.chunks import Search
from bmn.explore import capped
from bmn.rules import Rules

DECK = Deck(8, 2, 2, 2, 2)


@pytest.mark.parametrize("shape", [{}, {"fan_in": 2, "widest": 2}])
def test_verdicts_of_a_search(play_tree, tmp_path, shape):
    search = Search(0, 40_000, 15, DECK)
    tree = play_tree(search, 5_000, **shape)
    capped.write_capped(tree, 5000, tmp_path / "capped.parquet")
    table, about = store.read(tmp_path / "capped.parquet")
    assert about == search.about | {"budget": 5000}
    assert np.array_equal(table["seed"], _engine.search(0, 40_000, 15, deck=DECK).capped)
    assert set(table["verdict"]) == {"ends", "cycle"}
    for i, seed in enumerate(table["seed"].tolist()):
        deal = search.rules.deal(seed)
        row = {name: values[i] for name, values in table.items()}
        assert row["deal"] == str(deal)
        repeats = reference.cycle(deal)
        if row["verdict"] == "ends":
            game = reference.play(deal)
            assert (row["tricks"], row["card_plays"]) == (game.tricks, game.card_plays)
            assert game.tricks > 15 and repeats is None
        else:
            found = (row["preperiod_tricks"], row["period_tricks"], row["period_cards"])
            assert found == (repeats.preperiod_tricks, repeats.period_tricks, repeats.period_cards)
            assert row["tricks"] == repeats.preperiod_tricks + repeats.period_tricks


def test_undecided_at_a_small_budget_and_other_rules():
    search = Search(0, 1, 15, DECK)
    assert capped.classify(search, [879], 20)["verdict"].tolist() == ["undecided"]
    assert capped.classify(search, [879], 100)["verdict"].tolist() == ["cycle"]
    other = Search(0, 1, 15, DECK, Rules(deck=DECK, pile="reversed", players=3))
    table = capped.classify(other, range(50), 1000)
    for seed, verdict in enumerate(table["verdict"]):
        ends = reference.cycle(other.rules.deal(seed), rules=other.rules, cap=1000) is None
        assert (verdict == "ends") == ends
        assert table["deal"][seed].count("/") == 2
