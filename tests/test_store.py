import errno
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bmn import store
from bmn.errors import InputError

TABLE = {
    "finished": np.array([False, True, True]),
    "tricks": np.array([100_000, 3, 2**64 - 1], np.uint64),
    "share": np.array([0.5, 0.25, 1e-9]),
    "deal": np.array(["-A/-J", "J/--", "ü"], object),
}


def equal(one, other):
    return list(one) == list(other) and all(
        one[name].tolist() == other[name].tolist() for name in one
    )


def test_a_table_reads_back_and_opens_in_pandas(tmp_path):
    path = tmp_path / "deep/er/table.parquet"
    content = store.write(path, TABLE, {"seeds": 3})
    columns, about = store.read(path)
    assert equal(columns, TABLE)
    assert about == {"seeds": 3}
    assert content == store.digest(TABLE, {"seeds": 3})
    frame = pd.read_parquet(path)
    assert frame["tricks"].tolist() == TABLE["tricks"].tolist()
    assert str(frame["tricks"].dtype) == "uint64"


def test_same_values_same_bytes(tmp_path):
    paths = [tmp_path / folder / "table.parquet" for folder in ("one", "two")]
    for path in paths:
        store.write(path, TABLE)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_file_in_the_place_of_another_is_not_read(tmp_path):
    store.write(tmp_path / "one.parquet", TABLE)
    (tmp_path / "one.parquet").rename(tmp_path / "two.parquet")
    with pytest.raises(InputError, match=r"two\.parquet was written as one\.parquet"):
        store.read(tmp_path / "two.parquet")


@pytest.mark.parametrize("damage", ["made", "list", "missing", "empty list"])
def test_a_list_of_sums_sees_every_change(tmp_path, damage):
    made, sums = tmp_path / "folder/made.txt", tmp_path / "made.sha256"
    made.parent.mkdir()
    made.write_text("made")
    store.write_sums(sums, [made])
    store.check_sums(sums)
    assert sums.read_text().split()[1] == "folder/made.txt"
    if damage == "made":
        made.write_text("mode")
    elif damage == "missing":
        made.unlink()
    else:
        sums.write_bytes(b"" if damage == "empty list" else b"\xff" + sums.read_bytes()[1:])
    with pytest.raises(InputError, match=r"made\.sha256 .*delete it and run"):
        store.check_sums(sums)


def test_an_empty_table_reads_back(tmp_path):
    empty = {name: values[:0] for name, values in TABLE.items()}
    store.write(tmp_path / "empty", empty)
    assert equal(store.read(tmp_path / "empty")[0], empty)


@pytest.mark.parametrize("name", TABLE)
def test_every_value_counts_in_the_digest(name):
    changed = dict(TABLE)
    changed[name] = TABLE[name][::-1].copy()
    assert store.digest(changed) != store.digest(TABLE)
    assert store.digest(TABLE, {"cap": 1}) != store.digest(TABLE, {"cap": 2})


def test_no_flipped_bit_is_read_as_other_values(tmp_path):
    path = tmp_path / "table.parquet"
    store.write(path, TABLE, {"seeds": 3})
    whole = path.read_bytes()
    told = 0
    for position in range(len(whole)):
        for bit in range(0, 8, 3):
            damaged = bytearray(whole)
            damaged[position] ^= 1 << bit
            path.write_bytes(damaged)
            try:
                columns, about = store.read(path)
            except InputError as error:
                assert "table.parquet" in str(error)
                assert "\n" not in str(error)
                told += 1
            else:
                assert equal(columns, TABLE) and about == {"seeds": 3}
    assert told > 2 * len(whole)


@pytest.mark.parametrize("keep", [0, 3, 100, -1])
def test_a_truncated_file_is_told(tmp_path, keep):
    path = tmp_path / "table.parquet"
    store.write(path, TABLE)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(InputError, match=r"table\.parquet"):
        store.read(path)


def test_a_foreign_file_is_told(tmp_path):
    path = tmp_path / "foreign.parquet"
    pd.DataFrame({"a": [1]}).to_parquet(path)
    with pytest.raises(InputError, match="not written by bmn"):
        store.read(path)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        store.read(tmp_path / "none.parquet")


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "table.parquet"
    store.write(path, TABLE)
    before = path.read_bytes()

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="No space left on device"):
        store.write(path, {"other": np.array([1])})
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_told(tmp_path):
    (tmp_path / ".table.parquet.tmp").symlink_to("/dev/full")
    with pytest.raises(InputError, match="cannot be written"):
        store.write(tmp_path / "table.parquet", TABLE)
    assert not (tmp_path / "table.parquet").exists()
