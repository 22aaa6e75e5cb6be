# What a run says in the end: expected or not, the summary, the headline, the manifest, the cost.
#
# Needs everything before it. Makes results/checks/expected.parquet, results/summary.json,
# results/headline.txt (only if every check is green), results/manifest.parquet and
# results/timing/cost.json.
from bmn import cost as bmn_cost
from bmn.checks import expected as bmn_expected

EXPECTED = sorted(str(path) for path in Path(root("results/expected")).glob("*.json"))

CHECKS = {
    name: f"results/checks/{name}.parquet"
    for name in (
        "battery",
        "control",
        "plants",
        "invariants",
        "decompositions",
        "replay",
        "binary",
    )
}


# Seconds each, so a cluster is not asked for them.
localrules:
    expected,
    summary,
    headline,
    manifest,


rule expected:
    # Compare the results with the committed digests of the same search, if there are any.
    input:
        results=[f"results/{path}" for path in bmn_expected.COMPARED.values()],
        expected=EXPECTED,
    output:
        report(
            "results/checks/expected.parquet",
            caption="../bmn/report/captions/check.rst",
            category="Checks",
            labels={"table": "expected"},
        ),
    params:
        code=code("bmn.checks.expected"),
    run:
        with FAULTS.told():
            table = bmn_expected.check(CONFIG.identity, "results", input.expected)
            bmn_store.write(output[0], table, CONFIG.search.about)


rule summary:
    # Gather totals, quantiles, the record and every check.
    input:
        **CHECKS,
        expected=rules.expected.output[0],
        lengths="results/lengths.parquet",
        plays="results/plays.parquet",
        record="results/record.parquet",
    output:
        report(
            "results/summary.json",
            caption="../bmn/report/captions/summary.rst",
            category="Tables",
            labels={"table": "summary"},
        ),
    params:
        name=CONFIG.name,
        code=code("bmn.summary"),
    run:
        with FAULTS.told():
            summary = bmn_summary.summarise(
                "results", CONFIG.name, CONFIG.identity, CONFIG.chunk_sizes
            )
            bmn_store.write_json(output[0], summary)


rule headline:
    # Write the headline, or fail and say which checks are red.
    input:
        "results/summary.json",
        # Asked for, so that one that was deleted is compiled again.
        engine=ENGINE,
    output:
        "results/headline.txt",
    params:
        code=code("bmn.summary"),
    run:
        with FAULTS.told():
            text = bmn_summary.headline_text(bmn_summary.read("results"))
            with bmn_store.replacing(output[0]) as temporary:
                temporary.write_text(text, encoding="utf-8")


LISTED = [
    *(path for paths in MERGED.values() for path in paths),
    *CHECKS.values(),
    *rules.expected.output,
    *rules.record.output,
    *rules.capped.output,
    *rules.published.output,
    *rules.statistics.output,
    *rules.summary.output,
    *rules.headline.output,
    "results/report.html",
    "results/report.sha256",
    "results/figures",
    "results/figures.sha256",
]


def chunks_and_groups(wildcards):
    """Return the tables of every chunk and group of every decomposition."""
    return [
        path
        for tree in TREES.values()
        for kind in ("lengths", "plays")
        for path in tree.paths([*tree.level(0), *tree.groups], kind)
    ]


def listed_files(wildcards):
    """Return what the manifest lists itself: not the chunks that their groups list."""
    few = [tree for tree in TREES.values() if not tree.height]
    chunks = (top_files(tree, kind) for tree in few for kind in ("lengths", "plays"))
    return sorted({*LISTED, *(path for paths in chunks for path in paths)})


rule manifest:
    # List every file the run wrote, with its size and digests.
    input:
        files=listed_files,
        lists=lambda wildcards: [
            path
            for tree in TREES.values()
            if tree.height
            for path in top_files(tree, "files")
        ],
    output:
        "results/manifest.parquet",
    params:
        code=code("bmn.manifest"),
    run:
        with FAULTS.told():
            listed = bmn_manifest.manifest("results", input.files, input.lists)
            bmn_store.write(output[0], listed)


rule cost:
    # Add up what the chunks measured, and time the reference on a slice.
    input:
        lengths="results/lengths.parquet",
        others=[paths[0] for paths in MERGED.values()],
    output:
        "results/timing/cost.json",
    params:
        deals=CONFIG.cost_deals,
        code=code("bmn.cost"),
    run:
        with FAULTS.told():
            cost = bmn_cost.measure(
                list(TREES.values()), input.lengths, params.deals
            )
            bmn_store.write_json(output[0], cost)
