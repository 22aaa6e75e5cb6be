# What other people published, measured again. `snakemake published` makes it all.
#
# Needs the compiled extensions and the merged tables of the search. Makes
# results/published/{records,claims,cycles,statistics}.parquet.
from bmn import statistics as bmn_statistics

PUBLISHED_DATA = root("bmn/data/published.json")


rule published:
    # Play every known deal with both implementations, and measure every claim and cycle.
    input:
        engine=ENGINE,
        explore=EXPLORE,
        general=GENERAL,
        known=root("bmn/data/known_deals.json"),
        published=PUBLISHED_DATA,
    output:
        records="results/published/records.parquet",
        claims="results/published/claims.parquet",
        cycles="results/published/cycles.parquet",
    priority: 20
    params:
        code=code("bmn.published"),
    run:
        FAULTS.python("bmn.published", *output)


# Seconds, so a cluster is not asked for it.
localrules:
    statistics,


rule statistics:
    # Compare published statistics of random deals with those of the search.
    input:
        published=PUBLISHED_DATA,
        lengths="results/lengths.parquet",
        plays="results/plays.parquet",
    output:
        "results/published/statistics.parquet",
    params:
        code=code("bmn.statistics"),
    run:
        with FAULTS.told():
            lengths, plays = (
                bmn_chunks.read_table(CONFIG.search, path)[0]
                for path in (input.lengths, input.plays)
            )
            table = bmn_statistics.statistics(CONFIG.search, lengths, plays)
            bmn_store.write(output[0], table, CONFIG.search.about)
