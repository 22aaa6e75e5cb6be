"""What is fuzzed: every reader of what people give, each a function of bytes.

A target raises nothing whatever the bytes are; an `AssertionError`, or any other error, is a find.
The property tests feed the same targets, and ``python -m fuzz.guided`` does, guided by coverage.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from click.testing import CliRunner

from bmn import cli, config, lengths, store
from bmn.cards import Deal, Deck, hands_text, parse_hands
from bmn.chunks import Search, play_tables
from bmn.errors import BAD_INPUT, InputError
from bmn.known import known_deals
from bmn.provenance import ROOT
from bmn.rules import RULE_SETS, Rules, rules_of

QUICK = (
    "deal",
    "play",
    "search",
    "cycle",
    "predecessors",
    "deck",
    "show",
    "verify",
    "expect",
    "merge",
)
"""Commands whose work is small if the numbers they are given are."""

WORDS = (
    *cli.COMMANDS,
    *("--json", "--seed", "--cap", "--rules", "--trace", "--engine", "--deck", "-o", "--kernel"),
    *("--workers", "--items", "--help", "--", "-", "", "=", "--name", "--expected", "--distinct"),
    *("0", "1", "7", "300", "-1", "1e5", "0x10", "9" * 30, "\u0663", "--seed=3", "--cap=0", "two"),
    *("reference", "fast", "plain", "reversed-pile", "three-players", "half-deck", "14,2,2,2,0"),
    *("J--/-J-", "--A-/J---", "/", "-/-", "J-/--Q", "J/Q/K", "JQKA" * 20 + "/-", "no-such-folder"),
)
"""What a command line is made of, beside arbitrary texts."""


def sentence(error: Exception) -> None:
    """Make sure that an error is one clear line."""
    text = str(error)
    assert text and "\n" not in text, text


def deal(data: bytes) -> None:
    """Read a deal: either it is one and comes back as it was, or one sentence."""
    text = data.decode("utf-8", "surrogateescape")
    for players in (2, 3):
        try:
            hands = parse_hands(text, players)
        except InputError as error:
            sentence(error)
            continue
        assert hands_text(hands) == text.strip()
        assert players != 2 or Deal.parse(hands_text(hands)) == hands


def deck(data: bytes) -> None:
    """Read a deck, written or as JSON."""
    text = data.decode("utf-8", "surrogateescape")
    for spec in (text, _tree(data)):
        try:
            found = Deck.parse(spec)
        except InputError as error:
            sentence(error)
            continue
        assert found.size >= 1 and Deck.parse(",".join(map(str, found))) == found


def rules(data: bytes) -> None:
    """Read a rule set, by name or as JSON."""
    try:
        found = rules_of(_tree(data))
    except InputError as error:
        return sentence(error)
    assert isinstance(found, Rules) and rules_of(found.differences).differences == found.differences
    return None


def settings(data: bytes) -> None:
    """Read a configuration: whatever is a mapping in YAML is valid, or one sentence."""
    try:
        tree = yaml.safe_load(data.decode("utf-8", "replace"))
    except (yaml.YAMLError, ValueError, RecursionError):
        return  # told by Snakemake, before bmn sees it
    load(tree)


def load(tree: Any) -> None:
    """Load a configuration that was read already."""
    if not isinstance(tree, dict):
        return
    try:
        found = config.load(tree, schema())
    except InputError as error:
        return sentence(error)
    assert all(found.search.seeds % size == 0 for size in found.chunk_sizes)
    return None


def parquet(data: bytes) -> None:
    """Read a table: it is whole, or one sentence."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.parquet")
        path.write_bytes(data)
        try:
            table, about = store.read(path)
        except InputError as error:
            return sentence(error)
    # Nothing passes but what was written: its digest is that of its values.
    assert store.digest(table, about) in data.decode("latin-1")
    return None


