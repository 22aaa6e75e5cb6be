# Cycles made of pieces. `snakemake cycles` makes the catalogue, `snakemake cycles_full` a larger one,
# `snakemake cycles_decks` a table of other decks.
#
# Needs the compiled extensions alone. Makes results/cycles/ and results/cycles_full/: pieces, all
# cycles, all balanced deals that run into them, counts, and what the reference says of those; and
# results/cycles_decks/decks.parquet.
from bmn.explore import catalogue as bmn_catalogue
from bmn.explore import endless_decks as bmn_endless

PLANS = {
    "cycles": bmn_catalogue.Plan(
        CONFIG.cycle_lag,
        CONFIG.cycle_trials,
        CONFIG.cycle_near,
        deck=CONFIG.search.deck,
    ),
    "cycles_full": bmn_catalogue.Plan(
        CONFIG.cycle_full_lag,
        CONFIG.cycle_full_trials,
        CONFIG.cycle_full_near,
        parts=64,
        deck=CONFIG.search.deck,
    ),
}
TAPE = "results/{catalogue}/tape={tape}/"
NEAR = "results/{catalogue}/near/part={part}.parquet"
CATALOGUE = {
    name: f"results/{{catalogue}}/{name}.parquet"
    for name in ("cycles", "balanced_deals", "summary")
}

EXPECTED_CYCLES = sorted(
    str(path) for path in Path(root("results/expected/cycles")).glob("*.json")
)


wildcard_constraints:
    catalogue="cycles|cycles_full",


def plan_of(wildcards):
    """Return the plan of a catalogue."""
    return PLANS[wildcards.catalogue]


def tape_of(wildcards):
    """Return a tape of a catalogue."""
    return plan_of(wildcards).tapes[wildcards.tape]


def sweep_files(wildcards):
    """List the parts of the sweeps of a tape."""
    folder = TAPE.format(**wildcards) + "sweep/"
    return [
        f"{folder}passes={passes}_part={part:02d}.parquet"
        for passes, part in plan_of(wildcards).sweeps()
    ]


def tape_files(name):
    """Return an input function: a file of each tape."""
    return lambda wildcards: [
        f"results/{wildcards.catalogue}/tape={tape}/{name}.parquet"
        for tape in plan_of(wildcards).tapes
    ]


def near_files(wildcards):
    """List the parts of the search near known cycles."""
    return [
        NEAR.format(catalogue=wildcards.catalogue, part=f"{part:02d}")
        for part in range(plan_of(wildcards).parts)
    ]


def plan_values(wildcards):
    """Return what a catalogue depends on, for Snakemake to compare."""
    plan = plan_of(wildcards)
    return [plan.lag, plan.trials, plan.near, plan.parts, list(plan.deck)]


rule piece_sweep:
    # Find all periodic pieces of so many passes, within a lag: one part.
    input:
        PIECES,
    output:
        TAPE + "sweep/passes={passes}_part={part}.parquet",
    params:
        plan=lambda wildcards: [
            plan_of(wildcards).lag,
            plan_of(wildcards).parts,
            list(plan_of(wildcards).deck),
        ],
        code=code("bmn.explore.pieces"),
    run:
        with FAULTS.told():
            bmn_catalogue.write_sweep(
                plan_of(wildcards),
                tape_of(wildcards),
                int(wildcards.passes),
                int(wildcards.part),
                output[0],
            )


rule tape_pieces:
    # Join the parts, and find more pieces by changing these.
    input:
        pieces=PIECES,
        sweeps=sweep_files,
    output:
        TAPE + "pieces.parquet",
    params:
        plan=plan_values,
        code=code("bmn.explore.catalogue"),
    run:
        with FAULTS.told():
            bmn_catalogue.write_pieces(
                plan_of(wildcards), tape_of(wildcards), input.sweeps, output[0]
            )


rule tape_cycles:
    # Put pieces together in all orders and phases.
    input:
        pieces=PIECES,
        table=rules.tape_pieces.output,
    output:
        cycles=TAPE + "cycles.parquet",
        counts=TAPE + "counts.parquet",
    params:
        plan=plan_values,
        code=code("bmn.explore.catalogue"),
    run:
        with FAULTS.told():
            bmn_catalogue.write_assembled(
                plan_of(wildcards), tape_of(wildcards), input.table[0], *output
            )


