"""Trunks: the unique predecessor, and the deepest deal, against complete enumeration."""

import itertools

import numpy as np
import pytest

import bmn
from bmn import reference, shuffle
from bmn.cards import STANDARD, Deal, Deck
from bmn.explore import _explore, _hunt, backward, long
from bmn.known import deal_of, known_deals


def trunk_states(seeds=2000, deck=STANDARD):
    rows = _hunt.deal_rows(0, seeds, deck)
    states, tricks = _hunt.to_trunk(_hunt.pack_rows(rows, (deck.size + 1) // 2), long.NO_LIMIT)
    return states[tricks >= 0]


def exact(hand):
    """Whether the last penalty card is followed by just the plain cards that it demands."""
    plain = len(hand) - len(hand.rstrip(b"\0"))
    return plain < len(hand) and hand[len(hand) - plain - 1] == plain


def test_rows_are_the_deals_of_their_seeds():
    for deck in (STANDARD, Deck(14, 2, 2, 2, 1)):
        rows = _hunt.deal_rows(7, 50, deck)
        for seed, row in enumerate(rows, 7):
            assert bytes(row) == b"".join(shuffle.deal_seed(seed, deck))


def test_cuts_turn_both_hands_laid_end_to_end():
    rows = _hunt.deal_rows(7, 5, STANDARD, 13)
    own = _hunt.deal_rows(7, 5, STANDARD)
    for number, row in enumerate(rows):
        seed, cut = divmod(number, 13)
        assert np.array_equal(row, np.roll(own[seed], -4 * cut))


def test_a_trunk_begins_where_both_hands_are_exact():
    for seed in range(200):
        deal = shuffle.deal_seed(seed)
        states, tricks = _hunt.to_trunk(_explore.pack(*deal)[None], long.NO_LIMIT)
        position = reference.Position(deal)
        found = -1
        while position.ending is None:
            hands = [bytes(position.hands[k]) for k in (position.player, 1 - position.player)]
            if not position.pile and exact(hands[0]) and exact(hands[1]):
                found = position.resolved
                break
            trick = position.resolved + 1
            while position.resolved < trick and position.lay_card() is not None:
                pass
        assert tricks[0] == found
        if found >= 0:
            assert _explore.texts(states) == [str(Deal(*hands))]


def test_the_trunk_predecessor_is_the_only_one_of_all_with_both_hands_exact():
    counts = _hunt.backward_counts(trunk_states(20_000))
    assert counts["agrees"].all()
    assert set(counts["on_trunk"]) == {0, 1}


def test_the_trunk_predecessor_agrees_with_the_reference():
    for state in trunk_states(150):
        (text,) = _explore.texts(state[None])
        before = [
            d for d in reference.predecessors(Deal.parse(text)) if exact(d[0]) and exact(d[1])
        ]
        heads, tricks = _hunt.heads(state[None], 1)
        assert tricks[0] == len(before)
        if before:
            assert _explore.texts(heads) == [str(before[0])]


def test_going_back_and_forward_again_comes_to_the_same_state():
    states = trunk_states(500)
    heads, back = _hunt.heads(states, long.NO_LIMIT)
    assert back.max() > 100
    for state, head, tricks in zip(states, heads, back, strict=True):
        (text,) = _explore.texts(head[None])
        position = reference.Position(Deal.parse(text))
        while position.resolved < tricks:
            position.lay_card()
        hands = [bytes(position.hands[k]) for k in (position.player, 1 - position.player)]
        assert _explore.texts(state[None]) == [str(Deal(*hands))]


def test_bushes_are_what_complete_backward_play_finds():
    for state in trunk_states(40):
        counts = _hunt.backward_counts(state[None])
        (text,) = _explore.texts(state[None])
        heads, _ = _hunt.heads(state[None], 1)
        tree = backward.ancestors(text)
        before = backward.ancestors(_explore.texts(heads)[0])
        on_trunk = int(counts["on_trunk"][0])
        assert counts["bush"][0] == len(tree) - 1 - on_trunk * len(before)


@pytest.mark.parametrize(("deck", "deals"), [(STANDARD, 1000), (Deck(14, 2, 2, 2, 1), 300)])
def test_extend_agrees_with_complete_backward_enumeration(deck, deals):
    compared = gained = 0
    for seed in itertools.count():
        deal = shuffle.deal_seed(seed, deck)
        end, tricks = _hunt.trunk_end(_explore.pack(*deal))
        if end is None:
            continue
        states, levels = _explore.ancestors(end, backward.ANY_DEPTH, 10**7)
        deepest = levels[backward.balanced(_explore.sizes(states))].max()
        found = long.extend(deal)
        game = bmn.play(deal)
        assert found.tricks == deepest + game.tricks - tricks
        assert found.gain == found.tricks - game.tricks >= 0
        compared, gained = compared + 1, gained + (found.gain > 0)
        if compared == deals:
            break
    assert gained > deals / 2


def test_an_extended_deal_is_a_deal_of_the_same_cards_and_runs_through_the_same_trunk():
    for seed in range(0, 100, 3):
        deal = shuffle.deal_seed(seed)
        end, _ = _hunt.trunk_end(_explore.pack(*deal))
        if end is None:
            continue
        found = bmn.extend(deal)
        made = Deal.parse(found.deal)
        assert made.deck == STANDARD
        assert len(made.first) == 26
        assert reference.play(made) == bmn.play(made)
        assert np.array_equal(_hunt.trunk_end(_explore.pack(*made))[0], end)


def test_published_records_are_made_longer():
    gains = {
        entry["name"]: bmn.extend(deal_of(entry)).gain
        for entry in known_deals()
        if entry["source"].startswith("record table") and entry["terminates"]
    }
    assert min(gains.values()) >= 0
    assert gains["Collins 2006"] == 88
    assert gains["Kleber 1999"] == 17


@pytest.mark.parametrize(
    ("deal", "why"),
    [
        ("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA", "never ends"),
        ("--/--", "no trunk"),
        ("--A-", "'/'"),
    ],
)
def test_what_cannot_be_made_longer(deal, why):
    with pytest.raises(bmn.InputError, match=why):
        bmn.extend(deal)


def test_two_sided_search_is_reproducible_and_its_finds_are_real():
    search = long.TwoSided(3, 150_000, threshold=120, keep=5)
    found = long.two_sided(search)
    assert len(found["deal"]) == 5
    again = long.two_sided(search)
    for name, values in found.items():
        assert np.array_equal(values, again[name])
    assert list(found["tricks"]) == sorted(found["tricks"], reverse=True)
    for row in zip(*(found[name] for name in long.FOUND), strict=True):
        named = dict(zip(long.FOUND, row, strict=True))
        game = reference.play(Deal.parse(named["deal"]))
        assert (game.tricks, game.card_plays) == (named["tricks"], named["card_plays"])
        cards = np.frombuffer(b"".join(shuffle.deal_seed(int(named["seed"]))), np.uint8)
        cards = bytes(np.roll(cards, -4 * int(named["cut"])))
        begun = Deal(cards[:26], cards[26:])
        assert reference.play(begun).tricks == named["seed_tricks"] >= 120
        assert bmn.extend(begun).deal == named["deal"]


def test_two_sided_search_finds_more_than_looking_at_the_same_deals():
    search = long.TwoSided(4, 200_000)
    looked = bmn.search(search.first_seed, search.deals // long.CUTS)["tricks"].max()
    assert long.two_sided(search)["tricks"][0] > looked


def test_two_sided_search_without_long_deals_finds_nothing():
    assert len(long.two_sided(long.TwoSided(0, 10, threshold=10_000))["deal"]) == 0


def test_two_sided_search_refuses_seeds_beyond_64_bits():
    with pytest.raises(bmn.InputError, match="key"):
        long.TwoSided(1 << 24, 10)
