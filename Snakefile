# The whole experiment: `snakemake --cores all`. Each stage is a file in rules/.
from snakemake.utils import min_version

min_version("9.20")


configfile: f"{workflow.basedir}/config/config.yaml"


include: "rules/common.smk"
include: "rules/engine.smk"
include: "rules/checks.smk"
include: "rules/search.smk"
include: "rules/merge.smk"
include: "rules/record.smk"
include: "rules/cycles.smk"
include: "rules/published.smk"
include: "rules/summary.smk"
include: "rules/report.smk"
include: "rules/decks.smk"
include: "rules/atlas.smk"
include: "rules/census.smk"
include: "rules/climb.smk"
include: "rules/long.smk"
include: "rules/pieces.smk"
include: "rules/sedaps.smk"


localrules:
    all,


rule all:
    default_target: True
    input:
        # Every file is asked for by name, so that a missing one is made again.
        chunks_and_groups,
        LISTED,
        "results/manifest.parquet",
        "results/timing/cost.json",
        "results/timing/report.html",
        "results/timing/figures",
