"""What jobs ask of a cluster."""

import math

from hypothesis import given
from hypothesis import strategies as st

from bmn import cluster


@given(st.integers(1, 10**12), st.integers(1, 10**9), st.integers(1, 5))
def test_a_job_gets_the_time_it_needs_with_a_margin(deals, rate, attempt):
    asked = cluster.minutes(deals, rate, attempt)
    assert isinstance(asked, int)
    assert asked >= attempt * (cluster.START + cluster.SAFETY * deals / rate / 60)
    assert asked <= attempt * (cluster.START + math.ceil(cluster.SAFETY * deals / rate / 60))
