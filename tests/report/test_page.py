"""The page as a file: self-contained, small, the same bytes; red without a headline."""

import re
import shutil
import subprocess
import sys

import pytest
from helpers import make_red

from bmn import store
from bmn.errors import InputError
from bmn.report import page
from bmn.report.run import Run

LIMIT = 4_000_000
"""Bytes a page may have."""


def text_of(html):
    """The words of a page, without scripts and tags."""
    visible = re.sub(r"(?s)<(script|style).*?</\1>", " ", html)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", visible))


@pytest.fixture(scope="module")
def source(html):
    return html.read_text(encoding="utf-8")


def test_it_is_small(html):
    assert html.stat().st_size <= LIMIT


def test_the_same_results_give_the_same_bytes(results, html, tmp_path):
    command = [sys.executable, "-m", "bmn.report", "page", str(results), str(tmp_path / "again")]
    subprocess.run(command, check=True)
    assert (tmp_path / "again").read_bytes() == html.read_bytes()


def test_nothing_in_it_is_loaded_from_elsewhere(source):
    markup = re.sub(r"(?s)<script.*?</script>", "", source)
    loaded = re.findall(r"""(?:src|srcset|action)=["']?([^"'> ]+)|url\(([^)]{0,40})""", markup)
    assert all(link.startswith("data:") for pair in loaded for link in pair if link)
    assert "@import" not in markup
    links = re.findall(r'<link[^>]*href="([^"]{0,20})', markup)
    assert links == ["data:image/svg+xml,%"]
    assert "default-src 'none'" in markup


def test_every_file_it_points_to_is_there(source, results):
    pointed = set(re.findall(r'class="file" href="([^"]+)"', source))
    assert {"lengths.parquet", "checks/battery.parquet", "figures/survival.svg"} <= pointed
    for link in pointed:
        assert (results / link).exists(), link


def test_the_timed_twin_points_to_the_same_files(results):
    twin = (results / "timing/report.html").read_text(encoding="utf-8")
    for link in set(re.findall(r'class="file" href="([^"]+)"', twin)):
        assert (results / "timing" / link).exists(), link


def test_only_the_twin_has_seconds(results, source):
    twin = text_of((results / "timing/report.html").read_text(encoding="utf-8"))
    assert "times as fast" in twin and "Speed by implementation" in twin
    assert "times as fast" not in source
    assert not re.search(r"\d (s|ms|min|minutes|hours)\b", text_of(source))


def test_other_timings_change_no_byte(project):
    before = (project.results / "report.html").read_bytes()
    cost = store.read_json(project.results / "timing/cost.json")
    cost["reference"]["cpu_seconds"] *= 2
    store.write_json(project.results / "timing/cost.json", cost)
    page.write(project.results, project.results / "report.html")
    assert (project.results / "report.html").read_bytes() == before


def test_the_headline_tells_the_record(source, results):
    record = Run.read(results).record[0]
    words = text_of(source)
    assert f"The longest of 4,096 deals lasts {record['tricks']} tricks" in words
    assert f"{record['tricks_mann']} tricks and {record['cards_mann']:,} cards" in words
    pairs = [record["seed_hex"][i : i + 2] for i in range(0, 16, 2)]
    assert " ".join(pairs) in words
    assert "This is the mini run" in words and "not the published one" in words


@pytest.mark.parametrize(
    ("name", "told"), [("quick", "This is the quick run"), ("published", "searched and checked")]
)
def test_the_headline_tells_which_run_it_is(project, name, told):
    summary = store.read_json(project.results / "summary.json") | {"name": name}
    store.write_json(project.results / "summary.json", summary)
    words = text_of(page.build(Run.read(project.results)))
    assert told in words
    assert ("it is not the published one" in words) == (name != "published")


@pytest.mark.parametrize("check", ["battery", "plants", "invariants", "expected", "replay"])
def test_one_red_check_leaves_no_headline(project, check):
    if check == "expected":
        # A search nobody has committed has nothing to compare; give it rows.
        table, _ = store.read(project.results / "checks/plants.parquet")
        store.write(project.results / "checks/expected.parquet", table, {})
    make_red(project.results, check)
    record = Run.read(project.results).record[0]
    html = page.build(Run.read(project.results))
    words = text_of(html)
    assert "No headline" in words
    assert "The longest of" not in words and "claimed" not in words
    item = Run.read(project.results).checks[check][0]["item"]
    assert f"{check} : {item}" in words or f"{check}: {item}" in words
    # Nor is the record anywhere else in the file.
    assert record["seed_hex"] not in html and record["deal"] not in html


def test_the_workflow_makes_the_page_of_a_red_run(project):
    battery, about = store.read(project.results / "checks/plants.parquet")
    battery["ok"][0] = False
    store.write(project.results / "checks/plants.parquet", battery, about)
    for path in ("summary.json", "headline.txt", "report.html"):
        (project.results / path).unlink()
    done = project.snakemake("--rerun-triggers", "mtime", check=False)
    assert done.returncode != 0
    assert "No headline" in (project.results / "report.html").read_text(encoding="utf-8")
    assert not (project.results / "headline.txt").exists()


def test_a_run_that_capped_everything_has_a_page(project):
    shutil.rmtree(project.results)
    project.configure(cap=1)
    project.snakemake()
    words = text_of((project.results / "report.html").read_text(encoding="utf-8"))
    assert "None of 4,096 deals was decided within 1 trick" in words
    assert "4,096 deals" in words


def test_a_damaged_result_is_one_sentence(project):
    path = project.results / "lengths.parquet"
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(InputError, match=r"lengths\.parquet"):
        page.build(Run.read(project.results))
    command = [sys.executable, "-m", "bmn.report", "page", str(project.results), "out.html"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and "Traceback" not in done.stderr


def test_data_cannot_end_its_element():
    assert "<" not in str(page._json({"item": "</script><b>"}))
    with pytest.raises(ValueError, match="own element"):
        page._raw("x = '</script>'")
