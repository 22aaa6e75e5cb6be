"""What the page reads out of a run, against the same games played one by one."""

import pytest

from bmn import lengths as lt
from bmn import reference
from bmn.report.run import Run, best_so_far, joint_counts, prefix_tables
from bmn.shuffle import deal_seed


@pytest.fixture(scope="module")
def run(results):
    return Run.read(results)


@pytest.fixture(scope="module")
def games():
    return [reference.play(deal_seed(seed)) for seed in range(4096)]


def test_the_records_on_the_way_are_all_found(run, games):
    best, expected = 0, []
    for seed, game in enumerate(games):
        if game.tricks > best:
            best = game.tricks
            expected.append((seed, best))
    assert best_so_far(run.lengths) == expected


def test_joint_counts_put_every_deal_somewhere(run, games):
    cells = joint_counts(run.parts, 10, 50)
    assert sum(cells.values()) == 4096
    by_tricks = dict.fromkeys(range(0, 1000, 10), 0)
    for game in games:
        by_tricks[game.tricks // 10 * 10] += 1
    for tricks, deals in by_tricks.items():
        assert sum(n for (t, _), n in cells.items() if t == tricks) == deals


def test_prefix_tables_are_those_of_the_first_chunks(run, games):
    prefixes = prefix_tables(run)
    assert [prefix["chunks"] for prefix in prefixes] == [1, 4, 8]
    for prefix in prefixes:
        table, played = prefix["table"], games[: prefix["chunks"] * 512]
        assert sum(table["deals"]) == len(played)
        assert sum(table["card_plays"]) == sum(game.card_plays for game in played)
        assert sum(table["captures"]) == sum(game.ending == "capture" for game in played)
        for tricks, deals, first in zip(
            table["tricks"], table["deals"], table["first"], strict=True
        ):
            seeds = [seed for seed, game in enumerate(played) if game.tricks == tricks]
            assert (len(seeds), seeds[0]) == (deals, first)
    total = sum(int(value, 16) for value in prefixes[-1]["table"]["fingerprint"]) % 2**64
    assert total == lt.fingerprint(run.lengths)
