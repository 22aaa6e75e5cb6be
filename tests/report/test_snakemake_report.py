"""Snakemake's own report: everything marked is in it, with its caption."""

import pytest

pytestmark = pytest.mark.workflow


def test_it_is_made_and_complete(project):
    project.snakemake("--report", "report.html")
    html = (project.folder / "report.html").read_text(encoding="utf-8")
    checks = ("battery", "control", "plants", "invariants", "decompositions", "replay", "binary")
    for name in (*checks, "expected"):
        assert f"results/checks/{name}.parquet" in html
    for name in ("lengths.parquet", "plays.parquet", "record.parquet", "summary.json"):
        assert f"results/{name}" in html
    for name in ("survival", "lengths_log2", "jointly", "best_so_far"):
        assert f"results/figures/{name}.svg" in html
    for caption in (
        "one row for every number of tricks",
        "The longest deals of the search",
        "a row for everything it looked at",
        "the exponential fit of its tail",
        "The whole run on one page",
    ):
        assert caption in html
