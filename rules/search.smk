# The search: one job a chunk in every decomposition, merged, and the decompositions compared.
#
# Needs the engine. Makes results/search/ and results/search_plays/ (a file a chunk),
# results/lengths.parquet and results/plays.parquet (of the first decomposition), the same under
# results/decompositions/ for the others, and the checks that compare them.
from bmn import chunks as bmn_chunks
from bmn.checks import decompositions as bmn_decompositions
from bmn.checks import invariants as bmn_invariants

LENGTHS_CHUNK = "results/search/size={size}/first={first}.parquet"
PLAYS_CHUNK = "results/search_plays/size={size}/first={first}.parquet"
TIMING_CHUNK = "results/timing/search/size={size}/first={first}.json"

FIRST_SIZE, *OTHER_SIZES = CONFIG.chunk_sizes


def chunk_files(pattern, size):
    """Return the files of a decomposition, in the order of their seeds."""
    return bmn_chunks.chunk_paths(pattern, CONFIG.decompositions[int(size)])


# Other rules than the standard ones are played by another kernel.
STANDARD_PLAY = CONFIG.search.rules.standard_play
KERNEL = ENGINE if STANDARD_PLAY else GENERAL
SEARCH_CODE = ["bmn.chunks"] if STANDARD_PLAY else ["bmn.chunks", "bmn.explore.general"]


rule chunk:
    # Play the deals of one chunk of seeds.
    input:
        engine=KERNEL,
    output:
        lengths=LENGTHS_CHUNK,
        plays=PLAYS_CHUNK,
    log:
        TIMING_CHUNK,
    params:
        search=CONFIG.search.how,
        code=code(*SEARCH_CODE),
    run:
        part = CONFIG.search.part(int(wildcards.first), int(wildcards.size))
        with FAULTS.told():
            bmn_chunks.play_chunk(part, output.lengths, output.plays, log[0])
        PROGRESS.advance()


rule merge:
    # Merge the chunks of the first decomposition into the results.
    input:
        lengths=chunk_files(LENGTHS_CHUNK, FIRST_SIZE),
        plays=chunk_files(PLAYS_CHUNK, FIRST_SIZE),
    output:
        lengths=report(
            "results/lengths.parquet",
            caption="../bmn/report/captions/lengths.rst",
            category="Tables",
            labels={"table": "lengths"},
        ),
        plays=report(
            "results/plays.parquet",
            caption="../bmn/report/captions/plays.rst",
            category="Tables",
            labels={"table": "plays"},
        ),
    params:
        size=FIRST_SIZE,
        code=code("bmn.chunks"),
    run:
        with FAULTS.told():
            bmn_chunks.merge_chunks(
                CONFIG.search, params.size, input.lengths, input.plays, *output
            )


use rule merge as merge_other with:
    # Merge the chunks of another decomposition, for comparison.
    input:
        lengths=lambda wildcards: chunk_files(LENGTHS_CHUNK, wildcards.size),
        plays=lambda wildcards: chunk_files(PLAYS_CHUNK, wildcards.size),
    output:
        lengths="results/decompositions/size={size}/lengths.parquet",
        plays="results/decompositions/size={size}/plays.parquet",
    params:
        size=lambda wildcards: int(wildcards.size),
        code=code("bmn.chunks"),


MERGED = {
    FIRST_SIZE: ("results/lengths.parquet", "results/plays.parquet"),
} | {
    size: tuple(
        f"results/decompositions/size={size}/{name}.parquet"
        for name in ("lengths", "plays")
    )
    for size in OTHER_SIZES
}


rule decompositions:
    # Compare the tables of all decompositions.
    input:
        [path for paths in MERGED.values() for path in paths],
    output:
        report(
            "results/checks/decompositions.parquet",
            caption="../bmn/report/captions/check.rst",
            category="Checks",
            labels={"table": "decompositions"},
        ),
    params:
        code=code("bmn.checks.decompositions"),
    run:
        with FAULTS.told():
            table = bmn_decompositions.check(CONFIG.search, MERGED)
            bmn_store.write(output[0], table, CONFIG.search.about)


rule invariants:
    # Check what must hold of every deal, and that the violation counter can count.
    input:
        engine=ENGINE,
        lengths="results/lengths.parquet",
        plays="results/plays.parquet",
    output:
        report(
            "results/checks/invariants.parquet",
            caption="../bmn/report/captions/check.rst",
            category="Checks",
            labels={"table": "invariants"},
        ),
    params:
        code=code("bmn.checks.invariants"),
    run:
        with FAULTS.told():
            table = bmn_invariants.check(CONFIG.search, input.lengths, input.plays)
            bmn_store.write(output[0], table, CONFIG.search.about)
