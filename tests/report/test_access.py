"""Everybody can use the page: axe, contrast in both themes, keyboard, sizes, reduced motion."""

from itertools import pairwise

import pytest

RULES = {"resultTypes": ["violations"]}
SERIOUS = ("serious", "critical", "moderate", "minor")


def findings(page):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options=RULES).response["violations"]
    return [
        (finding["id"], finding["impact"], node["html"][:160])
        for finding in found
        for node in finding["nodes"]
        if finding["impact"] in SERIOUS
    ]


def unfold(page):
    """Open everything that can be opened, and draw every picture."""
    page.wait_for_selector("#battery tbody[data-state=right]")
    page.select_option("#search-what", "1")
    page.click("#search-start")
    page.wait_for_selector("#search-panel[data-state=done]")
    page.click("#new-match")
    page.click("#pause")
    page.evaluate("document.querySelectorAll('details').forEach((box) => (box.open = true))")
    for chart in page.locator(".chart").all():
        chart.scroll_into_view_if_needed()
        page.wait_for_selector(f"#{chart.locator('..').get_attribute('id')} [data-drawn]")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_axe_finds_nothing(open_page, html, size, scheme):
    page = open_page(html, size, color_scheme=scheme)
    unfold(page)
    assert findings(page) == []
    page.locator("label", has=page.locator("#break")).click()
    page.wait_for_selector("#battery tbody[data-state=broken]")
    page.fill("#deal", "x/")
    page.press("#deal", "Enter")
    assert findings(page) == []


def test_axe_finds_nothing_on_a_red_page(open_page, red_html):
    page = open_page(red_html)
    page.wait_for_selector("#battery tbody[data-state=right]")
    assert "No headline" in page.inner_text("#headline")
    assert page.locator("#pictures").count() == 0
    assert findings(page) == []


def test_nothing_is_wider_than_the_screen(page):
    unfold(page)
    width = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    scrolled, shown = page.evaluate(width)
    assert scrolled == shown


@pytest.mark.parametrize("width", [320, 600, 768, 1920])
def test_it_fits_other_widths(browser, html, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto(f"file://{html}")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.close()


def test_headings_follow_each_other(page):
    levels = page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => Number(h.tagName[1]))"
    )
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(later - level <= 1 for level, later in pairwise(levels))


def test_every_control_can_be_reached_by_keyboard(page):
    page.click("#new-match")
    wanted = page.evaluate(
        """[...document.querySelectorAll("main button, main select, main input")]
           .filter((e) => e.checkVisibility() && !e.disabled).map((e) => e.id).filter(Boolean)"""
    )
    assert {"scrub", "play", "deal", "preset", "break", "search-start", "tap0", "auto0"} <= set(
        wanted
    )
    reached = set()
    page.evaluate("document.activeElement.blur()")
    for _ in range(400):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.id"))
        if set(wanted) <= reached:
            break
    assert set(wanted) <= reached


def test_the_first_tab_skips_to_the_results(page):
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.url.endswith("#main")


def test_the_theme_can_be_chosen(page):
    paper = "getComputedStyle(document.body).backgroundColor"
    for scheme, other in (("light", "dark"), ("dark", "light")):
        page.emulate_media(color_scheme=scheme)
        system = page.evaluate(paper)
        page.click("#theme")
        assert page.get_attribute("#theme", "aria-label") == f"Colours: {other}"
        assert page.evaluate(paper) != system
        page.click("#theme")
        assert page.get_attribute("#theme", "aria-label") == "Colours: as the system"
        assert page.evaluate(paper) == system


def test_the_whole_menu_is_seen(page):
    for link in page.locator("nav a").all():
        box = link.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"]
    assert page.locator(".masthead").bounding_box()["height"] < 90


def test_commands_are_not_cut(page):
    assert page.evaluate(
        "[...document.querySelectorAll('pre')].every((pre) => pre.scrollWidth <= pre.clientWidth)"
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pictures_take_the_colours_of_the_theme(open_page, html, scheme):
    page = open_page(html, color_scheme=scheme)
    page.locator("#picture-lengths .chart").scroll_into_view_if_needed()
    page.wait_for_selector("#picture-lengths [data-drawn]")
    marks = "document.querySelector('#picture-lengths svg').innerHTML"
    palette = page.evaluate("JSON.parse(document.getElementById('page-data').text).palette")
    mine, other = palette["seat1"] if scheme == "light" else palette["seat1"][::-1]
    assert mine in page.evaluate(marks) and other not in page.evaluate(marks)


def test_pictures_tell_their_values(open_page, html):
    page = open_page(html)
    chart = page.locator("#picture-lengths_log2 .chart")
    chart.scroll_into_view_if_needed()
    page.wait_for_selector("#picture-lengths_log2 [data-drawn]")
    bars = page.locator("#picture-lengths_log2 path[aria-roledescription='bar']")
    assert bars.count() >= 6
    bars.nth(3).hover()
    page.wait_for_selector("#vg-tooltip-element.visible")
    assert "deals" in page.inner_text("#vg-tooltip-element")


def test_nothing_moves_by_itself(open_page, html):
    page = open_page(html, reduced_motion="reduce")
    page.wait_for_selector("#battery tbody[data-state=right]")
    before = page.inner_text("#count")
    page.wait_for_timeout(500)
    assert page.inner_text("#count") == before
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    assert page.evaluate("document.getAnimations().length") == 0


def test_without_scripts_the_results_are_there(browser, html):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"file://{html}")
    assert "The longest of 4,096 deals lasts" in page.inner_text("h1")
    assert "Without JavaScript" in page.inner_text("noscript")
    assert page.locator(".check").count() == 8
    context.close()
