# The census of one deck: every deal once, in chunks of ranks, merged and summed up.
#
# Needs the compiled extension. Makes results/census/deck=.../: chunks, merged tables, row.
from bmn.explore import census as bmn_census
from bmn.explore import decks as bmn_decks

TABLES = bmn_census.Tables._fields
CENSUS_DECK = "results/census/deck={deck}"


wildcard_constraints:
    deck=r"\d+(-\d+){4}",


def census_chunks(table):
    """Return an input function: the chunks of a deck, in the order of their ranks."""

    def paths(wildcards):
        whole = bmn_census.Census.of(bmn_decks.deck_named(wildcards.deck))
        return [
            f"results/census/deck={wildcards.deck}/{table}/first={part.first_rank:015d}.parquet"
            for part in whole.split(CONFIG.census_chunk)
        ]

    return paths


rule census_chunk:
    # Play the deals of one chunk of ranks.
    input:
        EXPLORE,
    output:
        [CENSUS_DECK + f"/{table}/first={{first}}.parquet" for table in TABLES],
    params:
        chunk=CONFIG.census_chunk,
        code=code("bmn.explore.census"),
    run:
        with FAULTS.told():
            deck = bmn_decks.deck_named(wildcards.deck)
            part = bmn_census.Census.of(deck).part(
                int(wildcards.first), params.chunk
            )
            bmn_census.play_chunk(part, output)


rule census_merge:
    # Merge the chunks of a deck.
    input:
        **{table: census_chunks(table) for table in TABLES},
    output:
        [CENSUS_DECK + f"/{table}.parquet" for table in TABLES],
    params:
        chunk=CONFIG.census_chunk,
        code=code("bmn.explore.census"),
    run:
        with FAULTS.told():
            bmn_census.merge_chunks(
                bmn_census.Census.of(bmn_decks.deck_named(wildcards.deck)),
                params.chunk,
                [input[table] for table in TABLES],
                output,
            )


rule census_row:
    # Sum up the census of a deck.
    input:
        rules.census_merge.output,
    output:
        CENSUS_DECK + "/row.parquet",
    params:
        code=code("bmn.explore.decks"),
    run:
        with FAULTS.told():
            bmn_decks.write_row(
                bmn_decks.deck_named(wildcards.deck), input, output[0]
            )


def census_files(deck):
    """Return every file of a deck's census."""
    whole = bmn_census.Census.of(bmn_decks.deck_named(deck))
    names = [f"{table}.parquet" for table in TABLES] + ["row.parquet"]
    names += [
        f"{table}/first={part.first_rank:015d}.parquet"
        for table in TABLES
        for part in whole.split(CONFIG.census_chunk)
    ]
    return [f"results/census/deck={deck}/{name}" for name in names]
