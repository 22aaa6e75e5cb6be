"""How fast the page opens, and how fast its search is."""

import os
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SEARCH = """([source, deals]) => new Promise((resolve) => {
  const worker = new Worker(URL.createObjectURL(new Blob([source])));
  worker.onmessage = ({ data }) => resolve(data.rows.reduce((sum, row) => sum + row.deals, 0));
  worker.postMessage({ id: 0, seed: [0, 0], count: deals, cap: 100000 });
})"""


def renderers():
    """CPU seconds used so far by the pages of this process's browser, workers included."""
    processes = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        ticks = int(fields[11]) + int(fields[12])
        processes[int(folder.name)] = (int(fields[1]), ticks, b"--type=renderer" in command)

    def ours(number):
        while number in processes and number != os.getpid():
            number = processes[number][0]
        return number == os.getpid()

    used = [ticks for n, (_, ticks, page) in processes.items() if page and ours(n)]
    return sum(used) / os.sysconf("SC_CLK_TCK")


def test_it_is_usable_within_a_second(browser, html):
    """From the call to a first step of the game; the best of ten, since others use the machine."""
    times = []
    for _ in range(10):
        page = browser.new_page()
        start = time.monotonic()
        page.goto(f"file://{html}", wait_until="domcontentloaded")
        page.click("#step")
        assert "card play 1 " in page.inner_text("#count")
        times.append(time.monotonic() - start)
        page.close()
        if times[-1] < 1:
            break
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
