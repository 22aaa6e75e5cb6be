# Every deal of small decks. `snakemake census` makes it all, `snakemake census_full` the half deck.
#
# Needs the compiled extension and the atlas. Makes results/census/: for each deck its merged
# tables and its row, a table of the decks other people have counted, the comparison, manifests.
from bmn import cards as bmn_cards
from bmn.explore import census as bmn_census
from bmn.explore import decks as bmn_decks

TABLES = bmn_census.Tables._fields
CENSUS_DECK = "results/census/deck={deck}"
COUNTED = [
    bmn_decks.deck_text(bmn_cards.Deck(**counted["deck"]))
    for counted in bmn_decks.counted_decks()
]
HALF_DECK = bmn_decks.deck_text(bmn_cards.HALF)


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


rule census_counted:
    # Put the decks other people have counted into one table, and compare.
    input:
        counts=root("bmn/data/small_decks.json"),
        rows=expand(rules.census_row.output, deck=COUNTED),
    output:
        decks="results/census/decks.parquet",
        compared="results/census/compared.parquet",
    params:
        code=code("bmn.explore.decks"),
    run:
        with FAULTS.told():
            bmn_decks.write_rows(input.rows, output.decks, output.compared)


rule census_half_deck:
    # Compare the census of the half deck with the committed one.
    input:
        row=expand(rules.census_row.output, deck=HALF_DECK),
        expected=root("results/expected/census/half_deck.json"),
    output:
        f"results/census/deck={HALF_DECK}/compared.parquet",
    params:
        code=code("bmn.explore.decks"),
    run:
        with FAULTS.told():
            table = bmn_decks.compare_expected(input.row[0], input.expected)
            bmn_store.write(output[0], table)


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


CENSUS_LISTED = [
    *(path for deck in COUNTED for path in census_files(deck)),
    *rules.census_counted.output,
    *rules.atlas.input,
    *rules.atlas.output,
]
HALF_DECK_LISTED = [*census_files(HALF_DECK), *rules.census_half_deck.output]


rule census_manifest:
    # List every file of the censuses but the largest, with its size and digests.
    input:
        CENSUS_LISTED,
    output:
        "results/census/manifest.parquet",
    params:
        code=code("bmn.manifest"),
    run:
        with FAULTS.told():
            bmn_store.write(
                output[0],
                bmn_manifest.manifest("results/census", sorted(set(input))),
            )


rule census_half_deck_manifest:
    # List every file of the half deck's census.
    input:
        HALF_DECK_LISTED,
    output:
        f"results/census/deck={HALF_DECK}/manifest.parquet",
    params:
        folder=f"results/census/deck={HALF_DECK}",
        code=code("bmn.manifest"),
    run:
        with FAULTS.told():
            bmn_store.write(
                output[0], bmn_manifest.manifest(params.folder, sorted(set(input)))
            )


rule census:
    # All censuses but the largest. Every file is asked for, so that a missing one is made again.
    input:
        CENSUS_LISTED,
        rules.census_manifest.output,


rule census_full:
    # Every deal of the half deck too: 3,936,933,000 deals, some six minutes of a core.
    input:
        rules.census.input,
        HALF_DECK_LISTED,
        rules.census_half_deck_manifest.output,
