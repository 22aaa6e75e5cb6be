"""What a run of very many chunks costs beside playing them; the figures of docs/cluster.md.

    python tests/scale/measure.py plan 5000 50000     # dry-runs: seconds and memory
    python tests/scale/measure.py run 5000            # milliseconds a chunk, with tiny chunks
    python tests/scale/measure.py merge 25000         # the merge of that many chunks, by the tree
    python tests/scale/measure.py chunk 1000000 100000000   # memory of one chunk of that many seeds
    python tests/scale/measure.py threads 1 2 4       # speed of one chunk with so many threads

Each command prints one line of JSON for each number, each measured in a process of its own. On a
machine that has other work to do the CPU's seconds are what counts.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

SIZE = 64
"""Seeds a chunk where the chunks themselves should cost nothing."""


def plan(number, project):
    """Plan a run of so many chunks, four fifths of them in the first decomposition."""
    configure(project, number)
    return snakemake(project, "-n")


def run(number, project):
    """Play so many chunks and merge them; then see that nothing is left to do."""
    configure(project, number)
    other = f"results/decompositions/size={4 * SIZE}/lengths.parquet"
    wanted = ["results/lengths.parquet", other]
    cost = snakemake(project, *wanted)
    again = snakemake(project, "-n", *wanted)
    per_chunk = {f"ms_{kind}_a_chunk": 1000 * cost[kind] / number for kind in ("wall", "cpu")}
    return cost | per_chunk | {f"planned_again_{name}": value for name, value in again.items()}


def merge(number, folder):
    """Merge chunks made of one and the same table, with all the checks of the workflow."""
    from bmn import store
    from bmn.chunks import Search, play_tables

    size = 400_000
    tables, _ = play_tables(Search(0, size))
    tree = tree_of(number, size, folder)
    for node in tree.level(0):
        for kind in ("lengths", "plays"):
            store.write(tree.path(node, kind), getattr(tables, kind), tree.part(node).about)
    return cost_of("merge_in_tree", number, size, folder)


def merge_in_tree(number, size, folder):
    from bmn import groups
    from bmn import tree as trees

    tree = tree_of(int(number), int(size), folder)
    for node in tree.groups:
        groups.write_group(
            tree, node, *(tree.path(node, kind) for kind in ("lengths", "plays", "files", "timing"))
        )
    trees.merge(tree, tree.top, f"{folder}/lengths.parquet", f"{folder}/plays.parquet")


def tree_of(number, size, folder):
    from bmn.chunks import Search
    from bmn.tree import Tree

    return Tree(Search(0, number * size), size, folder)


def chunk(seeds, folder):
    """Play one chunk with one thread."""
    cost = cost_of("play", seeds, 1, folder)
    return cost | {"deals_a_cpu_second": seeds / cost["cpu"]}


def threads(number, folder):
    """Play one chunk with so many threads: its speed by the CPU's seconds and by the clock."""
    seeds = 100_000_000
    cost = cost_of("play", seeds, number, folder)
    played = json.loads(Path(folder, "timing").read_text())
    return cost | {
        "deals_a_second": seeds / (played["stop"] - played["start"]),
        "deals_a_cpu_second": seeds / played["cpu_seconds"],
    }


def play(seeds, number, folder):
    from bmn.chunks import Search, play_chunk

    files = (f"{folder}/{kind}" for kind in ("lengths", "plays", "timing"))
    play_chunk(Search(0, int(seeds)), *files, int(number))


def configure(project, number):
    from conftest import Project

    project = Project.fresh(project)
    first = 4 * (number // 5)
    project.configure(seeds=first * SIZE, chunk_sizes=[SIZE, 4 * SIZE])


def snakemake(folder, *arguments):
    command = [sys.executable, "-m", "snakemake", "--cores", str(os.cpu_count()), *arguments]
    return measured(command, cwd=folder)


def cost_of(name, *arguments):
    return measured([sys.executable, __file__, name, *map(str, arguments)])


def measured(command, **how):
    """Return seconds and the most memory (MB) of a command, which must succeed."""
    start = time.perf_counter()
    with tempfile.TemporaryFile() as told:
        process = subprocess.Popen(command, stdout=told, stderr=told, **how)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            told.seek(0)
            raise SystemExit(told.read().decode(errors="replace")[-3000:])
    return {
        "wall": round(time.perf_counter() - start, 2),
        "cpu": round(usage.ru_utime + usage.ru_stime, 2),
        "memory_mb": round(usage.ru_maxrss / 1024),
    }


INSIDE = {"play": play, "merge_in_tree": merge_in_tree}
COMMANDS = {"plan": plan, "run": run, "merge": merge, "chunk": chunk, "threads": threads}


def main(name, *numbers):
    """Run a command for every number, each in a folder of its own."""
    if name in INSIDE:
        INSIDE[name](*numbers)
        return
    for number in map(int, numbers):
        with tempfile.TemporaryDirectory() as folder:
            found = COMMANDS[name](number, f"{folder}/work")
        print(json.dumps({"measured": name, "number": number} | found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
