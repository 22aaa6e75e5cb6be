"""The longest deals, found in tables that keep one seed a length."""

import pytest

from bmn import record, reference, shuffle, store
from bmn.chunks import Search


@pytest.mark.parametrize(
    ("seeds", "size", "longest", "shape"),
    [
        (2000, 250, 60, {}),
        (64, 64, 64, {}),
        (300, 1, 40, {}),
        (2000, 50, 60, {"fan_in": 3, "widest": 4}),
    ],
)
def test_the_longest_deals_are_the_longest_with_all_ties(
    play_tree, tmp_path, seeds, size, longest, shape
):
    tree = play_tree(Search(5000, seeds, 60), size, **shape)
    lengths = tree.folder / "lengths.parquet"

    games = [
        (reference.play(shuffle.deal_seed(seed), cap=60), seed)
        for seed in range(5000, 5000 + seeds)
    ]
    ended = sorted((-game.tricks, seed) for game, seed in games if game.finished)
    expected = [seed for _, seed in ended][:longest]
    assert record.longest_seeds(tree, longest, lengths) == expected
    assert len({tricks for tricks, _ in ended[:longest]}) < len(expected), "the test needs ties"

    out = [tmp_path / "record", tmp_path / "replay"]
    record.write_record(tree, longest, lengths, *out)
    rows, _ = store.read(out[0])
    assert rows["seed"].tolist() == expected
    assert rows["replay_agrees"].all()
    assert rows["seed_hex"][0] == f"{expected[0]:016x}"
    replay, _ = store.read(out[1])
    assert replay["ok"].all()
    assert sum(item.startswith("published") for item in replay["item"]) == 9
