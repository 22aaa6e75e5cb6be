"""The storm, in short: a round of the kinds of faults that matter most, and of every kind."""

import pytest

from tests.storm.campaign import ENDINGS, Campaign, table
from tests.storm.faults import KINDS

pytestmark = pytest.mark.workflow

SEED = 8
"""Of the rounds below; other rounds are `python -m tests.storm`."""

FIRST = (
    "SIGKILL to every process",
    "SIGINT to every process",
    "chunk: one bit flipped",
    "summary, headline, page or picture: one bit flipped",
    "two checks swapped",
    "full disk (RLIMIT_FSIZE)",
    "two runs at once",
    "stale lock",
)
"""The kinds tried in every run of the tests."""


@pytest.fixture(scope="module")
def campaign(finished, tmp_path_factory):
    return Campaign(tmp_path_factory.mktemp("storm"), SEED, finished)


@pytest.mark.parametrize(
    "kind", [*FIRST, *(pytest.param(k, marks=pytest.mark.slow) for k in KINDS if k not in FIRST)]
)
def test_nothing_goes_wrong_in_a_round(campaign, kind):
    told = campaign.round(sorted(KINDS).index(kind), kind)
    if told["ending"] == "skipped":
        pytest.skip(told["notes"])
    assert told["ending"] != "wrong", told["why"]


def test_the_table_counts_every_ending_of_every_kind():
    kinds = list(KINDS)[:2]
    rounds = [{"kind": kind, "ending": ending} for kind in kinds for ending in ENDINGS]
    rows = table([*rounds, rounds[0]]).splitlines()[2:]
    assert rows == [
        f"| {kinds[0]} | 6 | 2 | 1 | 1 | 1 | 1 |",
        f"| {kinds[1]} | 5 | 1 | 1 | 1 | 1 | 1 |",
        "| all | 11 | 3 | 2 | 2 | 2 | 2 |",
    ]
