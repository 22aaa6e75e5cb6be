"""The page's own rules and deal, in a browser, against the compiled engine and the reference."""

from functools import partial

import numpy as np
import pytest

from bmn import _engine, reference
from bmn.cards import STANDARD, Deal, Deck
from bmn.checks import battery
from bmn.checks.control import ACE_DEMANDS_NOTHING
from bmn.checks.plants import PLANTS, first_period
from bmn.game import ENDINGS
from bmn.known import deal_of, known_deals
from bmn.shuffle import deal_seed

ENDLESS_CAP = 3000

SEEDS = """([first, count, deck]) => {
  const dealer = new Rules.Dealer(deck), player = new Rules.Player(dealer.cards.length);
  const out = [];
  for (let i = 0; i < count; i++) {
    const seed = Rules.parseSeed((BigInt(first) + BigInt(i)).toString());
    dealer.deal(...seed);
    player.playDeck(dealer.cards, 3000);
    const deal = Rules.dealText(Rules.dealSeed(...seed, deck));
    out.push([deal, player.tricks, player.cardPlays, player.winner, player.ending]);
  }
  return out;
}"""
"""The deal of every seed of a range, and how it comes out by the fast loop."""

DEALS = """([deals, cap]) => deals.map((text) => {
  const hands = Rules.parseDeal(text);
  const player = new Rules.Player(hands[0].length + hands[1].length);
  player.playHands(...hands, cap);
  const slow = new Timeline(hands, cap);
  return {
    fast: [player.tricks, player.cardPlays, player.winner, player.ending],
    slow: [slow.tricks, slow.plays, slow.winner ?? 0, slow.ending],
    mann: [slow.mann.tricks, slow.mann.cards],
    cycle: slow.cycle && [slow.cycle.start, slow.cycle.period, slow.periodPlays],
  };
})"""
"""How written deals come out, by the fast loop and move by move."""


@pytest.fixture(scope="module")
def js(browser, html):
    page = browser.new_page()
    page.goto(f"file://{html}")
    yield page
    page.close()


def by_engine(deals, cap):
    return [_engine.play(deal.first, deal.second, cap)[:4] for deal in deals]


def test_ten_thousand_seeds(js):
    found = js.evaluate(SEEDS, ["0", 10_000, list(STANDARD)])
    deals = [deal_seed(seed) for seed in range(10_000)]
    assert [row[0] for row in found] == [str(deal) for deal in deals]
    assert [tuple(row[1:]) for row in found] == by_engine(deals, 3000)


@pytest.mark.parametrize("first", [2**32 - 50, 2**40, 2**53 - 50, 2**63 - 50, 2**64 - 100])
def test_seeds_that_need_all_64_bits(js, first):
    found = js.evaluate(SEEDS, [str(first), 100, list(STANDARD)])
    deals = [deal_seed(seed) for seed in range(first, first + 100)]
    assert [row[0] for row in found] == [str(deal) for deal in deals]
    assert [tuple(row[1:]) for row in found] == by_engine(deals, 3000)


@pytest.mark.parametrize(
    "deck", [Deck(28, 4, 4, 4, 0), Deck(7, 2, 2, 2, 2), Deck(72, 8, 8, 8, 8), Deck(1, 0, 0, 0, 1)]
)
def test_other_decks(js, deck):
    found = js.evaluate(SEEDS, ["0", 300, list(deck)])
    deals = [deal_seed(seed, deck) for seed in range(300)]
    assert [row[0] for row in found] == [str(deal) for deal in deals]
    assert [tuple(row[1:]) for row in found] == by_engine(deals, 3000)


def test_every_known_deal(js):
    known = known_deals()
    found = js.evaluate(DEALS, [[str(deal_of(entry)) for entry in known], ENDLESS_CAP])
    for entry, row in zip(known, found, strict=True):
        name = entry["name"]
        if entry["terminates"]:
            ending = ENDINGS.index(entry["ending"])
            outcome = [entry["tricks"], entry["card_plays"], entry["winner"]]
            assert row["fast"] == [*outcome, ending], name
            assert row["slow"] == [*outcome, entry["ending"]], name
            assert row["mann"] == [entry["tricks_mann"], entry["cards_mann"]], name
            assert row["cycle"] is None, name
        else:
            cycle = ("preperiod_tricks", "period_tricks", "period_cards")
            assert row["cycle"] == [entry[key] for key in cycle], name
            assert row["fast"][3] == ENDINGS.index("capped"), name


def test_every_plant(js):
    found = js.evaluate(DEALS, [[plant.deal for plant in PLANTS], ENDLESS_CAP])
    for plant, row in zip(PLANTS, found, strict=True):
        tricks, plays, winner, ending = row["fast"]
        if plant.period is None:
            told = f"{tricks} tricks, {plays} card plays, seat {winner + 1} wins, {ENDINGS[ending]}"
            assert told == plant.outcome, plant.name
            assert row["slow"] == [tricks, plays, winner, ENDINGS[ending]], plant.name
        else:
            assert row["cycle"][1] == plant.period == first_period(Deal.parse(plant.deal))


