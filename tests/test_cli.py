"""The command line, as a person calls it."""

import json

import pytest
from click.testing import CliRunner

import bmn
from bmn import cli, store, summary
from bmn.known import deal_of, known_deals


def make_red(results, check):
    """Turn the first row of a check red, as if it had come out so."""
    path = results / f"checks/{check}.parquet"
    table, about = store.read(path)
    table["ok"][0] = False
    store.write(path, table, about)
    told = store.read_json(results / "summary.json")
    again = summary.summarise(results, told["name"], told["search"], told["chunk_sizes"])
    store.write_json(results / "summary.json", again)


def run(*arguments):
    return CliRunner().invoke(cli.main, [str(argument) for argument in arguments])


def test_deal():
    assert run("deal", 0).output.strip() == bmn.deal(0)
    assert json.loads(run("deal", 0, "--json").output) == {"seed": 0, "deal": bmn.deal(0)}


@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_play_a_deal_that_begins_with_a_dash(engine):
    done = run("play", "--A-/J---", "--engine", engine, "--json")
    game = json.loads(done.output)
    assert game["deal"] == "--A-/J---"
    assert (game["tricks"], game["finished"]) == (bmn.play("--A-/J---").tricks, True)


def test_play_a_seed():
    assert "37 tricks, 264 card plays" in run("play", "--seed", 0).output


def test_play_says_that_a_capped_game_proves_nothing():
    assert "does not prove a cycle" in run("play", "--seed", 0, "--cap", 3).output


def test_trace_shows_every_move():
    lines = run("play", "J-/-J", "--trace").output.splitlines()
    moves = lines[2:7]
    assert [line.split()[:4] for line in moves] == [
        ["1", "1", "1", "J"],
        ["1", "2", "2", "-"],
        ["2", "3", "1", "-"],
        ["2", "4", "2", "J"],
        ["2", "5", "1", "J"],
    ]
    assert "seat 2 owes 1" in moves[0]
    assert "seat 1 takes the pile" in moves[1]


def test_trace_as_json_is_a_line_a_move():
    lines = [
        json.loads(line)
        for line in run("play", "J-/-J", "--trace", "--json").output.split("\n")[:-1]
    ]
    assert [line["card"] for line in lines[:-1]] == list("J--JJ")
    assert lines[1]["took"] == 0
    assert lines[-1]["card_plays"] == 5


def test_the_largest_known_deal():
    deal = max((deal_of(known) for known in known_deals()), key=lambda deal: deal.deck.size)
    assert "361 card plays" in run("play", deal).output


def test_search_writes_a_table(tmp_path):
    path = tmp_path / "lengths.parquet"
    done = run("search", 0, 3000, "-o", path, "--json")
    found = json.loads(done.stdout)
    table, about = store.read(path)
    assert found["deals"] == 3000 and found["violations"] == 0
    assert found["longest"]["tricks"] == int(table["tricks"][-1])
    assert about["seeds"] == 3000


