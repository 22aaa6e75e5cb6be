# The atlas: every deck within the bounds of the configuration, counted deal by deal.
#
# Needs the compiled extension. Makes results/census/atlas.parquet and smallest_infinite.parquet.
from functools import cache

ATLAS_PARTS = [
    f"results/census/atlas/part={part:03d}.parquet"
    for part in range(CONFIG.atlas_parts)
]


@cache
def atlas_decks():
    """Return the decks of every part: only when they are asked for, since they are many."""
    return bmn_decks.atlas_parts(
        CONFIG.atlas_cards, CONFIG.atlas_kind, CONFIG.atlas_deals, CONFIG.atlas_parts
    )


rule atlas_part:
    # Count every deal of some of the decks of the atlas.
    input:
        EXPLORE,
    output:
        "results/census/atlas/part={part}.parquet",
    params:
        decks=lambda wildcards: [
            bmn_decks.deck_text(deck) for deck in atlas_decks()[int(wildcards.part)]
        ],
        code=code("bmn.explore.decks"),
    run:
        with FAULTS.told():
            bmn_decks.write_atlas_part(
                atlas_decks()[int(wildcards.part)], output[0]
            )


rule atlas:
    # Merge the atlas, and say where infinite deals begin.
    input:
        ATLAS_PARTS,
    output:
        atlas="results/census/atlas.parquet",
        smallest="results/census/smallest_infinite.parquet",
    params:
        code=code("bmn.explore.decks"),
    run:
        with FAULTS.told():
            bmn_decks.merge_atlas(
                atlas_decks(), input, output.atlas, output.smallest
            )