@pytest.mark.parametrize(
    "deal", ["-----J/Q-Q-J-", "------Q/-KA--J-", "-------J/----JJJ-", "/-", "-/", "A/", "/A", "J/J"]
)
def test_traps(js, deal):
    (row,) = js.evaluate(DEALS, [[deal], 100_000])
    game = reference.play(Deal.parse(deal))
    outcome = [game.tricks, game.card_plays, game.winner]
    assert row["fast"] == [*outcome, ENDINGS.index(game.ending)]
    assert row["slow"] == [*outcome, game.ending]
    assert row["cycle"] is None


@pytest.mark.parametrize("cap", [1, 2, 40])
def test_caps(js, cap):
    deals = [deal_seed(seed) for seed in range(300)]
    found = js.evaluate(DEALS, [[str(deal) for deal in deals], cap])
    assert [tuple(row["fast"]) for row in found] == by_engine(deals, cap)
    for deal, row in zip(deals, found, strict=True):
        game = reference.play(deal, cap=cap)
        assert row["slow"] == [game.tricks, game.card_plays, game.winner, game.ending]


def test_every_moment_is_that_of_the_reference(js):
    script = """(text) => {
      const timeline = new Timeline(Rules.parseDeal(text)), out = [];
      for (let i = 1; i <= timeline.plays; i++) {
        const game = timeline.at(i);
        const pile = game.pile.map(({ card }) => Rules.SYMBOLS[card]).join("");
        out.push([Rules.dealText(game.hands), pile, game.seat, game.owed, game.last.seat]);
      }
      return out;
    }"""
    for seed in (0, 1, 4, 13):
        deal = deal_seed(seed)
        expected = [
            [
                f"{Deal(move.first, move.second)}",
                str(Deal(move.pile, b""))[:-1],
                move.next_player,
                move.owed,
                move.player,
            ]
            for move in reference.moves(deal)
        ]
        assert js.evaluate(script, str(deal)) == expected


def test_the_battery_right_and_broken(js):
    script = """() => JSON.parse(document.getElementById("page-data").textContent).battery.map(
      (row) => [row.name, Battery.fingerprint(row),
                Battery.fingerprint(row, Rules.ACE_DEMANDS_NOTHING)])"""
    found = js.evaluate(script)
    broken_play = partial(reference.play, penalties=ACE_DEMANDS_NOTHING)
    rows = {row.name: row for row in battery.rows()}
    assert [row[0] for row in found] == list(rows)
    for name, right, broken in found[4:12]:
        assert int(right, 16) == battery.reference_fingerprint(rows[name])
        assert int(broken, 16) == battery.reference_fingerprint(rows[name], broken_play)


def test_64_bit_arithmetic(js):
    """Fingerprints of extreme counts, where halves carry."""
    from bmn.shuffle import fingerprint

    rng = np.random.default_rng(5)
    cases = [
        [int(seed), int(tricks), int(plays), int(winner)]
        for seed, tricks, plays, winner in zip(
            rng.integers(0, 2**64, 500, dtype=np.uint64),
            rng.integers(0, 2**31, 500),
            rng.integers(0, 2**31, 500),
            rng.integers(0, 2, 500),
            strict=True,
        )
    ] + [[2**64 - 1, 2**31 - 1, 2**31 - 1, 1], [0, 0, 0, 0]]
    script = """(cases) => cases.map(([seed, ...counts]) => {
      const sum = new Rules.Fingerprint();
      sum.addGame(...Rules.parseSeed(seed), ...counts);
      return sum.toString();
    })"""
    found = js.evaluate(script, [[str(seed), *counts] for seed, *counts in cases])
    assert found == [f"{fingerprint(*case):016x}" for case in cases]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "0 “/”"),
        ("--A", "0 “/”"),
        ("-/-/-", "2 “/”"),
        ("-X/--", "unknown card “X” at position 2"),
        ("--/-é", "unknown card “é” at position 2"),
        ("/", "Both hands are empty"),
        ("-" * 2001 + "/", "at most 2000"),
    ],
)
def test_a_bad_deal_is_told_in_a_sentence(js, text, told):
    message = js.evaluate(
        "(t) => { try { Rules.parseDeal(t) } catch (e) { return e.message } }", text
    )
    assert told in message and message.endswith(".")


@pytest.mark.parametrize("text", ["", "12a", "-1", "1.5", "0x", "18446744073709551616", "1e3"])
def test_a_bad_seed_is_told_in_a_sentence(js, text):
    message = js.evaluate(
        "(t) => { try { Rules.parseSeed(t) } catch (e) { return e.message } }", text
    )
    assert "seed" in message.lower() and message.endswith(".")


def test_seeds_are_read_in_decimal_and_hex(js):
    script = "(t) => Rules.seedDecimal(...Rules.parseSeed(t))"
    for text, seed in {
        "0": 0,
        "13,750,259": 13750259,
        "0xD1CFF3": 13750259,
        "0xffffffffffffffff": 2**64 - 1,
    }.items():
        assert js.evaluate(script, text) == str(seed)
