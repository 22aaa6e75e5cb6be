# Looking versus searching. `snakemake climb` makes it all.
#
# Needs the longest deal and the length table of the search. Makes results/climb/: the traces of
# the climbs and of plain sampling, the comparison of methods, and the law of game lengths.
from bmn.explore import climb as bmn_climb
from bmn.explore import hunting as bmn_hunting

CHAINS = [f"{chain:02d}" for chain in range(1, CONFIG.climb_chains + 1)]
CLIMBS = {"first26": False, "anywhere": True}
METHODS = list(bmn_hunting.METHODS)


wildcard_constraints:
    swaps="|".join(CLIMBS),


def standard_play():
    """Make sure that what is climbed from was found under the rules that are climbed by."""
    if not STANDARD_PLAY:
        raise InputError(
            "climbs and long games are looked for under the standard rules only; "
            "choose these in the configuration"
        )


rule climb_chain:
    # Climb from the longest deal found.
    input:
        engine=ENGINE,
        hunt=HUNT,
        record="results/record.parquet",
    output:
        "results/climb/{swaps}/chain={chain}.parquet",
    params:
        deals=CONFIG.climb_deals,
        code=code("bmn.explore.hunting"),
    run:
        anywhere = CLIMBS[wildcards.swaps]
        how = bmn_climb.Climb(
            int(wildcards.chain), params.deals, anywhere, anywhere
        )
        with FAULTS.told():
            standard_play()
            bmn_hunting.write_climb(input.record, how, output[0])


rule climb_sample:
    # Look at as many random deals as a climb examines.
    input:
        engine=ENGINE,
        hunt=HUNT,
    output:
        "results/climb/sampling/chain={chain}.parquet",
    params:
        deals=CONFIG.climb_deals,
        deck=list(CONFIG.search.deck),
        code=code("bmn.explore.hunting"),
    run:
        with FAULTS.told():
            bmn_hunting.write_sample(
                int(wildcards.chain), params.deals, CONFIG.search.deck, output[0]
            )


rule climb_method:
    # Run one method several times.
    input:
        engine=ENGINE,
        hunt=HUNT,
    output:
        "results/climb/methods/{number}.parquet",
    params:
        restarts=CONFIG.method_restarts,
        deals=CONFIG.method_deals,
        deck=list(CONFIG.search.deck),
        code=code("bmn.explore.hunting"),
    run:
        method = METHODS[int(wildcards.number)]
        with FAULTS.told():
            bmn_hunting.write_method(
                method,
                params.restarts,
                params.deals,
                CONFIG.search.deck,
                output[0],
            )


rule climb_comparison:
    # Compare the methods, and fit the law.
    input:
        methods=expand(rules.climb_method.output, number=range(len(METHODS))),
        lengths="results/lengths.parquet",
    output:
        comparison="results/climb/comparison.parquet",
        law="results/climb/law.parquet",
    params:
        code=code("bmn.explore.hunting"),
    run:
        with FAULTS.told():
            standard_play()
            bmn_hunting.write_comparison(input.methods, input.lengths, *output)


rule climb:
    # Everything about climbing.
    input:
        expand(rules.climb_chain.output, swaps=CLIMBS, chain=CHAINS),
        expand(rules.climb_sample.output, chain=CHAINS),
        rules.climb_comparison.output,
