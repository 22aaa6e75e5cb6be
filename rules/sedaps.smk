# The three-queue War: `snakemake sedaps` recomputes every claim, `snakemake sedaps_full` goes on.
#
# Needs nothing of the search. Makes results/sedaps/ and, for the full run, results/sedaps_full/,
# which shares the parts and facts of the first; seconds are in results/timing/sedaps/.
WAR = root(bmn_build.WAR)
SEDAPS_DATA = [
    root(f"bmn/sedaps/data/{name}.json") for name in ("certificates", "explore_table")
]
SCOPED = "results/{scope}"

# What the steps in plain Python write, beside their facts.
SEDAPS_STEPS = {
    "replays": [],
    "small": [],
    "runs": ["runs"],
    "pasts": ["scan", "histories"],
    "period_facts": ["shapes", "heads"],
}


wildcard_constraints:
    scope="sedaps|sedaps_full",


# Built once, beside Snakemake, as the engine is.
localrules:
    war,


rule war:
    # Compile the three-queue War.
    input:
        [root(path) for path in bmn_build.engine_sources(binary=bmn_build.WAR)],
    output:
        WAR,
    priority: 100
    run:
        with FAULTS.told():
            bmn_build.build_engine(output[0], bmn_build.WAR)


include: "sedaps_census.smk"


for step, tables in SEDAPS_STEPS.items():

    rule:
        # Run one step: replays, six-card states, seeded games, searches from pasts, periods.
        name:
            f"sedaps_{step}"
        input:
            WAR,
            SEDAPS_DATA,
        output:
            *(f"results/sedaps/{table}.parquet" for table in tables),
            f"results/sedaps/facts/{step}.parquet",
        benchmark:
            f"results/timing/sedaps/{step}.tsv"
        priority: 50
        params:
            step=step,
            code=code(f"bmn.sedaps.{step}"),
        run:
            FAULTS.python("bmn.sedaps", params.step, *output)


rule sedaps_census_facts:
    # Work out the claims on censuses and loops.
    input:
        rules.sedaps_census.output[0],
        rules.sedaps_loops.output,
        "results/sedaps/shapes.parquet",
    output:
        f"{SCOPED}/facts/census_facts.parquet",
    params:
        code=code("bmn.sedaps.census_facts"),
    run:
        FAULTS.python("bmn.sedaps", "census_facts", *input, *output)


rule sedaps_ledger:
    # Put every claim beside what was computed.
    input:
        claims=root("bmn/sedaps/data/claims.json"),
        completeness=rules.sedaps_census.output[1],
        facts=[
            *(f"results/sedaps/facts/{step}.parquet" for step in SEDAPS_STEPS),
            *rules.sedaps_census_facts.output,
        ],
    output:
        f"{SCOPED}/ledger.parquet",
    params:
        code=code("bmn.sedaps.ledger"),
    run:
        FAULTS.python("bmn.sedaps", "ledger", *output, *input[1:])


rule sedaps_page:
    # Write the page.
    input:
        rules.sedaps_ledger.output,
        rules.sedaps_census.output[1],
        "results/sedaps/shapes.parquet",
        root("bmn/sedaps/page.html"),
    output:
        f"{SCOPED}/ledger.html",
    params:
        code=code("bmn.sedaps.page"),
    run:
        FAULTS.python("bmn.sedaps", "page", *input, *output)


rule sedaps:
    # Everything that fits in a few minutes.
    input:
        rules.sedaps_page.output[0].format(scope="sedaps"),


rule sedaps_full:
    # Everything.
    input:
        rules.sedaps_page.output[0].format(scope="sedaps_full"),
