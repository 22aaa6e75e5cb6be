"""An injected fault shows: a bit flipped in every deal is counted as a violation."""

import numpy as np
import pytest

from bmn import _engine
from bmn.cards import STANDARD, Deck

FAULTS, CAUGHT = 10_000, 9_999


@pytest.mark.parametrize("fault", [1, 2**63])
@pytest.mark.parametrize("deck", [STANDARD, Deck(28, 4, 4, 4, 0)])
def test_faults_in_a_search(kernel, deck, fault):
    clean = _engine.search(0, FAULTS, 1000, kernel, deck)
    faulty = _engine.search(0, FAULTS, 1000, kernel, deck, fault=fault)
    assert clean.lengths["violations"].sum() == 0
    assert faulty.lengths["violations"].sum() >= CAUGHT
    assert not np.array_equal(faulty.lengths["fingerprint"], clean.lengths["fingerprint"])


def test_faults_in_stated_deals(kernel):
    random = np.random.default_rng(2)
    cards = np.frombuffer(STANDARD.cards, np.uint8)
    rows = random.permuted(np.tile(cards, (FAULTS, 1)), axis=1)
    clean = _engine.play_many(rows, 1000, kernel)
    faulty = _engine.play_many(rows, 1000, kernel, fault=3)
    assert not clean["violation"].any()
    assert faulty["violation"].sum() >= CAUGHT
    changed = faulty["tricks"] != clean["tricks"]
    assert changed.sum() > FAULTS / 4
    assert faulty["violation"][changed].mean() >= CAUGHT / FAULTS
