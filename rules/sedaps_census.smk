# Censuses of small decks and searches for loops, part by part.
#
# Needs the compiled extension of rules/sedaps.smk. Makes the parts under results/sedaps/census/
# and results/sedaps/loops/, and of each run census.parquet, completeness.parquet, loops.parquet.
from bmn.sedaps import census as sedaps_census
from bmn.sedaps import loops as sedaps_loops
from bmn.sedaps import plan as sedaps_plan

CENSUS_PART = "census/kind={kind}/method={method}/cards={cards}/part={part}of{parts}"
LOOPS_PART = "loops/which={which}/cards={cards}/part={part}of{parts}"


wildcard_constraints:
    parts=r"\d+",


def sedaps_parts(pattern, items):
    """Return the files of all parts of some censuses or searches."""
    return [
        f"results/sedaps/{pattern}.parquet".format(part=part, **item._asdict())
        for item in items
        for part in range(item.parts)
    ]


def is_full(wildcards):
    """Return whether the run is the full one."""
    return wildcards.scope == "sedaps_full"


rule sedaps_census_part:
    # Count what becomes of every state of some size patterns.
    input:
        WAR,
    output:
        f"results/sedaps/{CENSUS_PART}.parquet",
    benchmark:
        f"results/timing/sedaps/{CENSUS_PART}.tsv"
    params:
        code=code("bmn.sedaps.census"),
    run:
        with FAULTS.told():
            sedaps_census.write_part(
                wildcards.kind,
                int(wildcards.cards),
                wildcards.method,
                int(wildcards.part),
                int(wildcards.parts),
                output[0],
            )


rule sedaps_loops_part:
    # Search some size patterns for loops of three live queues alone.
    input:
        WAR,
    output:
        f"results/sedaps/{LOOPS_PART}.parquet",
    benchmark:
        f"results/timing/sedaps/{LOOPS_PART}.tsv"
    params:
        code=code("bmn.sedaps.loops"),
    run:
        with FAULTS.told():
            sedaps_loops.write_part(
                int(wildcards.cards),
                wildcards.which == "synchronised",
                int(wildcards.part),
                int(wildcards.parts),
                output[0],
            )


rule sedaps_census:
    # Merge all censuses and check that each counted every state.
    input:
        lambda wildcards: sedaps_parts(
            CENSUS_PART, sedaps_plan.censuses(is_full(wildcards))
        ),
    output:
        f"{SCOPED}/census.parquet",
        f"{SCOPED}/completeness.parquet",
    params:
        code=code("bmn.sedaps.census"),
    run:
        with FAULTS.told():
            sedaps_census.merge(input, *output)


rule sedaps_loops:
    # Merge all searches for loops.
    input:
        lambda wildcards: sedaps_parts(
            LOOPS_PART, sedaps_plan.loop_searches(is_full(wildcards))
        ),
    output:
        f"{SCOPED}/loops.parquet",
    params:
        code=code("bmn.sedaps.loops"),
    run:
        with FAULTS.told():
            sedaps_loops.merge(input, *output)
