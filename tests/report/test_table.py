"""The table for two: seats, turns, switches, the house's rules of stopping, matches."""

import re

import pytest
from helpers import until

STEER = """([deals, lead]) => {
  let next = 0;
  crypto.getRandomValues = (array) => array.fill(lead);
  Rules.dealSeed = () => Rules.parseDeal(deals[next++ % deals.length]);
}"""
"""Make the page deal written deals, and draw the first lead."""

QUICK = "A/-"  # the first hand leads an Ace, the second pays one card and has no more
LOST = "-/A"  # the first hand leads, must pay an Ace and cannot
EVEN = "------J--K-K-Q-Q-KJ-/--J--K---J--Q----Q--"  # comes back to a position with 20 cards each
CYCLE = "----------------A-A-------/--------------A------A----"  # repeats after four tricks


def start(page, *deals, lead=0, opponent="person", best_of=1):
    if deals:
        page.evaluate(STEER, [list(deals), lead])
    page.select_option("#opponent", opponent)
    page.select_option("#best-of", str(best_of))
    page.click("#new-match")


def cards(page):
    return [int(page.inner_text(f"#place{seat} .n").split()[0]) for seat in (0, 1)]


def turn(page):
    disabled = [page.get_attribute(f"#tap{seat}", "aria-disabled") for seat in (0, 1)]
    return disabled.index("false") if "false" in disabled else None


def tap(page, seat):
    page.locator(f"#tap{seat}").dispatch_event("click")


def play_out(page, most=9000):
    """Tap whichever stack may be tapped until none may; return how many taps that took."""
    script = """(most) => {
      for (let taps = 0; taps < most; taps++) {
        const stack = document.querySelector(".tap[aria-disabled=false]");
        if (!stack) return taps;
        stack.click();
      }
    }"""
    taps = page.evaluate(script, most)
    assert taps is not None, "the game does not end"
    return taps


def test_two_people_tap_in_turn(page):
    start(page, "K-/-----")
    assert cards(page) == [2, 5]
    assert turn(page) == 0
    page.click("#tap0")
    assert cards(page) == [1, 5]
    assert page.inner_text("#owes") == "Seat 2 owes 3 cards for seat 1’s king."
    assert page.inner_text("#felt-pile") == "K"
    for _ in range(3):
        page.click("#tap1")
    assert cards(page) == [5, 2]
    assert page.inner_text("#owes") == "The debt is paid: seat 1 takes 4 cards and leads."


def test_a_stack_that_will_not_tap_says_why(page):
    start(page, "K-/-----")
    tap(page, 1)
    assert page.inner_text("#why") == "Seat 2 may not play now. Seat 1 leads."
    tap(page, 0)
    assert page.inner_text("#why") == ""
    tap(page, 0)
    assert "Seat 1 may not play now. Seat 2 owes 3 cards" in page.inner_text("#why")
    assert cards(page) == [1, 5]
    page.click("#pause")
    tap(page, 1)
    assert page.inner_text("#why") == "The game is paused."
    page.click("#pause")
    play_out(page)
    tap(page, 0)
    assert page.inner_text("#why") == "This game is over."


def test_the_computer_plays_its_own_stack(page):
    start(page, "K-/-----", opponent="computer")
    assert page.locator("#auto1").is_hidden()
    tap(page, 1)
    assert page.inner_text("#why") == "The computer plays this stack."
    tap(page, 0)
    until(lambda: cards(page) == [5, 2])
    assert turn(page) == 0


def test_the_whole_pile_lies_face_up(page):
    start(page, "--K/--J")
    for seat in (0, 1, 0, 1):
        tap(page, seat)
    script = "[...document.querySelectorAll('#felt-pile .card')].map((c) => c.className)"
    assert page.evaluate(script) == ["card c- by0", "card c- by1"] * 2
    assert "4 plain" in page.get_attribute("#felt-pile", "aria-label")


def test_switches_are_off_and_play_when_put_on(page):
    start(page)
    assert not page.is_checked("#auto0")
    assert not page.is_checked("#auto1")
    before = sum(cards(page))
    page.wait_for_timeout(800)
    assert sum(cards(page)) == before
    for seat in (0, 1):
        page.focus(f"#auto{seat}")
        page.keyboard.press(" ")
    until(lambda: "card play 3" in page.inner_text("#score"))
    page.click("#pause")
    stopped = page.inner_text("#score")
    page.wait_for_timeout(800)
    assert page.inner_text("#score") == stopped
    page.click("#pause")
    until(lambda: page.inner_text("#score") != stopped)


