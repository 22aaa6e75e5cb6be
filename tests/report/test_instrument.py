"""The instrument: every control, by pointer and by keyboard, at both sizes."""

import re

import pytest
from helpers import until

from bmn import reference
from bmn.known import deal_of, known_deals
from bmn.shuffle import deal_seed

CASELLA = str(deal_of(next(k for k in known_deals() if k["name"] == "Casella 2024")))


def show(page, text):
    page.fill("#deal", text)
    page.press("#deal", "Enter")


def position(page):
    """Both hands and the pile as shown, in the notation."""
    script = """() => ["#side0 .stack", "#side1 .stack", "#pile"].map((stack) => {
      const cards = [...document.querySelector(stack).children];
      return cards.map((card) => card.textContent || "-").join("");
    })"""
    return page.evaluate(script)


def plays(page):
    return int(re.search(r"card play ([\d,]+)", page.inner_text("#count"))[1].replace(",", ""))


def test_it_opens_with_the_record(page, results):
    from bmn.report.run import Run

    record = Run.read(results).record[0]
    assert page.input_value("#deal") == f"0x{record['seed_hex']}"
    assert position(page) == [*record["deal"].split("/"), ""]
    assert f"{record['tricks']} tricks" in page.inner_text("#outcome")


def test_steps_show_what_the_reference_plays(page):
    show(page, "3")
    moves = list(reference.moves(deal_seed(3)))
    for move in moves:
        page.click("#step")
        first, second, pile = position(page)
        assert first == "".join("-JQKA"[card] for card in move.first)
        assert second == "".join("-JQKA"[card] for card in move.second)
        status = page.inner_text("#status")
        if move.took is None:
            assert pile == "".join("-JQKA"[card] for card in move.pile)
            if move.owed and move is not moves[-1]:
                assert f"Seat {move.next_player + 1} owes {move.owed} card" in status
        elif move is not moves[-1]:
            assert f"seat {move.took + 1} takes" in status
    assert re.search(r"Seat [12] (has no|had no) card.*seat [12] wins", page.inner_text("#status"))
    page.click("#step")
    assert plays(page) == len(moves)


def test_back_to_start_end_and_a_trick(page):
    show(page, "0")
    start = position(page)
    for _ in range(5):
        page.click("#step")
    assert plays(page) == 5
    page.click("#back")
    assert plays(page) == 4
    page.click("#to-end")
    assert plays(page) == 264
    page.click("#to-start")
    assert position(page) == start
    page.fill("#jump", "20")
    page.press("#jump", "Enter")
    game = [move for move in reference.moves(deal_seed(0)) if move.trick == 19]
    assert plays(page) == game[-1].card_play
    page.fill("#jump", "9999")
    page.press("#jump", "Enter")
    assert page.input_value("#jump") == "37"


def test_play_pause_and_speed(page):
    show(page, "0")
    page.select_option("#speed", "64")
    page.click("#play")
    until(lambda: plays(page) >= 20)
    assert page.inner_text("#play") == "Pause"
    page.click("#play")
    stopped = plays(page)
    page.wait_for_timeout(150)
    assert plays(page) == stopped
    page.select_option("#speed", "1000")
    page.click("#play")
    until(lambda: page.inner_text("#play") == "Play")
    assert plays(page) == 264
    assert "wins" in page.inner_text("#status")


def test_the_keyboard_does_it_all(page):
    show(page, "0")
    page.focus("#instrument")
    for key, expected in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 264),
        ("Home", 0),
        ("Shift+ArrowRight", 9),
        ("Shift+ArrowLeft", 0),
    ]:
        page.keyboard.press(key)
        if "Shift" not in key:
            assert plays(page) == expected, key
    page.keyboard.press("Shift+ArrowRight")
    first_trick = [m for m in reference.moves(deal_seed(0)) if m.trick == 1][-1].card_play
    assert plays(page) == first_trick
    speed = page.evaluate("document.getElementById('speed').selectedIndex")
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press("-")
    assert page.evaluate("document.getElementById('speed').selectedIndex") == speed + 1
    page.keyboard.press(" ")
    assert page.inner_text("#play") == "Pause"
    page.keyboard.press(" ")
    assert page.inner_text("#play") == "Play"


