"""Matches that are played while they are asked for, one table after another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from adjoin.simulation.parts import Part, check_part
from adjoin.support.arguments import whole
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from adjoin.simulation.origins import Origin
    from adjoin.simulation.tables import Table


class Stream:
    """Matches that are played while they are asked for, a table after another.

    Iterate over it, or write it to a folder of Parquet files without ever holding it in memory.

    >>> import adjoin
    >>> stream = adjoin.simulate("mapello", 3000, stream=True, part=1000)
    >>> [len(table) for table in stream]
    [1000, 1000, 1000]
    """

    def __init__(
        self,
        origin: Origin,
        parts: Sequence[range],
        tables: Callable[[Sequence[range]], Iterator[Table]],
    ) -> None:
        self.origin = origin
        self._parts = parts
        self._tables = tables

    def __iter__(self) -> Iterator[Table]:
        """Play, and yield a table after another."""
        return self._tables(self._parts)

    def __len__(self) -> int:
        """Return the number of tables to come."""
        return len(self._parts)

    def to_parquet(self, folder: str | os.PathLike[str], *, compression: str = "zstd") -> Path:
        """Write a folder of Parquet files, one for each table, and return the folder.

        Each file appears when it is whole. Whatever stops the work, a full disk or Ctrl-C, those
        that are finished stay, and the same call again goes on after them, once it has read them
        and found them whole. ``Table.read_parquet(folder)`` reads all of it as a table, and so do
        ``pl.scan_parquet("folder/*.parquet")``, ``pandas.read_parquet("folder")`` and DuckDB.
        Needs ``pip install adjoin[parquet]``.
        """
        need("pyarrow.parquet", "adjoin[parquet]")
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        names = {
            part: folder / f"part-{part.start:010}-{part.stop:010}.parquet" for part in self._parts
        }
        for path in sorted(folder.glob("part-*.parquet")):
            if path not in names.values():
                raise ValueError(
                    f"{path} holds other episodes than this run asks for: write to another folder"
                )
        for part, path in names.items():
            if path.exists():
                check_part(path, part, self.origin)
        missing = [part for part, path in names.items() if not path.exists()]
        ends = self._parts[0].start, self._parts[-1].stop
        for part, table in zip(missing, self._tables(missing), strict=True):
            said = Part(part.start, part.stop, *ends).metadata()
            try:
                table._write(names[part], compression, said)
            except OSError as error:
                kept = sum(path.exists() for path in names.values())
                message = (
                    f"{error.strerror}; {kept} of {len(names)} files are finished and stay in "
                    f"{folder}: the same call goes on after them"
                )
                raise OSError(error.errno, message) from error
        return folder


def parts(first: int, episodes: int, size: int) -> list[range]:
    """Return episodes in parts of a given size."""
    size = whole("part", size, 1, 2**32 - 1)
    return [
        range(start, min(start + size, first + episodes))
        for start in range(first, first + episodes, size)
    ]
