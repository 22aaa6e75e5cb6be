"""The benchmark measures every kernel and refuses kernels that differ."""

import json

import pytest
from click.testing import CliRunner

from bmn import _engine, bench
from bmn.cli import main
from bmn.errors import InputError


def test_measure():
    found = bench.measure(seeds=2000, repeats=2, workers=1)
    for part in ("kernels", "stated_deals"):
        assert tuple(row["kernel"] for row in found[part]) == _engine.kernels()
        assert found[part][-1]["ratio_to_plain"] == 1
        assert all(row["deals_per_second"] > 0 for row in found[part])
    tables = _engine.search(0, 2000)
    assert int(found["fingerprint"], 16) == int(tables.lengths["fingerprint"].sum(dtype="uint64"))
    assert found["workers"][0]["ratio_to_one"] == 1


def test_kernels_that_differ_are_not_compared(monkeypatch):
    search = _engine.search

    def wrong(first_seed, seeds, kernel=None):
        return search(first_seed + (kernel == "scalar"), seeds, kernel=kernel)

    monkeypatch.setattr(_engine, "search", wrong)
    with pytest.raises(RuntimeError, match="scalar and plain give different tables"):
        bench.measure(seeds=100, repeats=1, workers=1)


@pytest.mark.parametrize("name", ["seeds", "repeats", "workers"])
def test_numbers_below_one(name):
    with pytest.raises(InputError, match=name):
        bench.measure(**{"seeds": 10, "repeats": 1, "workers": 1} | {name: 0})


def test_command_line(tmp_path):
    path = tmp_path / "bench.json"
    arguments = ["bench", "--seeds", "500", "--repeats", "1", "--workers", "1"]
    done = CliRunner().invoke(main, [*arguments, "--json", "-o", str(path)])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output) == json.loads(path.read_text())
    shown = CliRunner().invoke(main, arguments).output
    assert all(kernel in shown for kernel in _engine.kernels())
