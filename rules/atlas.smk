# The atlas: every deck within the bounds of the configuration, counted deal by deal.
#
# Needs the compiled extension. Makes results/census/atlas.parquet and smallest_infinite.parquet.
from bmn.explore import decks as bmn_decks

ATLAS = bmn_decks.atlas_parts(
    CONFIG.atlas_cards, CONFIG.atlas_kind, CONFIG.atlas_deals, CONFIG.atlas_parts
)
ATLAS_PART = "results/census/atlas/part={part}.parquet"


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
