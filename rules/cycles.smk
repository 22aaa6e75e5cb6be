# What becomes of the deals a search gave up: their games end late, cycle, or stay undecided.
#
# Needs the chunks of the first decomposition. Makes results/capped.parquet.
from bmn.explore import capped as bmn_capped


rule capped:
    # Find the capped seeds again and classify them by cycle detection.
    input:
        engine=KERNEL,
        explore=EXPLORE,
        general=GENERAL,
        chunks=top_files(FIRST_TREE, "lengths"),
    output:
        "results/capped.parquet",
    resources:
        # Chunks with capped deals are searched again.
        runtime=lambda wildcards, attempt: minutes(
            2 * FIRST_SIZE * CONFIG.threads, attempt
        ),
    params:
        budget=CONFIG.budget,
        code=code("bmn.explore.capped", *SEARCH_CODE),
    run:
        with FAULTS.told():
            bmn_capped.write_capped(FIRST_TREE, params.budget, output[0])
