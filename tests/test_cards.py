import pytest
from hypothesis import given
from hypothesis import strategies as st

from bmn.cards import MAX_CARDS, STANDARD, SYMBOLS, Deal, Deck
from bmn.errors import InputError

hands = st.text(alphabet=SYMBOLS, max_size=40)


@given(hands, hands.filter(bool))
def test_notation_reads_back(first, second):
    assert str(Deal.parse(f"{first}/{second}")) == f"{first}/{second}"


def test_deck_of_a_deal():
    assert Deal.parse("--A-/J---").deck == Deck(6, 1, 0, 0, 1)


def test_number_of_deals():
    # Multinomials stated with the rules of the game.
    assert STANDARD.deals == 653_534_134_886_878_245_000
    assert Deck(28, 4, 4, 4, 0).deals == 193_584_473_082_000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("--A-J---", "0 '/'"),
        ("-/-/-", "2 '/'"),
        ("-x/-", "'x' at position 2 of hand 1"),
        ("-/10", "'1' at position 1 of hand 2"),
        ("-/-j", "'j' at position 2 of hand 2"),
        ("/", "two empty hands"),
        ("-/" + "-" * MAX_CARDS, "at most"),
    ],
)
def test_malformed_deals_are_one_sentence(text, words):
    with pytest.raises(InputError) as error:
        Deal.parse(text)
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250
