"""How fast the page opens, and how fast its search is."""

import os
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

USABLE = """() => {
  const [paint] = performance.getEntriesByName("first-contentful-paint");
  return { paint: paint?.startTime, ready: performance.timing.domInteractive
    - performance.timing.navigationStart, cards: document.querySelectorAll("#side0 .card").length };
}"""

SEARCH = """([source, deals]) => new Promise((resolve) => {
  const worker = new Worker(URL.createObjectURL(new Blob([source])));
  worker.onmessage = ({ data }) => resolve(data.rows.reduce((sum, row) => sum + row.deals, 0));
  worker.postMessage({ id: 0, seed: [0, 0], count: deals, cap: 100000 });
})"""


def renderers():
    """CPU seconds used by all pages of the browser, their workers included."""
    ticks = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"--type=renderer" in (process / "cmdline").read_bytes():
                fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
                ticks += int(fields[11]) + int(fields[12])
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def test_it_is_usable_within_a_second(open_page, html):
    """The best of five, since other work may share the machine."""
    times = []
    for _ in range(5):
        start = time.monotonic()
        page = open_page(html)
        page.wait_for_selector("#side0 .card")
        page.click("#step")
        assert "card play 1 " in page.inner_text("#count")
        times.append(time.monotonic() - start)
        page.close()
    assert min(times) < 1, times


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="CPU time is read from /proc")
def test_a_worker_plays_a_quarter_of_a_million_deals_a_second(open_page, html):
    page = open_page(html)
    page.wait_for_selector("#battery tbody[data-state=right]")
    sources = (
        "['rules-js', 'search-worker-js'].map((id) => document.getElementById(id).text).join('')"
    )
    source = page.evaluate(sources)
    rates = []
    for deals in (100_000, 500_000, 500_000, 500_000):
        before = renderers()
        assert page.evaluate(SEARCH, [source, deals]) == deals
        rates.append(deals / (renderers() - before))
    assert max(rates) >= 250_000, rates