def test_switches_rest_while_the_page_is_hidden(page):
    start(page)
    hide = """(hidden) => {
      Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    for seat in (0, 1):
        page.focus(f"#auto{seat}")
        page.keyboard.press(" ")
    page.wait_for_timeout(900)
    assert "card play 0" in page.inner_text("#score")
    page.evaluate(hide, False)
    until(lambda: "card play 1" in page.inner_text("#score"))


def test_a_new_match_has_its_switches_off(page):
    start(page)
    page.focus("#auto0")
    page.keyboard.press(" ")
    start(page)
    assert not page.is_checked("#auto0")


def test_the_loser_is_told_at_once(page):
    start(page, QUICK)
    tap(page, 0)
    tap(page, 1)
    assert "Seat 2 has no card left to play: seat 1 wins." in page.inner_text("#owes")
    assert page.inner_text("#score") == "Seat 1 wins the game."
    assert page.locator("#next-game").is_hidden()
    assert page.locator("#review").is_visible()


def test_a_repeated_position_stops_the_game(page):
    start(page, CYCLE)
    play_out(page)
    told = page.inner_text("#owes")
    assert "This position was there before" in told
    one, two = map(int, re.search(r"holds (\d+) and seat 2 holds (\d+)", told).groups())
    assert cards(page) == [one, two]
    result = page.inner_text("#score")
    assert result == (
        "The game is drawn." if one == two else f"Seat {1 if one > two else 2} wins the game."
    )


def test_equal_hands_are_a_draw(page):
    start(page, EVEN)
    assert play_out(page) == 546
    assert "holds 20 and seat 2 holds 20" in page.inner_text("#owes")
    assert page.inner_text("#score") == "The game is drawn."


def test_many_tricks_stop_the_game(page):
    """No game of 3,000 tricks is known, so a copy of the script gets a lower limit."""
    texts = "[...document.scripts].map((script) => script.text)"
    (text,) = (text for text in page.evaluate(texts) if "STOP_TRICKS" in text)
    begin = text.rindex("(() => {", 0, text.index("const STOP_TRICKS = 3000"))
    script = text[begin : text.index("\n})();", begin) + 6]
    renew = """for (const id of ["match", "tap0", "tap1"]) {
      const old = document.getElementById(id);
      old.replaceWith(old.cloneNode(true));
    }"""
    page.evaluate(renew)
    page.evaluate(script.replace("STOP_TRICKS = 3000", "STOP_TRICKS = 5"))
    start(page, "---A-----J-J-K-J-J---Q--K-/-AA---QA---KQ-Q----------K")
    play_out(page)
    assert "After 5 tricks: the game stops" in page.inner_text("#owes")
    assert sum(cards(page)) == 52


@pytest.mark.parametrize("lead", [0, 1])
def test_the_lead_is_drawn_and_then_alternates(page, lead):
    start(page, QUICK, lead=lead, best_of=3)
    assert turn(page) == lead
    play_out(page)
    assert f"Seat {lead + 1} wins the game." in page.inner_text("#score")
    page.click("#next-game")
    assert turn(page) == 1 - lead
    play_out(page)
    assert "Best of three, 1–1" in page.inner_text("#score")
    page.click("#next-game")
    assert turn(page) == lead
    play_out(page)
    two = "2–1" if lead == 0 else "1–2"
    assert page.inner_text("#score").endswith(f"Seat {lead + 1} wins the match, {two}.")
    assert page.locator("#next-game").is_hidden()


def test_two_wins_decide_a_match(page):
    start(page, QUICK, LOST, best_of=3)
    play_out(page)
    page.click("#next-game")
    play_out(page)
    assert "Seat 1 wins the match, 2–0" in page.inner_text("#score")
    assert page.locator("#next-game").is_hidden()


def test_a_match_of_draws_is_drawn(page):
    start(page, EVEN, best_of=3)
    for game in range(3):
        play_out(page)
        if game < 2:
            page.click("#next-game")
    assert page.inner_text("#score") == "The game is drawn. The match is drawn, 0–0, 3 drawn."


def test_a_played_deal_can_be_watched_again(page):
    start(page)
    taps = play_out(page)
    href = page.get_attribute("#review", "href")
    page.click("#review")
    until(lambda: page.input_value("#deal") == href.split("=")[1])
    assert f"{taps:,} card plays" in page.inner_text("#outcome")


def test_stacks_have_keys(page):
    start(page, "K-/-----")
    page.focus("#tap0")
    page.keyboard.press("a")
    page.keyboard.press("l")
    page.keyboard.press("l")
    assert cards(page) == [1, 3]


def test_keys_work_as_soon_as_it_is_dealt(page):
    start(page, "K-/-----", best_of=3)
    page.keyboard.press("a")
    assert cards(page) == [1, 5]
    page.click("#pause")
    page.click("#pause")
    page.keyboard.press("L")
    assert cards(page) == [1, 4]
    page.focus("#opponent")
    page.keyboard.press("l")
    assert cards(page) == [1, 4]


def test_both_seats_can_be_tapped_on_a_phone(open_page, html):
    page = open_page(html, "phone")
    start(page, "K-/-----")
    for seat in (0, 1):
        box = page.locator(f"#tap{seat}").bounding_box()
        assert box["height"] >= 44 and box["width"] >= 160
    page.tap("#tap0")
    page.tap("#tap1")
    assert cards(page) == [1, 4]