rule near_cycles:
    # Look for more cycles by moving cards in those with balanced deals: one part.
    input:
        pieces=PIECES,
        cycles=tape_files("cycles"),
    output:
        NEAR,
    params:
        plan=plan_values,
        code=code("bmn.explore.catalogue"),
    run:
        with FAULTS.told():
            bmn_catalogue.write_near(
                plan_of(wildcards), input.cycles, int(wildcards.part), output[0]
            )


rule catalogue:
    # List all cycles and all balanced deals.
    input:
        explore=EXPLORE,
        pieces=PIECES,
        known=root("bmn/data/known_deals.json"),
        cycles=tape_files("cycles"),
        near=near_files,
        counts=tape_files("counts"),
    output:
        **CATALOGUE,
    params:
        plan=plan_values,
        code=code("bmn.explore.catalogue"),
    run:
        with FAULTS.told():
            bmn_catalogue.write_catalogue(
                plan_of(wildcards), input.cycles, input.near, input.counts, *output
            )


rule all_pieces:
    # List the pieces of all tapes.
    input:
        tape_files("pieces"),
    output:
        "results/{catalogue}/pieces.parquet",
    params:
        code=code("bmn.explore.catalogue"),
    run:
        with FAULTS.told():
            bmn_catalogue.write_all_pieces(input, output[0])


rule confirm_cycles:
    # Replay all balanced deals and a sample of the cycles with the reference.
    input:
        explore=EXPLORE,
        cycles=CATALOGUE["cycles"],
        deals=CATALOGUE["balanced_deals"],
    output:
        confirmed="results/{catalogue}/confirmed.parquet",
        basins="results/{catalogue}/basins.parquet",
    params:
        sample=500,
        code=code("bmn.explore.confirm"),
    run:
        FAULTS.python(
            "bmn.explore.confirm",
            input.cycles,
            input.deals,
            str(params.sample),
            *output,
        )


rule cycles_compared:
    # Compare a catalogue with the committed one of the same plan.
    input:
        cycles=CATALOGUE["cycles"],
        balanced_deals=CATALOGUE["balanced_deals"],
        summary=CATALOGUE["summary"],
        pieces=rules.all_pieces.output[0],
        confirmed=rules.confirm_cycles.output.confirmed,
        expected=EXPECTED_CYCLES,
    output:
        "results/{catalogue}/compared.parquet",
    params:
        plan=plan_values,
        code=code("bmn.explore.catalogue"),
    run:
        with FAULTS.told():
            table = bmn_catalogue.compare_expected(
                plan_of(wildcards), dict(input.items()), input.expected
            )
            bmn_store.write(output[0], table)


rule cycles:
    # The catalogue of cycles: some minutes of two cores.
    input:
        expand(
            [
                *CATALOGUE.values(),
                *rules.all_pieces.output,
                *rules.confirm_cycles.output,
                *rules.cycles_compared.output,
            ],
            catalogue="cycles",
        ),


rule cycles_full:
    # A larger catalogue: ten times as many random changes.
    input:
        expand(
            [
                *CATALOGUE.values(),
                *rules.all_pieces.output,
                *rules.confirm_cycles.output,
                *rules.cycles_compared.output,
            ],
            catalogue="cycles_full",
        ),


rule endless_decks_part:
    # Look for cycles of pieces in the decks with the same penalty cards.
    input:
        pieces=PIECES,
        explore=EXPLORE,
    output:
        "results/cycles_decks/penalties={penalties}.parquet",
    params:
        lag=CONFIG.decks_lag,
        trials=CONFIG.decks_trials,
        code=code("bmn.explore.endless_decks"),
    run:
        with FAULTS.told():
            bmn_endless.write_decks(
                wildcards.penalties, params.lag, params.trials, output[0]
            )


rule cycles_decks:
    # For which decks balanced deals are found that never end.
    input:
        expand(
            rules.endless_decks_part.output,
            penalties=bmn_endless.PENALTIES,
        ),
    output:
        "results/cycles_decks/decks.parquet",
    params:
        code=code("bmn.explore.endless_decks"),
    run:
        with FAULTS.told():
            bmn_endless.merge_decks(list(input), output[0])
