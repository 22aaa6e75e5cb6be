# Every deal of small decks. `snakemake census` makes it all, `snakemake census_full` the half deck.
#
# Needs the censuses of the decks and the atlas. Makes results/census/: a table of the decks other
# people have counted, the comparison with their counts, and manifests.
from bmn import cards as bmn_cards
from bmn import listing as bmn_listing

COUNTED = [
    bmn_decks.deck_text(bmn_cards.Deck(**counted["deck"]))
    for counted in bmn_decks.counted_decks()
]
HALF_DECK = bmn_decks.deck_text(bmn_cards.HALF)


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
        code=code("bmn.listing"),
    run:
        with FAULTS.told():
            bmn_store.write(
                output[0],
                bmn_listing.listed("results/census", sorted(set(input))),
            )


rule census_half_deck_manifest:
    # List every file of the half deck's census.
    input:
        HALF_DECK_LISTED,
    output:
        f"results/census/deck={HALF_DECK}/manifest.parquet",
    params:
        folder=f"results/census/deck={HALF_DECK}",
        code=code("bmn.listing"),
    run:
        with FAULTS.told():
            bmn_store.write(
                output[0], bmn_listing.listed(params.folder, sorted(set(input)))
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
