"""Pages of searches with another deck, and by rules that the page does not know."""

import re

import pytest

from bmn.report.run import Run

pytestmark = [pytest.mark.workflow, pytest.mark.slow]


def test_another_deck_is_played_by_the_page(project, open_page):
    project.configure(name="camicia", rules="camicia")
    project.snakemake()
    record = Run.read(project.results).record[0]
    page = open_page(project.results / "report.html")
    page.wait_for_selector("#battery tbody[data-state=right]")
    assert "28 plain, 4 J, 4 Q, 4 K" in page.inner_text("#headline")
    assert page.get_attribute("#replay", "data-agrees") == "true"
    assert page.input_value("#deal") == record["deal"]
    page.select_option("#search-what", "8")
    page.click("#search-start")
    page.wait_for_selector("#search-panel[data-state=done]")
    assert "All 8 chunks have the workflow’s fingerprint" in page.inner_text("#search-verdict")
    assert "The length table is the workflow’s" in page.inner_text("#search-verdict")


def test_capped_deals_are_told_apart(project, open_page):
    """Camicia has deals that never end, but so few that a low cap must make some capped."""
    project.configure(name="low cap", cap=150)
    project.snakemake()
    run = Run.read(project.results)
    capped = run.summary["totals"]["capped"]
    assert capped > 0
    page = open_page(project.results / "report.html")
    words = page.inner_text("#headline")
    assert re.search(rf"Given up at 150 tricks\s+{capped} deals: {capped} end later", words)
    page.select_option("#search-what", "8")
    page.click("#search-start")
    page.wait_for_selector("#search-panel[data-state=done]")
    assert "The length table is the workflow’s" in page.inner_text("#search-verdict")
    page.click("#search-table-box summary")
    assert "capped at 150" in page.inner_text("#search-table")


def test_other_rules_are_not_pretended_to(project, open_page):
    project.configure(name="three", rules="three-players")
    project.snakemake()
    page = open_page(project.results / "report.html")
    page.wait_for_selector("#battery tbody[data-state=right]")
    assert "players: 3" in page.inner_text("#headline")
    assert page.locator(".deal .hand").count() == 3
    assert "This run plays by other rules (players: 3)" in page.inner_text("#replay")
    assert page.locator("#search").count() == 0
    assert page.locator("#watch-record").count() == 0
    assert page.locator("#picture-record_hands").count() == 0
    assert "This run" not in page.inner_text("#battery-verdict")
    page.click("#step")
    assert "card play 1 " in page.inner_text("#count")
