"""Everything that people give is read, or refused in one sentence."""

import subprocess
import sys
from importlib.util import find_spec

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bmn.config import MAX_CHUNKS
from bmn.errors import InputError
from bmn.provenance import ROOT
from fuzz import targets

TEXTS = st.text(st.characters(exclude_categories=()), max_size=80)
DEALS = st.text("-JQKA/ \n", max_size=80)
NUMBERS = st.one_of(st.integers(), st.floats(), st.sampled_from([2**63, 2**64, -1, 10**30]))
TREES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, TEXTS),
    lambda inner: st.one_of(
        st.lists(inner, max_size=6), st.dictionaries(st.one_of(TEXTS, NUMBERS), inner, max_size=4)
    ),
    max_leaves=12,
)
KEYS = sorted(targets.schema()["properties"])
RULE = st.sampled_from(["base", "players", "leader", "penalties", "deck", "pile", "stop_tricks"])
VALID = {
    "name": "fuzz",
    "first_seed": 0,
    "seeds": 4096,
    "cap": 100,
    "chunk_sizes": [512, 1024],
    "longest": 3,
    "cost_deals": 50,
}


def raw(text):
    return text.encode("utf-8", "surrogatepass")


@given(st.one_of(TEXTS, DEALS))
@example("\x1c-/-")
@example("\u2028/-")
def test_any_text_is_a_deal_or_a_sentence(text):
    targets.deal(raw(text))


@given(st.one_of(TEXTS, st.text("0123456789, \n\x1c-", max_size=60), TREES))
@example("2\n\x1c")  # a blank for `str.strip` that is none for `int`
@example("9" * 5000 + ",0,0,0,0")
@example("²,0,0,0,1")
@example([True, 0, 0, 0, 1])
def test_anything_is_a_deck_or_a_sentence(spec):
    if isinstance(spec, str):
        targets.deck(raw(spec))
    else:
        check(targets.Deck.parse, spec)


@given(st.one_of(TREES, st.dictionaries(RULE, TREES, max_size=3)))
def test_anything_is_a_rule_set_or_a_sentence(spec):
    check(targets.rules_of, spec)


def check(read, spec):
    try:
        read(spec)
    except InputError as error:
        targets.sentence(error)


@settings(max_examples=200)
@given(st.dictionaries(st.one_of(st.sampled_from(KEYS), TEXTS), st.one_of(TREES, NUMBERS)))
@example({"seeds": 10**18, "chunk_sizes": [1, 2]})
@example({"chunk_sizes": [512, 10**30]})
@example({"chunk_sizes": ["512", "1024"]})
@example({"rules": {"deck": {"plain": "many"}}})
@example({"budget": 10**30})
@example({1: 2})
def test_any_configuration_is_valid_or_a_sentence(changes):
    targets.load(VALID | changes)
    targets.load(changes)


def test_numbers_beyond_64_bits_are_refused():
    with pytest.raises(InputError, match="'budget' is wrong"):
        targets.config.load(VALID | {"budget": 2**64}, targets.schema())


def test_too_many_chunks_are_refused_before_they_are_listed():
    with pytest.raises(InputError, match=str(MAX_CHUNKS)):
        targets.config.load(VALID | {"seeds": 10**18, "chunk_sizes": [1, 2]}, targets.schema())


@given(st.binary(max_size=300))
@example(b"PAR1")
@example(b"PAR1" + bytes(8) + b"PAR1")
def test_any_bytes_are_a_table_or_a_sentence(data):
    targets.parquet(data)
    targets.json_file(data)
    targets.settings(data)


@given(st.binary(min_size=5, max_size=40))
def test_a_damaged_table_is_refused_or_read_as_it_was(data):
    targets.damaged(data)


@pytest.mark.slow
def test_no_byte_can_be_changed_unseen():
    """Every byte of a file in turn, changed in three ways."""
    good = targets.written()
    for place in range(len(good)):
        where = place.to_bytes(3, "little")
        for kind, value in ((3, place % 8), (0, 0), (0, 255)):
            targets.damaged(bytes([kind]) + where + bytes([value]))


@settings(max_examples=150)
@given(st.lists(st.one_of(st.sampled_from(targets.WORDS), TEXTS), max_size=7))
@example(["verify", "x" * 5000])
@example(["show", "two\nlines"])
@example(["play", "\udc80/-"])
@example(["deal", "\u0663"])
def test_any_command_line_ends_in_a_result_or_a_sentence(arguments):
    if not any("\0" in argument for argument in arguments):  # no system lets one through
        targets.call(arguments)


@pytest.mark.slow
@pytest.mark.parametrize("target", targets.TARGETS)
def test_guided_fuzzing_runs(target, tmp_path):
    if find_spec("atheris") is None:
        pytest.skip("atheris is not installed")
    command = [sys.executable, "-m", "fuzz.guided", target, "-runs=300", "-seed=1"]
    command.append(f"-artifact_prefix={tmp_path}/")
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
