from pathlib import Path

import pytest
import yaml

from bmn import config
from bmn.chunks import Search
from bmn.errors import InputError
from bmn.provenance import ROOT

SCHEMA = yaml.safe_load(Path(ROOT, "config/schema.yaml").read_text())
PUBLISHED = yaml.safe_load(Path(ROOT, "config/config.yaml").read_text())


@pytest.mark.parametrize("name", ["config.yaml", "quick.yaml", "large.yaml"])
def test_the_committed_configurations_are_valid(name):
    values = yaml.safe_load(Path(ROOT, "config", name).read_text())
    assert config.load(values, SCHEMA).name == values["name"]


def test_the_published_run_is_256_and_128_chunks():
    loaded = config.load(PUBLISHED, SCHEMA)
    assert loaded.search == Search(0, 100_663_296)
    assert {size: len(tree.level(0)) for size, tree in loaded.trees.items()} == {
        393_216: 256,
        786_432: 128,
    }


def test_every_key_is_described():
    assert all("description" in key for key in SCHEMA["properties"].values())


def test_lists_from_the_command_line_are_numbers():
    loaded = config.load(PUBLISHED | {"chunk_sizes": ["3", "1"], "seeds": 9}, SCHEMA)
    assert loaded.chunk_sizes == (3, 1)
    loaded = config.load(
        PUBLISHED | {"rules": {"players": "3", "penalties": ["0", "1"] * 2 + ["4"]}}, SCHEMA
    )
    assert loaded.search.rules.players == 3 and loaded.search.rules.penalties == (0, 1, 0, 1, 4)
    with pytest.raises(InputError, match="-512 is less than"):
        config.load(PUBLISHED | {"chunk_sizes": ["-512", "1024"]}, SCHEMA)


def test_a_number_of_seeds_that_fits_is_named():
    with pytest.raises(InputError, match="another number of seeds, as 786432"):
        config.load(PUBLISHED | {"seeds": 1_000_000}, SCHEMA)
    with pytest.raises(InputError, match="as 1572864"):
        config.load(PUBLISHED | {"seeds": 1_200_000}, SCHEMA)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sedes": 1}, "did you mean 'seeds'"),
        ({"colour": 1}, "known are name"),
        ({"cap": 0}, "'cap'"),
        ({"cap": 41_297_763}, "'cap'"),
        ({"cap": "many"}, "'cap'"),
        ({"cap": 1.5}, "'cap'"),
        ({"seeds": 0}, "'seeds'"),
        ({"first_seed": 2**64}, "'first_seed'"),
        ({"first_seed": 2**64 - 1}, "64 bits"),
        ({"chunk_sizes": [393_216]}, "'chunk_sizes'"),
        ({"chunk_sizes": [393_216, 393_216]}, "'chunk_sizes'"),
        ({"chunk_sizes": [393_216, 1000]}, "divisor"),
        ({"longest": 0}, "'longest'"),
        ({"cost_deals": True}, "'cost_deals'"),
        ({"name": ""}, "'name'"),
        ({"name": "../../evil"}, "'name'"),
        ({"cap": 100.0}, "'cap'"),
        ({"first_seed": 1.0}, "'first_seed'"),
        ({"chunk_sizes": [393_216.0, 786_432]}, "'chunk_sizes"),
        ({"rules": {"players": "two"}}, "whole number"),
        ({"rules": {"penalties": 5}}, "penalties"),
        ({"rules": {"base": 3}}, "not understood"),
    ],
)
def test_bad_values_are_one_sentence(change, words):
    with pytest.raises(InputError) as error:
        config.load(PUBLISHED | change, SCHEMA)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_key_is_named():
    values = {key: value for key, value in PUBLISHED.items() if key != "cap"}
    with pytest.raises(InputError, match="'cap' is a required property"):
        config.load(values, SCHEMA)
