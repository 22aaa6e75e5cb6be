"""The browser as a witness: the battery right and broken, and searching on workers."""

import json
import shutil

import pytest
from helpers import until

from bmn import store
from bmn.checks.battery import rows
from bmn.report import page as report_page
from bmn.report.run import Run

DONE = "#search-panel[data-state=done]"


def settled(page, state="right"):
    page.wait_for_selector(f"#battery tbody[data-state={state}]")
    verdicts = page.locator("#battery tbody tr td:first-child").all_inner_texts()
    names = page.locator("#battery tbody tr td:nth-child(2)").all_inner_texts()
    return dict(zip(names, verdicts, strict=True))


def test_the_battery_agrees(page):
    verdicts = settled(page)
    assert list(verdicts) == [row.name for row in rows()]
    assert set(verdicts.values()) == {"✓ agrees"}
    assert f"All {len(verdicts)} rows agree" in page.inner_text("#battery-verdict")


def test_the_broken_rule_turns_every_row_with_an_ace_red(page):
    settled(page)
    page.locator("label", has=page.locator("#break")).click()
    verdicts = settled(page, "broken")
    for row in rows():
        assert verdicts[row.name] == ("✗ differs" if row.has_ace else "✓ agrees"), row.name
    aces = sum(row.has_ace for row in rows())
    told = page.inner_text("#battery-verdict")
    assert f"exactly the {aces} rows with an Ace" in told
    assert "those of the workflow’s own broken control" in told
    page.locator("label", has=page.locator("#break")).click()
    assert set(settled(page).values()) == {"✓ agrees"}


def test_the_switch_works_by_keyboard(page):
    settled(page)
    page.focus("#break")
    page.keyboard.press(" ")
    assert "✗ differs" in settled(page, "broken").values()


def test_the_records_are_replayed(page):
    settled(page)
    assert page.get_attribute("#replay", "data-agrees") == "true"
    assert page.locator("#published .agrees").all_inner_texts() == ["✓ agrees"] * 9


def test_another_engine_is_found_out(results, tmp_path, open_page):
    """With one fingerprint of the battery and one chunk changed, the browser disagrees."""
    folder = tmp_path / "results"
    shutil.copytree(results, folder)
    table, about = store.read(folder / "checks/battery.parquet")
    table["found"][3] = table["expected"][3] = "0123456789abcdef"
    store.write(folder / "checks/battery.parquet", table, about)
    chunk = folder / "search/size=512/first=000000001024.parquet"
    table, about = store.read(chunk)
    table["fingerprint"][4] += 1
    store.write(chunk, table, about)
    report_page.write(folder, folder / "report.html")
    page = open_page(folder / "report.html")
    verdicts = settled(page)
    assert [name for name, told in verdicts.items() if "differs" in told] == [rows()[3].name]
    page.select_option("#search-what", "8")
    page.click("#search-start")
    page.wait_for_selector(DONE)
    assert "1 of 8 chunks have another fingerprint" in page.inner_text("#search-verdict")
    assert "1 row of the length table differ" in page.inner_text("#search-verdict")
    assert page.locator("#search-chunks .differs").count() == 1
    assert page.locator("#search-chunks .agrees").count() == 7


@pytest.mark.parametrize("chunks", [1, 4, 8])
def test_the_run_is_searched_again(page, results, chunks):
    page.select_option("#search-what", str(chunks))
    page.click("#search-start")
    page.wait_for_selector(DONE)
    told = page.inner_text("#search-verdict")
    assert "have the workflow’s fingerprint" in told or "has the workflow’s fingerprint" in told
    assert "The length table is the workflow’s, in all" in told
    assert page.locator("#search-chunks .agrees").count() == chunks
    if chunks == 8:
        best = page.locator("#search-facts div", has_text="its seed").locator("dd").inner_text()
        assert int(best) == Run.read(results).record[0]["seed"]
        page.click("#search-table-box summary")
        assert page.locator("#search-table tbody tr").count() > 100


def test_other_seeds_are_searched_and_not_compared(page):
    page.select_option("#search-what", "own")
    page.fill("#search-first", "0xffffffffffff0000")
    page.fill("#search-count", "20,000")
    page.select_option("#search-workers", index=0)
    page.click("#search-start")
    page.wait_for_selector(DONE)
    assert "There is nothing to compare" in page.inner_text("#search-verdict")
    expected = f"{sum_of(2**64 - 2**16, 20_000):016x}"
    assert f"fingerprint {expected}" in page.inner_text("#search-verdict")


def sum_of(first, seeds):
    import bmn

    return bmn.fingerprint(bmn.search(first, seeds))


def test_whole_chunks_of_the_run_are_recognised(page):
    page.select_option("#search-what", "own")
    page.fill("#search-first", "1024")
    page.fill("#search-count", "1536")
    page.click("#search-start")
    page.wait_for_selector(DONE)
    assert "All 3 chunks have the workflow’s fingerprint" in page.inner_text("#search-verdict")


@pytest.mark.parametrize(
    ("first", "count", "told"),
    [
        ("x", "10", "whole number"),
        ("0", "0", "Choose 1 to"),
        ("0", "1.5", "Choose 1 to"),
        ("0", "2000000000", "Choose 1 to"),
        ("18446744073709551615", "2", "go past"),
    ],
)
def test_a_bad_search_is_refused(page, first, count, told):
    page.select_option("#search-what", "own")
    page.fill("#search-first", first)
    page.fill("#search-count", count)
    page.click("#search-start")
    assert told in page.inner_text("#search-error")
    assert page.locator("#search-panel").is_hidden()


def test_a_search_can_be_cancelled_and_started_again(page):
    page.select_option("#search-what", "own")
    page.fill("#search-count", "100000000")
    page.click("#search-start")
    until(lambda: page.evaluate("document.getElementById('search-progress').value") > 0)
    assert page.is_disabled("#search-start")
    page.click("#search-cancel")
    page.wait_for_selector("#search-panel[data-state=cancelled]")
    played = page.inner_text("#search-facts")
    page.wait_for_timeout(200)
    assert page.inner_text("#search-facts") == played
    page.select_option("#search-what", "1")
    page.click("#search-start")
    page.wait_for_selector(DONE)
    assert page.locator("#search-chunks .agrees").count() == 1


def test_the_data_in_the_page_is_the_runs(html, results):
    text = html.read_text(encoding="utf-8")
    data = json.loads(text.split('id="page-data">')[1].split("</script>")[0])
    run = Run.read(results)
    assert data["run"]["seeds"] == run.search.seeds
    total = sum(int(chunk, 16) for chunk in data["chunks"]["fingerprints"]) % 2**64
    assert f"{total:016x}" == run.summary["fingerprint"]
