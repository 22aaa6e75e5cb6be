"""A browser for the page's tests, and runs to show in it.

The browser is Debian's chromium (``apt-get install chromium``), found on the path or named by
``BMN_CHROMIUM``; without it these tests are skipped and say so.
"""

import os
import shutil

import pytest
from helpers import make_red

from bmn.report import page as report_page

CHROMIUM = os.environ.get("BMN_CHROMIUM") or shutil.which("chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
]
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="session")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("no chromium: apt-get install chromium, or set BMN_CHROMIUM to one")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser):
    """A function that opens a file; at the end nothing may have gone wrong or out."""
    faults, contexts = [], []

    def open_(path, size="desktop", fragment="", **options):
        width, height = SIZES[size]
        options = {"has_touch": size == "phone", "reduced_motion": "reduce"} | options
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else 0)
        page.on("pageerror", lambda error: faults.append(str(error)))
        allowed = (f"file://{path}", "data:", "blob:")
        page.on("request", lambda r: None if r.url.startswith(allowed) else faults.append(r.url))
        page.goto(f"file://{path}{fragment}")
        return page

    yield open_
    for context in contexts:
        context.close()
    assert faults == []


@pytest.fixture(scope="session")
def results(finished):
    """The results of a finished small run."""
    return finished.results


@pytest.fixture(scope="session")
def html(results):
    """The page of that run."""
    return results / "report.html"


@pytest.fixture(params=list(SIZES))
def page(request, open_page, html):
    """The page of a small run, on a desktop and on a phone."""
    return open_page(html, request.param)


@pytest.fixture
def red_html(results, tmp_path):
    """The page of a run with one red row in its battery."""
    folder = tmp_path / "results"
    shutil.copytree(results, folder)
    make_red(folder, "battery", 2)
    report_page.write(folder, folder / "report.html")
    return folder / "report.html"
