# Every deal of small decks. `snakemake census` makes it all, `snakemake census_full` the half deck.
#
# Needs the compiled extension. Makes results/census/: for each deck its merged tables and its
# row, a table of the decks other people have counted and the comparison, the atlas of all decks
# within the bounds of the configuration, and where infinite deals begin.
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
ATLAS = bmn_decks.atlas_parts(
    CONFIG.atlas_cards, CONFIG.atlas_kind, CONFIG.atlas_deals, CONFIG.atlas_parts
)
ATLAS_PART = "results/census/atlas/part={part}.parquet"


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


rule atlas_part:
    # Count every deal of some of the decks of the atlas.
    input:
        EXPLORE,
    output:
        ATLAS_PART,
    params:
        decks=lambda wildcards: [
            bmn_decks.deck_text(deck) for deck in ATLAS[int(wildcards.part)]
        ],
        code=code("bmn.explore.decks"),
    run:
        with FAULTS.told():
            bmn_decks.write_atlas_part(ATLAS[int(wildcards.part)], output[0])


rule atlas:
    # Merge the atlas, and say where infinite deals begin.
    input:
        [ATLAS_PART.format(part=f"{part:03d}") for part in range(len(ATLAS))],
    output:
        atlas="results/census/atlas.parquet",
        smallest="results/census/smallest_infinite.parquet",
    params:
        code=code("bmn.explore.decks"),
    run:
        with FAULTS.told():
            bmn_decks.merge_atlas(ATLAS, input, output.atlas, output.smallest)


rule census_half_deck:
    # Compare the census of the half deck with the committed one.
    input:
        row=expand(rules.census_row.output, deck=HALF_DECK),
        expected=root("results/expected/census/half_deck.json"),
    output:
        "results/census/half_deck_compared.parquet",
    params:
        code=code("bmn.explore.decks"),
    run:
        with FAULTS.told():
            table = bmn_decks.compare_expected(input.row[0], input.expected)
            bmn_store.write(output[0], table)


rule census:
    # All censuses but the largest.
    input:
        rules.census_counted.output,
        rules.atlas.output,


rule census_full:
    # Every deal of the half deck too: 3,936,933,000 deals, some six minutes of a core.
    input:
        rules.census.input,
        rules.census_half_deck.output,