def damaged(data: bytes) -> None:
    """Read a table in which bytes are changed, cut out or put in, as the data say."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.parquet")
        path.write_bytes(damage(written(), data))
        try:
            table, _ = store.read(path)
        except InputError as error:
            return sentence(error)
    assert lengths.same(table, columns()), "other values were read than were written"
    return None


def damage(good: bytes, data: bytes) -> bytes:
    """Change a file, five bytes of instructions a change: what, where (3), with what."""
    bad = bytearray(good)
    for start in range(0, len(data) - 4, 5):
        kind, place = data[start] % 4, int.from_bytes(data[start + 1 : start + 4], "little")
        place, value = place % (len(bad) + 1), data[start + 4]
        if kind == 0 and place < len(bad):
            bad[place] = value
        elif kind == 1:
            del bad[place : place + value]
        elif kind == 2:
            bad[place:place] = bytes([value]) * (value % 8)
        elif place < len(bad):
            bad[place] ^= 1 << value % 8
    return bytes(bad)


def json_file(data: bytes) -> None:
    """Read a JSON file: it is JSON, or one sentence."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file.json")
        path.write_bytes(data)
        try:
            store.read_json(path)
        except InputError as error:
            # The parser's own words may quote a line break.
            assert str(error)


def command_line(data: bytes) -> None:
    """Call the command line with words of `WORDS` and arbitrary ones."""
    call([WORDS[value % len(WORDS)] if value < 200 else f"{chr(value)}x" for value in data[:8]])


def call(arguments: list[str]) -> None:
    """Call the command line: exit code 0, 1 or 2, no traceback, one sentence for bad input."""
    if not {"-h", "--help"} & set(arguments) and not set(QUICK) >= set(cli.COMMANDS) & set(
        arguments
    ):
        arguments = [*arguments, "--no-such-option"]  # so that it is read, but not done
    done = CliRunner().invoke(cli.main, arguments, standalone_mode=True)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 1, BAD_INPUT), done.exit_code
    if done.exit_code == BAD_INPUT and not done.stderr.startswith("Usage: bmn"):
        assert done.stderr.startswith("bmn: ") and done.stderr.count("\n") == 1, done.stderr


TARGETS: dict[str, Callable[[bytes], None]] = {
    "deal": deal,
    "deck": deck,
    "rules": rules,
    "config": settings,
    "parquet": parquet,
    "damaged": damaged,
    "json": json_file,
    "cli": command_line,
}
"""All targets by name."""


def examples(target: str) -> list[bytes]:
    """Return what a target takes, for guided fuzzing to begin with."""
    sets = [json.dumps({"base": name} | r.differences).encode() for name, r in RULE_SETS.items()]
    texts = [known["hand_first"] + "/" + known["hand_second"] for known in known_deals()[:5]]
    return {
        "deal": [b"J-/--Q", *(text.encode() for text in texts)],
        "deck": [b"half", b"14,2,2,2,0", b'{"plain": 14, "J": 2}', b"[36, 4, 4, 4, 4]"],
        "rules": [b'"half-deck"', *sets],
        "config": [path.read_bytes() for path in sorted((ROOT / "config").glob("*.yaml"))],
        "parquet": [written()],
        "damaged": [bytes([kind, 80, 1, 0, 7]) for kind in range(4)],
        "json": [b'{"a": [1, 2.5, null, "\\u0041"]}'],
        "cli": [bytes([value, value + 20, value + 40]) for value in range(0, 60, 7)],
    }[target]


@cache
def schema() -> dict[str, Any]:
    """Return the schema of the configuration."""
    return yaml.safe_load((ROOT / "config/schema.yaml").read_text(encoding="utf-8"))


@cache
def columns() -> dict[str, np.ndarray]:
    """Return a length table with a column of text, which a chunk does not have."""
    table = play_tables(Search(0, 300))[0].lengths
    return table | {"text": np.array([f"row {n}" for n in range(len(table["deals"]))], object)}


@cache
def written() -> bytes:
    """Return the bytes of a file with that table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "table.parquet")
        store.write(path, columns(), {"first_seed": 0, "seeds": 300})
        return path.read_bytes()


def _tree(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return data.decode("utf-8", "replace")
