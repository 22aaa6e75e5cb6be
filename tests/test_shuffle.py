import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmn import reference, shuffle
from bmn.cards import STANDARD, Deck
from bmn.errors import InputError

seeds = st.integers(0, 2**64 - 1)


@given(seeds)
def test_a_deal_is_a_shuffled_deck(seed):
    deal = shuffle.deal_seed(seed)
    assert deal.deck == STANDARD
    assert len(deal.first) == len(deal.second) == 26


@given(seeds)
def test_other_decks_are_dealt_alternately(seed):
    deal = shuffle.deal_seed(seed, Deck(7, 2, 2, 2, 2))
    assert (len(deal.first), len(deal.second)) == (8, 7)


def test_the_first_seeds():
    # Stated with the rules of the game, for seeds 0 to 4.
    games = [reference.play(shuffle.deal_seed(seed)) for seed in range(5)]
    assert [game.tricks for game in games] == [37, 6, 16, 10, 35]
    assert [game.card_plays for game in games] == [264, 57, 136, 65, 267]
    assert [game.winner for game in games] == [1, 1, 0, 0, 1]


def test_splitmix64():
    # The first outputs for the seed 1234567, published with the generator.
    state, outputs = 1234567, []
    for _ in range(3):
        state = state + shuffle.GOLDEN & shuffle.MASK
        outputs.append(shuffle.mix64(state))
    assert outputs == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_are_64_bits(seed):
    with pytest.raises(InputError, match="out of range"):
        shuffle.deal_seed(seed)
