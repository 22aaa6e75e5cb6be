"""Tables of a search, compared whole."""

import numpy as np


def assert_same_tables(found, expected):
    for name in ("lengths", "plays"):
        columns, wanted = getattr(found, name), getattr(expected, name)
        assert list(columns) == list(wanted)
        for column in wanted:
            assert columns[column].dtype == wanted[column].dtype, column
            assert np.array_equal(columns[column], wanted[column]), (name, column)
    assert np.array_equal(found.capped, expected.capped)


def fingerprint(tables):
    return int(tables.lengths["fingerprint"].sum(dtype=np.uint64))
