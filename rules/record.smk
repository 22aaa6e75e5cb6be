# The longest deals, replayed by the reference.
#
# Needs the merged length table and the chunks. Makes results/record.parquet and
# results/checks/replay.parquet.
from bmn import record as bmn_record


rule record:
    # Find the longest deals and replay them, and the published record deals, move by move.
    input:
        engine=KERNEL,
        known=root("bmn/data/known_deals.json"),
        lengths="results/lengths.parquet",
        chunks=chunk_files(LENGTHS_CHUNK, FIRST_SIZE),
    output:
        record="results/record.parquet",
        replay="results/checks/replay.parquet",
    params:
        longest=CONFIG.longest,
        code=code("bmn.record"),
    run:
        with FAULTS.told():
            bmn_record.write_record(
                CONFIG.search,
                FIRST_SIZE,
                params.longest,
                input.lengths,
                input.chunks,
                *output,
            )
