"""Parquet in and out: written atomically, checked on every read.

A file is written beside its place and moved there when it is complete, so a reader sees all of
it or nothing. Its metadata carry a digest of the *values* (the bytes of a Parquet file also
depend on the version of the writer), recomputed on every read together with the page checksums.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from bmn.errors import InputError
from bmn.provenance import file_sha256

Columns = dict[str, np.ndarray]
"""A table: equally long one-dimensional arrays by column name."""

_ABOUT = b"bmn.about"
_DIGEST = b"bmn.digest"
_NAME = b"bmn.name"


def digest(columns: Mapping[str, np.ndarray], about: Mapping[str, Any] | None = None) -> str:
    """Return the SHA-256 (hex) of a table's values, column names and types.

    Parameters
    ----------
    columns
        Arrays of booleans, numbers or strings.
    about
        What else the file says of itself; covered by the digest.
    """
    sha = hashlib.sha256(_json(about or {}))
    for name, values in columns.items():
        if values.dtype.kind in "UO":
            body, kind = _json(values.tolist()), "text"
        else:
            body, kind = values.astype(values.dtype.newbyteorder("<")).tobytes(), values.dtype.name
        sha.update(_json([name, kind, len(values)]))
        sha.update(body)
    return sha.hexdigest()


def write(
    path: str | Path, columns: Mapping[str, np.ndarray], about: Mapping[str, Any] | None = None
) -> str:
    """Write a table as a Parquet file and return its content digest.

    Parameters
    ----------
    path
        Where the file goes; missing folders are made.
    columns
        Arrays of equal length: booleans, integers, floats, or strings (None for missing).
    about
        JSON values kept in the file's metadata, for example the seeds a chunk covers.

    Raises
    ------
    InputError
        If the file cannot be written. Nothing is left half-written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    about = dict(about or {})
    content = digest(columns, about)
    table = pa.Table.from_arrays(
        [_to_arrow(values) for values in columns.values()], names=list(columns)
    ).replace_schema_metadata(
        {_ABOUT: _json(about), _DIGEST: content.encode(), _NAME: Path(path).name.encode()}
    )
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)
    return content


def read(path: str | Path) -> tuple[Columns, dict[str, Any]]:
    """Read a Parquet file written by `write`, with every checksum verified.

    Returns
    -------
    columns : dict of ndarray
        The table.
    about : dict
        What the file says of itself.

    Raises
    ------
    InputError
        If the file is missing, unreadable, damaged, or not written by `write` under this name.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = Path(path)
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table = file.read(use_threads=False)
        metadata = table.schema.metadata or {}
        about = json.loads(metadata[_ABOUT])
        columns = {name: _from_arrow(table.column(name)) for name in table.column_names}
        # A damaged name or number can decode without complaint; only the digest sees it.
        intact = digest(columns, about) == metadata[_DIGEST].decode()
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; run the workflow to make it") from None
    except KeyError:
        raise InputError(
            f"{path} carries no digest, so it was not written by bmn; name another file, or "
            "delete it and run the workflow again"
        ) from None
    except (OSError, pa.ArrowException, ValueError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise InputError(f"{path} cannot be read ({reason}); delete it and make it again") from None
    if not intact:
        raise InputError(
            f"{path} is damaged: its values do not have the digest it was written with; "
            "delete it and make it again"
        )
    name = metadata.get(_NAME, path.name.encode()).decode()
    if name != path.name:
        raise InputError(
            f"{path} was written as {name}; give it its name back, or delete it and run the "
            "workflow again"
        )
    return columns, about


def write_json(path: str | Path, value: Any) -> None:
    """Write a JSON file atomically: sorted keys, two spaces, a final newline."""
    text = json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def read_json(path: str | Path) -> Any:
    """Read a JSON file, or raise `InputError` naming it."""
    path = Path(path)
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; run the workflow to make it") from None
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read ({error}); delete it and make it again") from None


def write_sums(path: str | Path, files: Iterable[Path]) -> None:
    """Write the SHA-256 of files, relative to the list's folder, as ``sha256sum`` does."""
    path = Path(path)
    lines = [f"{file_sha256(f)}  {f.relative_to(path.parent).as_posix()}\n" for f in files]
    with replacing(path) as temporary:
        temporary.write_text("".join(lines), encoding="utf-8")


def read_sums(path: str | Path) -> list[tuple[str, str]]:
    """Read such a list: the SHA-256 and the name of each file.

    Raises
    ------
    ValueError
        If it is none.
    OSError
        If it cannot be read.
    """
    lines = Path(path).read_text(encoding="utf-8").splitlines()
    return [(sha256, name) for sha256, name in (line.split("  ") for line in lines)]


def check_sums(path: str | Path) -> None:
    """Compare files with the list that was written with them.

    Raises
    ------
    InputError
        If one of them, or the list, is not as it was written.
    """
    path = Path(path)
    try:
        told = read_sums(path)
        wrong = [name for sha256, name in told if file_sha256(path.parent / name) != sha256]
        # There may be nothing to draw; then the folder is empty too.
        drawn = path.with_suffix("")
        if not told and not (drawn.is_dir() and not any(drawn.glob("[!.]*"))):
            wrong = ["nothing"]
    except (OSError, ValueError) as error:
        wrong = [f"something ({error})"]
    if wrong:
        raise InputError(
            f"{path} lists {wrong[0]}, which is not as it was made; delete it and run the workflow "
            "again"
        )


def check_writable(folder: str | Path) -> None:
    """Make a folder if it is missing, and make sure that files can be written there.

    Raises
    ------
    InputError
        If the folder cannot be made or written to.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f"the folder {Path(folder).resolve()} cannot be written to ({error.strerror}); "
            "change its permissions or choose another"
        ) from None


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Give a temporary path beside `path`, and move it there if the block succeeds.

    Raises
    ------
    InputError
        If the operating system refuses: no permission, no space, not a folder.
    """
    path = Path(path)
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is there and no file; name another place, or take it away")
    # One name for all attempts: what a killed one left is overwritten by the next.
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written ({error.strerror or error}); "
            "free the space or the permission and run again"
        ) from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _json(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _to_arrow(values: np.ndarray) -> Any:
    """Convert without `pyarrow.array`, which imports pandas, where the type allows it."""
    import pyarrow as pa

    if values.dtype.kind in "UO":
        return pa.array(values.tolist(), pa.string())
    if values.dtype.kind == "b":
        bits = np.packbits(values, bitorder="little")
        return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(
        pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(values)]
    )


def _from_arrow(column: Any) -> np.ndarray:
    """Convert without ``to_numpy``, which imports pandas, where the type allows it."""
    import pyarrow as pa

    array = column.combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = array.chunk(0)
    if pa.types.is_string(array.type):
        return np.array(array.to_pylist(), dtype=object)
    data, offset, size = array.buffers()[1], array.offset, len(array)
    if array.null_count:
        raise ValueError("a column of numbers has missing values")
    if pa.types.is_boolean(array.type):
        bits = np.frombuffer(data or b"", np.uint8)
        return np.unpackbits(bits, bitorder="little")[offset : offset + size].astype(bool)
    dtype = np.dtype(array.type.to_pandas_dtype())
    return np.frombuffer(data or b"", dtype)[offset : offset + size].copy()
