# What people look at: the page, its timed twin, and the pictures as files.
#
# Needs the results of a run. Makes results/report.html and results/figures/, the same bytes for the
# same results, and their twins with what was measured in seconds, results/timing/report.html and
# results/timing/figures/. The page is made before the headline, so that a red run has one too.
import mimetypes

import bmn
from bmn.report import run as bmn_report_run

# So that `snakemake --report` offers tables for download instead of showing them as text.
mimetypes.add_type("application/vnd.apache.parquet", ".parquet")

WEB = sorted(str(path) for path in Path(root("bmn/report/web")).glob("*"))

REPORT_CODE = f"{code('bmn.report.__main__')} of {bmn.__version__}"

# Climbs, long games, cycles, censuses: shown if they are there, but not made for the page.
BESIDE = bmn_report_run.beside("results")

CAPTIONS = "../bmn/report/captions"

SHOWN = {
    "summary": "results/summary.json",
    "lengths": "results/lengths.parquet",
    "record": "results/record.parquet",
    "chunks": FIRST_TREE.paths(FIRST_TREE.first_chunks, "lengths"),
    "groups": top_files(FIRST_TREE, "lengths") if FIRST_TREE.height else [],
    "capped": rules.capped.output[0],
    "published": rules.published.output,
    "statistics": rules.statistics.output[0],
}


# Seconds each, so a cluster is not asked for them.
localrules:
    report,
    pictures,
    timed_report,
    timed_pictures,


rule report:
    # Put everything a run found into one page that needs nothing else.
    input:
        **SHOWN,
        known=root("bmn/data/known_deals.json"),
        web=WEB,
    output:
        page=report(
            "results/report.html",
            caption=f"{CAPTIONS}/page.rst",
            category="Page",
        ),
        sums="results/report.sha256",
    priority: 30
    params:
        beside=BESIDE,
        code=REPORT_CODE,
    run:
        FAULTS.python("bmn.report", "page", "results", *output)


rule pictures:
    # Draw every picture as SVG and PNG, for slides.
    input:
        **SHOWN,
    output:
        pictures=report(
            directory("results/figures"),
            patterns=["{name}.svg"],
            caption=f"{CAPTIONS}/pictures.rst",
            category="Pictures",
            labels={"picture": "{name}"},
        ),
        sums="results/figures.sha256",
    params:
        beside=BESIDE,
        code=REPORT_CODE,
    run:
        FAULTS.python("bmn.report", "pictures", "results", *output)


rule timed_report:
    # Make the twin of the page that tells what the run cost.
    input:
        **SHOWN,
        known=root("bmn/data/known_deals.json"),
        web=WEB,
        cost="results/timing/cost.json",
    output:
        "results/timing/report.html",
    params:
        beside=BESIDE,
        code=REPORT_CODE,
    run:
        FAULTS.python("bmn.report", "timed-page", "results", output[0])


rule timed_pictures:
    # Draw the speed of what was timed.
    input:
        **SHOWN,
        cost="results/timing/cost.json",
    output:
        directory("results/timing/figures"),
    params:
        beside=BESIDE,
        code=REPORT_CODE,
    run:
        FAULTS.python("bmn.report", "timed-pictures", "results", output[0])
