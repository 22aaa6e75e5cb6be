"""Random states for the property tests of the three-queue War."""

from itertools import pairwise

from hypothesis import strategies as st

from bmn.sedaps.rule import deck


@st.composite
def states(draw, cards=None, most_cards=12, seats=3):
    """States of any sizes over a whole deck."""
    size = draw(st.integers(1, most_cards)) if cards is None else cards
    pack = draw(st.permutations(deck(size)))
    cuts = sorted(draw(st.lists(st.integers(0, size), min_size=seats - 1, max_size=seats - 1)))
    return tuple(tuple(pack[a:b]) for a, b in pairwise([0, *cuts, size]))
