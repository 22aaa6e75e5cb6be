# The search: one job a chunk in every decomposition.
#
# Needs the engine. Makes results/search/ and results/search_plays/, a file a chunk.
from bmn import chunks as bmn_chunks
from bmn import cluster as bmn_cluster

LENGTHS_CHUNK = "results/search/size={size}/first={first}.parquet"
PLAYS_CHUNK = "results/search_plays/size={size}/first={first}.parquet"
TIMING_CHUNK = "results/timing/search/size={size}/first={first}.json"

TREES = CONFIG.trees
FIRST_SIZE, *OTHER_SIZES = TREES
FIRST_TREE = TREES[FIRST_SIZE]


def top_files(tree, kind):
    """Return the files of a kind that are merged into the results, in the order of their seeds."""
    return tree.paths(tree.top, kind)


# Other rules than the standard ones are played by another kernel.
STANDARD_PLAY = CONFIG.search.rules.standard_play
KERNEL = ENGINE if STANDARD_PLAY else GENERAL
SEARCH_CODE = ["bmn.chunks"] if STANDARD_PLAY else ["bmn.chunks", "bmn.explore.general"]


def minutes(deals, attempt):
    """Return the minutes to ask a cluster for, to play so many deals on the threads of a chunk."""
    rate = CONFIG.deals_per_second * CONFIG.threads
    return bmn_cluster.minutes(deals, rate, attempt)


rule chunk:
    # Play the deals of one chunk of seeds.
    input:
        engine=KERNEL,
    output:
        lengths=LENGTHS_CHUNK,
        plays=PLAYS_CHUNK,
    log:
        TIMING_CHUNK,
    threads: CONFIG.threads
    resources:
        mem_mb=bmn_cluster.chunk_mem_mb(CONFIG.threads),
        runtime=lambda wildcards, attempt: minutes(int(wildcards.size), attempt),
    params:
        search=CONFIG.search.how,
        code=code(*SEARCH_CODE),
    run:
        part = CONFIG.search.part(int(wildcards.first), int(wildcards.size))
        with FAULTS.told():
            bmn_chunks.play_chunk(
                part, output.lengths, output.plays, log[0], threads
            )
        PROGRESS.advance()
