"""What is imported when: the workflow builds the extensions in the process that uses them."""

import subprocess
import sys

import pytest

MODULES = (
    "bmn.cli.cycles",
    "bmn.cli.hunt",
    "bmn.cli.published",
    "bmn.explore.backward",
    "bmn.explore.capped",
    "bmn.explore.census",
    "bmn.explore.cycles",
    "bmn.explore.decks",
    "bmn.explore.confirm",
    "bmn.explore.endless_decks",
    "bmn.explore.general",
    "bmn.explore.hunting",
    "bmn.explore.tables",
    "bmn.published",
    "bmn.rules",
    "bmn.statistics",
)


@pytest.mark.parametrize("module", MODULES)
def test_no_extension_and_no_pandas_at_import(module):
    code = (
        f"import sys, {module}\n"
        "loaded = {'pandas', 'pyarrow', 'bmn._engine', 'bmn.explore._explore',"
        " 'bmn.explore._general', 'bmn.explore._hunt', 'bmn.explore._pieces'} & set(sys.modules)\n"
        "sys.exit(str(loaded) if loaded else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_chunk_of_a_census_needs_no_pandas(tmp_path):
    code = (
        "import sys\n"
        "from bmn.cards import Deck\n"
        "from bmn.explore import census\n"
        "part = census.Census.of(Deck(6, 2, 0, 0, 0))\n"
        f"files = [{str(tmp_path)!r} + f'/{{name}}.parquet' for name in census.Tables._fields]\n"
        "census.play_chunk(part, files)\n"
        "census.merge_chunks(part, 28, [[f] for f in files], files)\n"
        "sys.exit('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
