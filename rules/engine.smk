# The compiled engine, and the proof that its sources alone decide its bytes.
#
# Needs the Cython sources. Makes bmn/_engine*.so and results/checks/binary.parquet.
from bmn import build as bmn_build

ENGINE = root(bmn_build.ENGINE)
ENGINE_SOURCES = [root(path) for path in bmn_build.engine_sources()]


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


rule binary:
    # Rebuild the engine in two folders and compare the bytes with the one in use.
    input:
        engine=ENGINE,
        sources=ENGINE_SOURCES,
    output:
        "results/checks/binary.parquet",
    priority: 10
    params:
        code=code("bmn.checks.binary"),
    run:
        FAULTS.python("bmn.checks", "binary", output[0])
