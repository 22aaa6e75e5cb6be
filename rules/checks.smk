# The checks that need no search: battery, control, plants.
#
# Needs the engine. Makes results/checks/{battery,control,plants}.parquet.


rule battery:
    # Play every row with the reference and with every kernel of the engine.
    input:
        engine=ENGINE,
        known=root("bmn/data/known_deals.json"),
    output:
        report(
            "results/checks/battery.parquet",
            caption="../bmn/report/captions/check.rst",
            category="Checks",
            labels={"table": "battery"},
        ),
    priority: 20
    params:
        code=code("bmn.checks.battery"),
    run:
        FAULTS.python("bmn.checks", "battery", output[0])


rule control:
    # Break a rule of the reference and see every row with an Ace come out differently.
    input:
        known=root("bmn/data/known_deals.json"),
    output:
        report(
            "results/checks/control.parquet",
            caption="../bmn/report/captions/check.rst",
            category="Checks",
            labels={"table": "control"},
        ),
    priority: 20
    params:
        code=code("bmn.checks.control"),
    run:
        FAULTS.python("bmn.checks", "control", output[0])


rule plants:
    # Play the deals whose outcome is proved by hand.
    input:
        engine=ENGINE,
    output:
        report(
            "results/checks/plants.parquet",
            caption="../bmn/report/captions/check.rst",
            category="Checks",
            labels={"table": "plants"},
        ),
    priority: 20
    params:
        code=code("bmn.checks.plants"),
    run:
        FAULTS.python("bmn.checks", "plants", output[0])
