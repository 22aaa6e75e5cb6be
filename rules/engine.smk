# The compiled extensions, and the proof that the engine's sources alone decide its bytes.
#
# Needs the Cython sources. Makes bmn/_engine*.so, bmn/explore/_{explore,general,hunt,pieces}*.so,
# and results/checks/binary.parquet.
from bmn import build as bmn_build

ENGINE = root(bmn_build.ENGINE)
ENGINE_SOURCES = [root(path) for path in bmn_build.engine_sources()]


# Built once, beside Snakemake, also where the jobs run on a cluster: they all load these files.
localrules:
    engine,
    general,
    explore,
    hunt,
    pieces,


rule engine:
    # Compile the engine. Nothing has loaded it yet: chunks import it when they first run.
    input:
        ENGINE_SOURCES,
    output:
        ENGINE,
    priority: 100
    run:
        with FAULTS.told():
            bmn_build.build_engine(output[0])


GENERAL = root(bmn_build.GENERAL)
EXPLORE = root(bmn_build.EXPLORE)


rule general:
    # Compile the kernel for other rules than the standard ones.
    input:
        [root(path) for path in bmn_build.engine_sources(binary=bmn_build.GENERAL)],
    output:
        GENERAL,
    priority: 100
    run:
        with FAULTS.told():
            bmn_build.build_engine(output[0], bmn_build.GENERAL)


rule explore:
    # Compile cycle detection, backward play and censuses.
    input:
        [root(path) for path in bmn_build.engine_sources(binary=bmn_build.EXPLORE)],
    output:
        EXPLORE,
    priority: 100
    run:
        with FAULTS.told():
            bmn_build.build_engine(output[0], bmn_build.EXPLORE)


HUNT = root(bmn_build.HUNT)
PIECES = root(bmn_build.PIECES)


rule hunt:
    # Compile the walks along trunks.
    input:
        [root(path) for path in bmn_build.engine_sources(binary=bmn_build.HUNT)],
    output:
        HUNT,
    priority: 100
    run:
        with FAULTS.told():
            bmn_build.build_engine(output[0], bmn_build.HUNT)


rule pieces:
    # Compile the search for pieces.
    input:
        [root(path) for path in bmn_build.engine_sources(binary=bmn_build.PIECES)],
    output:
        PIECES,
    priority: 100
    run:
        with FAULTS.told():
            bmn_build.build_engine(output[0], bmn_build.PIECES)


rule binary:
    # Rebuild the engine in two folders and compare the bytes with the one in use.
    input:
        engine=ENGINE,
        sources=ENGINE_SOURCES,
    output:
        report(
            "results/checks/binary.parquet",
            caption="../bmn/report/captions/check.rst",
            category="Checks",
            labels={"table": "binary"},
        ),
    priority: 10
    params:
        code=code("bmn.checks.binary"),
    run:
        FAULTS.python("bmn.checks", "binary", output[0])
