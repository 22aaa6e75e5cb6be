# The longest games. `snakemake long` makes it all.
#
# Needs the longest deals of the search. Makes results/long/: the finds of the two-sided searches,
# the leaderboard, and what was measured of trunks.
from bmn.explore import long as bmn_long

KEYS = [f"{key:03d}" for key in range(1, CONFIG.long_keys + 1)]


rule two_sided:
    # Search for long games forward and backward.
    input:
        engine=ENGINE,
        explore=EXPLORE,
        hunt=HUNT,
    output:
        "results/long/two_sided/key={key}.parquet",
    params:
        deals=CONFIG.long_deals,
        threshold=CONFIG.long_threshold,
        deck=list(CONFIG.search.deck),
        code=code("bmn.explore.long"),
    run:
        search = bmn_long.TwoSided(
            int(wildcards.key), params.deals, params.threshold
        )
        with FAULTS.told():
            bmn_hunting.write_two_sided(search, output[0])


rule leaderboard:
    # Make the longest deals longer, and rank all.
    input:
        engine=ENGINE,
        explore=EXPLORE,
        hunt=HUNT,
        known=root("bmn/data/known_deals.json"),
        record="results/record.parquet",
        two_sided=expand(rules.two_sided.output, key=KEYS),
    output:
        "results/long/leaderboard.parquet",
    params:
        code=code("bmn.explore.hunting"),
    run:
        with FAULTS.told():
            standard_play()
            bmn_hunting.write_leaderboard(input.record, input.two_sided, output[0])


rule trunks:
    # Measure trunks: predecessors, bushes, and the hazard backward.
    input:
        hunt=HUNT,
    output:
        trunks="results/long/trunks.parquet",
        hazards="results/long/hazards_backward.parquet",
    params:
        seeds=CONFIG.trunk_seeds,
        deck=list(CONFIG.search.deck),
        code=code("bmn.explore.hunting"),
    run:
        with FAULTS.told():
            bmn_hunting.write_trunks(params.seeds, CONFIG.search.deck, *output)


rule long:
    # Everything about long games.
    input:
        rules.leaderboard.output,
        rules.trunks.output,