def test_the_strip_scrubs(page):
    show(page, "0")
    page.locator("#scrub").scroll_into_view_if_needed()
    box = page.locator("#scrub").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert abs(plays(page) - 132) < 8
    page.focus("#scrub")
    before = plays(page)
    page.keyboard.press("ArrowRight")
    assert plays(page) == before + 1
    assert "of 264" in page.get_attribute("#scrub", "aria-valuetext")


def test_a_cycle_is_recognised_and_goes_round(page):
    show(page, CASELLA)
    assert "never ends" in page.inner_text("#outcome")
    assert "62 tricks and 440 card plays" in page.inner_text("#outcome")
    page.click("#to-end")
    assert "the position after trick 4" in page.inner_text("#status").replace("exactly ", "")
    at_end = position(page)[:2]
    page.click("#step")
    assert plays(page) == 475
    assert "Trick 67" in page.inner_text("#count")
    page.click("#back")
    assert position(page)[:2] == at_end
    assert plays(page) == 474


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("--A", "0 “/”"),
        ("-X/-", "unknown card “X” at position 2"),
        ("99999999999999999999999", "64 bits"),
        ("12x", "whole number"),
        ("", "Write a seed or a deal"),
    ],
)
def test_an_error_stands_beside_the_field(page, text, told):
    show(page, "0")
    shown = page.inner_text("#outcome")
    show(page, text)
    assert told in page.inner_text("#deal-error")
    assert page.get_attribute("#deal", "aria-invalid") == "true"
    assert page.inner_text("#outcome") == shown
    show(page, "1")
    assert page.inner_text("#deal-error") == ""
    assert page.get_attribute("#deal", "aria-invalid") == "false"


def test_a_preset_is_known_however_it_is_written(page):
    chosen = "document.querySelector('#preset').selectedOptions[0].textContent"
    seed = page.input_value("#deal")
    first = page.evaluate(chosen)
    for text, name in (
        ("-J/--A", "your own"),
        (seed.replace("0x" + "0" * 12, "0x"), first),
        ("7", "your own"),
        (str(int(seed, 16)), first),
    ):
        page.fill("#deal", text)
        page.press("#deal", "Enter")
        assert page.evaluate(chosen) == name


def test_every_preset_can_be_watched(page):
    options = page.locator("#preset optgroup option").all_inner_texts()
    assert any("Nessler 2022" in option for option in options)
    assert any("never ends" in option for option in options)
    assert sum("turn order" in option.lower() for option in options) == 2
    for index in range(len(options)):
        page.select_option("#preset", index=index)
        page.click("#to-end")
        assert page.input_value("#preset") == str(index)
        assert re.search("wins|for ever", page.inner_text("#status")), options[index]


def test_a_moment_can_be_linked(open_page, html):
    page = open_page(html, fragment="#seed=0x0&at=100")
    assert plays(page) == 100
    page.click("#step")
    assert page.url.endswith("#seed=0x0000000000000000&at=101")
    page.click("#copy-link")
    until(lambda: page.inner_text("#copy-link") == "Copied")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    other = open_page(html, "phone", page.url.split("html")[1])
    assert position(other) == position(page)
    other.evaluate("location.hash = '#deal=J-/-J&at=3'")
    until(lambda: other.input_value("#deal") == "J-/-J")
    assert plays(other) == 3


@pytest.mark.parametrize(
    "fragment", ["#seed=zz", "#deal=", "#deal=X/-&at=3", "#seed=0&at=x", "#checks"]
)
def test_a_bad_link_does_no_harm(open_page, html, fragment):
    page = open_page(html, fragment=fragment)
    assert page.locator("#side0 .card").count() > 0


def test_the_record_is_watched_from_the_headline(page):
    page.click("#watch-record")
    until(lambda: plays(page) >= 3)
    page.click("#play")
    page.click("[data-copy]")
    until(lambda: page.inner_text("[data-copy]") == "Copied")
    deal = page.get_attribute("[data-copy]", "data-copy")
    assert page.evaluate("navigator.clipboard.readText()") == deal


def test_links_in_the_tables_lead_to_the_instrument(page):
    page.locator("#records td a").nth(1).click()
    second = page.locator("#records tbody").first.locator("tr").nth(1).locator("code").inner_text()
    until(lambda: page.input_value("#deal") == second)
    page.locator("#published td a").last.click()
    until(lambda: "1,165 tricks" in page.inner_text("#outcome"))
