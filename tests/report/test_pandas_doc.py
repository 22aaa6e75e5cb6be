"""docs/pandas.md: every block runs, and every answer is that of the games played one by one."""

import os
import re
import shutil
from pathlib import Path
from statistics import mean

import pytest

from bmn import reference
from bmn.shuffle import deal_seed

DOC = Path(__file__).resolve().parents[2] / "docs/pandas.md"
HEADING = re.compile(r"^## (\d+)\. (.*?)$", re.MULTILINE)


def blocks():
    """The Python of each question, the preparations under 0."""
    parts = HEADING.split(DOC.read_text(encoding="utf-8"))
    code = {0: parts[0]} | dict(zip(map(int, parts[1::3]), parts[3::3], strict=True))
    return {
        number: "\n".join(re.findall(r"(?s)```python\n(.*?)```", text))
        for number, text in code.items()
    }


def answers(folder, size):
    """Run all blocks in a folder with results, and collect what they answer."""
    names, found, before = {}, {}, Path.cwd()
    os.chdir(folder)
    try:
        for number, code in blocks().items():
            exec(
                compile(code.replace("size=393216", f"size={size}"), f"question {number}", "exec"),
                names,
            )
            found[number] = names.get("answer")
    finally:
        os.chdir(before)
    return found


@pytest.fixture(scope="module")
def found(finished):
    return answers(finished.folder, 512)


@pytest.fixture(scope="module")
def games():
    return [reference.play(deal_seed(seed)) for seed in range(4096)]


def test_there_are_ten_questions():
    assert list(blocks()) == list(range(11))
    assert all(code for code in blocks().values())


def test_lengths(found, games):
    tricks = sorted(game.tricks for game in games)
    assert found[1] == (pytest.approx(mean(tricks)), tricks[2047])
    plays = sorted(game.card_plays for game in games)
    quantiles = [plays[-(-share * 4096 // 100) - 1] for share in (10, 50, 90, 99)]
    assert found[2] == (pytest.approx(mean(plays)), quantiles)


def test_the_longest(found, games):
    seed = max(range(4096), key=lambda s: (games[s].tricks, -s))
    game = games[seed]
    assert found[3] == (seed, game.tricks, game.card_plays, game.tricks_mann, game.cards_mann)


def test_shares(found, games):
    share = mean(game.winner == 0 for game in games)
    assert found[4] == (
        pytest.approx(share),
        pytest.approx((share - 0.5) / (0.25 / 4096) ** 0.5, rel=0.01),
    )
    assert found[5] == pytest.approx(mean(game.ending == "capture" for game in games))


def test_the_hazard(found, games):
    for hazard, (first, last) in zip(found[6], ((30, 59), (60, 89), (90, 119)), strict=True):
        ends = sum(first <= game.tricks <= last for game in games)
        exposure = sum(max(0, min(game.tricks, last) - first + 1) for game in games)
        assert hazard == pytest.approx(ends / exposure)


def test_the_history_of_the_record(found, games):
    best, history = 0, []
    for seed, game in enumerate(games):
        if game.tricks > best:
            best = game.tricks
            history.append((seed, best))
    assert found[7] == history


def test_cards_a_trick(found, games):
    kinds = [(1, 10), (11, 50), (51, 100), (101, 10_000)]
    chosen = [[g for g in games if first <= g.tricks <= last] for first, last in kinds]
    ratios = [sum(g.card_plays for g in kind) / sum(g.tricks for g in kind) for kind in chosen]
    assert found[8] == pytest.approx(ratios)


def test_the_chunks(found, games):
    means = [
        mean(g.card_plays for g in games[first : first + 512]) for first in range(0, 4096, 512)
    ]
    spread = (sum((m - mean(means)) ** 2 for m in means) / 7) ** 0.5
    assert found[9] == (True, 8, pytest.approx(spread))


def test_chunks_of_a_larger_run_are_left_out(found, finished, tmp_path):
    shutil.copytree(finished.results, tmp_path / "results")
    folder = tmp_path / "results/search/size=512"
    shutil.copy(min(folder.iterdir()), folder / "first=4096.parquet")
    assert answers(tmp_path, 512)[9] == found[9]


def test_nothing_is_red(found, results):
    from bmn import store

    rows = store.read_json(results / "summary.json")["checks"].values()
    assert found[10] == (sum(check["rows"] for check in rows), 0)
