import pytest

from bmn import cost


@pytest.mark.parametrize(
    ("spans", "threads", "covered", "most"),
    [
        ([], [], 0, 0),
        ([(0, 2)], [1], 2, 1),
        ([(0, 2), (1, 3)], [1, 1], 3, 2),
        ([(0, 2), (1, 3)], [4, 3], 3, 7),
        ([(0, 1), (1, 2)], [1, 2], 2, 2),
        ([(5, 6), (0, 4), (1, 2), (1, 3)], [1, 1, 1, 1], 5, 3),
    ],
)
def test_wall_time_counts_each_moment_once(spans, threads, covered, most):
    assert cost.covered(spans) == covered
    assert cost.most_at_once(spans, threads) == most


@pytest.mark.workflow
def test_the_cost_of_a_run(finished):
    measured = cost.store.read_json(finished.results / "timing/cost.json")
    assert measured["chunks_timed"] == measured["chunks"] == 12
    assert measured["engine"]["deals"] == 2 * 4096
    assert measured["reference"]["share_of_the_search"] == 50 / 4096
    assert measured["engine_speed_over_reference"] > 1
