"""Random decks, stated deals and caps."""

from hypothesis import strategies as st

from bmn.cards import Deck

SMALL_CAPS = st.sampled_from([1, 2, 3, 15, 16, 17, 18, 40, 300, 2000])


@st.composite
def hands(draw, most=70):
    """Two hands; often few penalty cards, sometimes more than the words of a kernel hold."""
    share = draw(st.sampled_from([0.0, 0.05, 0.2, 0.3, 0.5, 1.0]))
    size = draw(st.one_of(st.integers(1, most), st.sampled_from([52, 61, 62, 63, 64, 65])))
    random = draw(st.randoms(use_true_random=False))
    cards = [random.randint(1, 4) if random.random() < share else 0 for _ in range(size)]
    split = draw(st.one_of(st.integers(0, size), st.just(size // 2)))
    return bytes(cards[:split]), bytes(cards[split:])


@st.composite
def decks(draw):
    """Decks of 1 to about 80 cards."""
    penalties = [draw(st.integers(0, 6)) for _ in range(4)]
    return Deck(draw(st.integers(0 if any(penalties) else 1, 56)), *penalties)
