"""Random decks, deals and rule sets for the property tests."""

from itertools import pairwise

from hypothesis import strategies as st

from bmn.cards import Deal, Deck
from bmn.rules import Rules


@st.composite
def hands(draw, players=2, most_cards=16):
    """Hands of any sizes, at least one of them not empty."""
    cards = draw(st.lists(st.sampled_from([0, 0, 0, 1, 2, 3, 4]), min_size=1, max_size=most_cards))
    cuts = sorted(
        draw(st.lists(st.integers(0, len(cards)), min_size=players - 1, max_size=players - 1))
    )
    bounds = [0, *cuts, len(cards)]
    return tuple(bytes(cards[a:b]) for a, b in pairwise(bounds))


def deals(most_cards=16):
    """Deals of two hands."""
    return hands(2, most_cards).map(lambda pair: Deal(*pair))


def decks(most_cards=12, most_of_a_kind=2):
    """Small decks with at least one card."""
    counts = st.tuples(
        st.integers(0, most_cards), *[st.integers(0, most_of_a_kind) for _ in range(4)]
    )
    return counts.map(lambda c: Deck(*c)).filter(lambda deck: 1 <= deck.size <= most_cards)


@st.composite
def rule_sets(draw):
    """Any rule set that is allowed."""
    players = draw(st.integers(2, 5))
    return Rules(
        deck=draw(decks(20, 4)),
        players=players,
        dealing=draw(st.sampled_from(["alternate", "blocks"])),
        top=draw(st.sampled_from(["first", "last"])),
        leader=draw(st.integers(0, players - 1)),
        penalties=(0, *draw(st.lists(st.integers(0, 5), min_size=4, max_size=4))),
        pile=draw(st.sampled_from(["as played", "reversed"])),
        next_leader=draw(st.sampled_from(["taker", "payer"])),
        ends=draw(st.sampled_from(["cannot play", "empty hand"]))
        if players == 2
        else "cannot play",
        stop_tricks=draw(st.one_of(st.none(), st.integers(1, 60))),
        stop_on_repeat=draw(st.booleans()),
    )
