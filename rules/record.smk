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
        chunks=top_files(FIRST_TREE, "lengths"),
    output:
        record=report(
            "results/record.parquet",
            caption="../bmn/report/captions/record.rst",
            category="Tables",
            labels={"table": "record"},
        ),
        replay=report(
            "results/checks/replay.parquet",
            caption="../bmn/report/captions/check.rst",
            category="Checks",
            labels={"table": "replay"},
        ),
    threads: CONFIG.threads
    resources:
        mem_mb=bmn_cluster.chunk_mem_mb(CONFIG.threads),
        # A chunk that holds several of them is searched again, by halves.
        runtime=lambda wildcards, attempt: minutes(2 * FIRST_SIZE, attempt),
    params:
        longest=CONFIG.longest,
        code=code("bmn.record"),
    run:
        with FAULTS.told():
            bmn_record.write_record(
                FIRST_TREE, params.longest, input.lengths, *output, threads
            )