def test_search_where_every_deal_is_capped():
    found = json.loads(run("search", 0, 100, "--cap", 1, "--json").stdout)
    assert found["capped"] == 100 and found["longest"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("deal", "-1"), "out of range"),
        (("deal", 2**64), "out of range"),
        (("play",), "either a deal or --seed"),
        (("play", "-/-", "--seed", 1), "either a deal or --seed"),
        (("play", "-/-", "--cap", 0), "cap 0"),
        (("play", "-/x"), "unknown card"),
        (("play", "/"), "two empty hands"),
        (("play", "---"), "'/'"),
        (("search", 0, 0), "empty"),
        (("search", "-5", 10), "64 bits"),
        (("search", 2**64 - 5, 10), "64 bits"),
        (("search", 0, 10, "--kernel", "magic"), "magic"),
        (("search", 0, 10, "-o", "/dev/null/x"), "cannot be written to"),
        (("show", "/no/such/folder"), "does not exist"),
        (("verify", "/no/such/folder"), "is no folder"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(arguments, words):
    done = run(*arguments)
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1 or "Usage:" in done.stderr
    assert "Traceback" not in done.output + done.stderr


def test_an_unknown_kernel_in_the_environment_is_one_sentence(monkeypatch):
    monkeypatch.setenv("BMN_KERNEL", "magic")
    done = run("search", 0, 10)
    assert done.exit_code == 2 and "magic" in done.stderr


@pytest.mark.parametrize("command", [None, *cli.COMMANDS])
def test_every_command_has_help_with_examples(command):
    done = run(*filter(None, [command]), "--help")
    assert done.exit_code == 0
    assert "Examples:" in done.output


@pytest.mark.workflow
def test_show_tells_headline_and_checks(finished):
    done = run("show", finished.results)
    assert done.exit_code == 0
    assert "The longest of 4,096 seeded deals" in done.output
    assert "✓ battery" in done.output
    told = json.loads(run("show", finished.results, "--json").output)
    assert all(row["ok"] for rows in told["checks"].values() for row in rows)
    assert told["headline"]["rank"] == 1


@pytest.mark.workflow
def test_show_tells_no_headline_with_a_red_check(project):
    make_red(project.results, "plants")
    done = run("show", project.results)
    assert done.exit_code == 1
    assert "no headline" in done.output and "The longest of" not in done.output
    assert "ends in exactly five tricks" in done.output


@pytest.mark.workflow
def test_show_and_expect_refuse_a_summary_that_is_not_that_of_the_tables(project):
    battery = project.results / "checks/battery.parquet"
    table, about = store.read(battery)
    table["ok"][0] = False
    store.write(battery, table, about)
    for command in ("show", "expect"):
        done = run(command, project.results)
        assert done.exit_code == 2
        assert "does not follow from the tables" in done.stderr
        assert "The longest of" not in done.output


@pytest.mark.workflow
def test_show_and_expect_want_a_run_that_has_ended(project):
    (project.results / "headline.txt").unlink()
    for command in ("show", "expect"):
        done = run(command, project.results)
        assert done.exit_code == 2 and "has no headline.txt" in done.stderr


@pytest.mark.workflow
def test_expect_writes_no_file_anew_unless_it_is_named(project):
    written = project.results / "expected/mini.json"
    assert run("expect", project.results).exit_code == 0
    done = run("expect", project.results)
    assert done.exit_code == 2 and "is there already" in done.stderr
    assert run("expect", project.results, "-o", written).exit_code == 0


@pytest.mark.workflow
def test_verify_finds_what_was_changed(project):
    assert run("verify", project.results).exit_code == 0
    record = project.results / "record.parquet"
    table, about = store.read(record)
    table["tricks"][0] += 1
    store.write(record, table, about)
    (project.results / "search/size=7").mkdir()
    (project.results / "search/size=7/first=000000000000.parquet").write_bytes(b"")
    (project.results / "climb").mkdir()
    store.write(project.results / "climb/law.parquet", *store.read(record))
    (project.results / "climb/comparison.parquet").write_bytes(b"")
    (project.results / "headline.txt").write_text("The longest game of all!")
    done = run("verify", project.results)
    assert done.exit_code == 1
    assert "record.parquet is not the file the manifest lists" in done.output
    assert "headline.txt is not the file the manifest lists" in done.output
    assert "summary.json does not follow from the tables beside it" in done.output
    assert "stray: " in done.output and "size=7" in done.output
    assert "comparison.parquet" in done.output and "law.parquet" not in done.output


@pytest.mark.workflow
def test_verify_refuses_a_manifest_that_leaves_things_out(project):
    path = project.results / "manifest.parquet"
    table, about = store.read(path)
    kept = table["path"] != "checks/battery.parquet"
    store.write(path, {name: values[kept] for name, values in table.items()}, about)
    done = run("verify", project.results)
    assert done.exit_code == 1
    assert "does not list checks/battery.parquet" in done.stdout
    store.write(path, {"a": table["path"]})
    assert "is not a manifest" in run("verify", project.results).stdout


def test_seeds_may_be_hexadecimal():
    assert run("deal", "0xd1cff3").output == run("deal", "13750259").output
    assert run("play", "--seed", "0XFF").output == run("play", "--seed", 255).output


def test_a_table_is_written_as_parquet_or_not_at_all(tmp_path):
    done = run("search", 0, 10, "-o", tmp_path / "table.csv")
    assert done.exit_code == 2 and "name it so" in done.stderr
    assert not list(tmp_path.iterdir())
