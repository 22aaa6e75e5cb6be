"""The tables of docs/science.md."""

import numpy as np

from bmn import store
from bmn.explore import law, tables

ABOUT = {
    "constant": 1.25,
    "constant_error": 0.1,
    "hazard": 0.0348,
    "hazard_error": 0.0001,
    "deals": 10**6,
    "longest_found": 420,
    "longest_forecast": 419.7,
    "longest_deviation": 36.8,
}


def test_a_hazard_has_the_digits_that_its_error_leaves_it(tmp_path):
    ended = {
        "first_trick": np.array([25, 75, 125, 25]),
        "last_trick": np.array([74, 124, 126, 126]),
        "at_risk": np.array([1_000_000, 54, 1, 1_000_055]),
        "ended": np.array([34_820, 1, 1, 34_822]),
        "hazard": np.array([0.0354407, 0.018692, np.nan, 0.0354408]),
        "hazard_error": np.array([0.00019, 0.018692, np.nan, 0.00019]),
    }
    assert set(ended) == set(law.COLUMNS)
    store.write(tmp_path / "climb/law.parquet", ended, ABOUT)
    lines = tables.law(tmp_path).splitlines()
    assert lines[1] == "| --: | --: | --: | --: | --: | --: |"
    assert lines[2:6] == [
        "| 25 | 74 | 1,000,000 | 34,820 | 0.03544 | 0.00019 |",
        "| 75 | 124 | 54 | 1 | 0.019 | 0.019 |",
        "| 125 | 126 | 1 | 1 |  |  |",
        "| all |  | 1,000,055 | 34,822 | 0.03544 | 0.00019 |",
    ]
