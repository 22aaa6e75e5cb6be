import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bmn import lengths as lt
from bmn import reference, shuffle
from bmn.chunks import Search, play_parallel
from bmn.game import Game


def table_of(games: list[tuple[int, Game]]):
    """Tabulate games in the most direct way, without the engine."""
    rows = {}
    for seed, game in sorted(games):
        key = (game.finished, game.tricks)
        row = rows.setdefault(key, [0, 0, 0, 0, 0, 0, seed, game.card_plays])
        row[0] += 1
        row[1] += game.card_plays
        row[2] += game.ending == "capture"
        row[3] += game.finished and game.winner == 0
        row[5] += shuffle.fingerprint(seed, game.tricks, game.card_plays, game.winner)
        row[5] &= shuffle.MASK
    keys = sorted(rows)
    columns = {
        "finished": np.array([key[0] for key in keys], bool),
        "tricks": np.array([key[1] for key in keys], np.uint64),
    }
    for index, name in enumerate(lt.LENGTH_COLUMNS[2:]):
        columns[name] = np.array([rows[key][index] for key in keys], np.uint64)
    return columns


def from_engine(first, seeds, cap):
    return play_parallel(Search(first, seeds, cap), workers=1)


@given(st.integers(0, 2**64 - 61), st.integers(1, 60), st.sampled_from([1, 2, 30, 100_000]))
def test_the_engine_tabulates_what_the_reference_plays(first, seeds, cap):
    games = [
        (seed, reference.play(shuffle.deal_seed(seed), cap=cap))
        for seed in range(first, first + seeds)
    ]
    assert lt.same(from_engine(first, seeds, cap)[0], table_of(games))


@given(st.lists(st.integers(1, 400), min_size=1, max_size=6), st.randoms())
def test_any_decomposition_in_any_order_gives_the_same_tables(sizes, random):
    whole = from_engine(7, sum(sizes), 40)
    parts, first = [], 7
    for size in sizes:
        parts.append(from_engine(first, size, 40))
        first += size
    random.shuffle(parts)
    lengths, plays = zip(*parts, strict=True)
    assert lt.same(lt.merge_lengths(lengths), whole[0])
    assert lt.same(lt.merge_plays(plays), whole[1])
    merged_in_steps = lt.merge_lengths([lt.merge_lengths(lengths[:2]), *lengths[2:]])
    assert lt.same(merged_in_steps, whole[0])


def test_quantiles_count_deals_and_put_capped_ones_last():
    table = {
        "finished": np.array([False, True, True]),
        "tricks": np.array([5, 3, 4], np.uint64),
        "deals": np.array([1, 6, 3], np.uint64),
    }
    assert [lt.quantile(table, "tricks", q) for q in (0.5, 0.6, 0.61, 0.9, 0.99)] == [3, 3, 4, 4, 5]


def test_one_wrong_count_changes_the_fingerprint():
    lengths, _ = from_engine(0, 1000, 100_000)
    right = lt.fingerprint(lengths)
    game = reference.play(shuffle.deal_seed(17))
    share = shuffle.fingerprint(17, game.tricks, game.card_plays, game.winner)
    wrong = shuffle.fingerprint(17, game.tricks, game.card_plays + 1, game.winner)
    assert (right - share + wrong) & shuffle.MASK != right
