# The chunks merged, and the decompositions compared.
#
# Needs the chunks. Makes results/lengths.parquet and results/plays.parquet (of the first
# decomposition), the same under results/decompositions/ for the others, and the checks that compare
# them. More than 256 chunks are merged in groups first, results/groups/, so that no job reads more
# than about 500 files.
from bmn import groups as bmn_groups
from bmn import tree as bmn_tree
from bmn.checks import decompositions as bmn_decompositions
from bmn.checks import invariants as bmn_invariants

GROUP = "results/{table}/size={{size}}/level={{level}}/first={{first}}.{end}"


def group_of(wildcards):
    """Return a tree and the node in it that wildcards mean."""
    tree = TREES[int(wildcards.size)]
    return tree, tree.node(int(wildcards.level), int(wildcards.first))


def group_files(kind):
    """Return an input function: the files of a kind that a group is made from."""

    def paths(wildcards):
        tree, group = group_of(wildcards)
        # The files below a chunk are listed nowhere.
        listed = kind != "files" or group.level > 1
        return tree.paths(tree.below(group), kind) if listed else []

    return paths


rule group:
    # Merge neighbouring chunks, or groups of them, and list the files below.
    input:
        lengths=group_files("lengths"),
        plays=group_files("plays"),
        files=group_files("files"),
    output:
        lengths=GROUP.format(table="groups/lengths", end="parquet"),
        plays=GROUP.format(table="groups/plays", end="parquet"),
        files=GROUP.format(table="groups/files", end="parquet"),
    log:
        GROUP.format(table="timing/groups", end="json"),
    params:
        code=code("bmn.groups"),
    run:
        with FAULTS.told():
            bmn_groups.write_group(*group_of(wildcards), *output, log[0])


# Seconds each, so a cluster is not asked for them.
localrules:
    merge,
    merge_other,
    decompositions,
    invariants,


rule merge:
    # Merge the chunks of the first decomposition into the results.
    input:
        lengths=top_files(FIRST_TREE, "lengths"),
        plays=top_files(FIRST_TREE, "plays"),
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
        code=code("bmn.tree"),
    run:
        tree = TREES[params.size]
        with FAULTS.told():
            bmn_tree.merge(tree, tree.top, *output)


use rule merge as merge_other with:
    # Merge the chunks of another decomposition, for comparison.
    input:
        lengths=lambda wildcards: top_files(TREES[int(wildcards.size)], "lengths"),
        plays=lambda wildcards: top_files(TREES[int(wildcards.size)], "plays"),
    output:
        lengths="results/decompositions/size={size}/lengths.parquet",
        plays="results/decompositions/size={size}/plays.parquet",
    params:
        size=lambda wildcards: int(wildcards.size),
        code=code("bmn.tree"),


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
