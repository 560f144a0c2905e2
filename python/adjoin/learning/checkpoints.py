"""Checkpoints: arrays, and what they belong to. Needs numpy alone."""

from __future__ import annotations

import io
import json
import math
import os
import tokenize
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.core.spec import Spec, options_json
from adjoin.data.files import read_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray


CHECKPOINT = "adjoin checkpoint 2"
_LARGEST = 2**31
"""Bytes of the largest file that is read."""
_DAMAGE = (
    EOFError,
    NotImplementedError,
    OSError,
    RecursionError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    tokenize.TokenError,
    zipfile.BadZipFile,
)
"""What reading altered bytes can raise."""


class CheckpointError(ValueError):
    """A file is no policy or checkpoint, is damaged, or belongs to another game or version."""


def write(
    path: str | os.PathLike[str],
    spec: Spec,
    options: Mapping[str, Any],
    more: Mapping[str, Any],
    arrays: Mapping[str, NDArray[Any]],
) -> Path:
    """Write arrays and what they belong to."""
    about = {
        "format": CHECKPOINT,
        "game": spec.name,
        "version": spec.version,
        "rows": spec.rows_digest,
        "options": json.loads(options_json(dict(options))),
        **more,
    }
    content = io.BytesIO()
    everything: dict[str, Any] = {"about": np.array(json.dumps(about)), **arrays}
    np.savez(content, **everything)
    return put(path, content.getvalue())


def put(path: str | os.PathLike[str], content: bytes) -> Path:
    """Write a file, which is there whole or not at all."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    try:
        beside.write_bytes(content)
        os.replace(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return path


class Archive:
    """A file that ``write`` wrote, of this version of its game.

    Arrays are unpacked when they are asked for, and no others. Whatever is wrong with the file is
    a ``CheckpointError`` that names it.
    """

    about: dict[str, Any]
    """What the file is about."""
    spec: Spec
    """The game that it belongs to."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        size = self.path.stat().st_size
        if size > _LARGEST:
            raise self.refusal(f"{size:,} bytes; no file of adjoin has more than {_LARGEST:,}")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(self.path.read_bytes()))
            self.about = read_json(str(self._unpacked("about", np.str_, ())))
            found = self.about["format"]
        except (*_DAMAGE, KeyError) as error:
            raise self.refusal(f'expected "{CHECKPOINT}"; damaged, or another file') from error
        if found != CHECKPOINT:
            raise self.refusal(f'is "{found}", expected "{CHECKPOINT}"')
        self.spec = self._checked_spec()

    def refusal(self, message: str) -> CheckpointError:
        """Return an error about the file."""
        return CheckpointError(f"{self.path}: {message}")

    def _checked_spec(self) -> Spec:
        about = self.about
        try:
            game, options, version = about["game"], about["options"], about["version"]
            rows = about["rows"]
            spec = Spec.of(game, options)
        except (KeyError, *_DAMAGE) as error:
            raise self.refusal(f"damaged: what it is about cannot be read ({error})") from error
        if version != spec.version or rows != spec.rows_digest:
            raise self.refusal(
                f"was made for version {version} of {spec.name}; this is version {spec.version}: "
                "its rows mean something else"
            )
        return spec

    def __contains__(self, name: str) -> bool:
        """Tell whether there is such an array."""
        return f"{name}.npy" in self._zip.NameToInfo

    def array(self, name: str, kind: Any, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """Return an array of a kind and a shape, ``None`` for any length; numbers are finite."""
        try:
            array = self._unpacked(name, kind, shape)
        except KeyError as error:
            raise self.refusal(f"damaged: {name} is missing") from error
        except _DAMAGE as error:
            raise self.refusal(f"damaged: {name} cannot be read ({error})") from error
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise self.refusal(f"damaged: {name} has numbers that are not finite")
        return array

    def _unpacked(self, name: str, kind: Any, shape: tuple[int | None, ...]) -> NDArray[Any]:
        """Read one array after a look at its size, which is never more than that of the file."""
        info = self._zip.getinfo(f"{name}.npy")
        if info.compress_type != zipfile.ZIP_STORED:
            raise ValueError("it is compressed, as no file of adjoin is")
        with self._zip.open(info) as member:
            if np.lib.format.read_magic(member) != (1, 0):
                raise ValueError("it is in a format that adjoin does not write")
            found, is_fortran, dtype = np.lib.format.read_array_header_1_0(member)
            if not np.issubdtype(dtype, kind) or not _is_like(found, shape):
                raise ValueError(
                    f"expected {_words(np.dtype(kind), shape)}, got {_words(dtype, found)}"
                )
            size = math.prod(found) * dtype.itemsize
            if info.file_size != member.tell() + size:
                raise ValueError(f"{_words(dtype, found)} takes {size} bytes")
            content = member.read()
        return np.frombuffer(content, dtype).reshape(found, order="F" if is_fortran else "C")


def _is_like(found: tuple[int, ...], shape: tuple[int | None, ...]) -> bool:
    return len(found) == len(shape) and all(
        wanted in (None, length) for length, wanted in zip(found, shape, strict=True)
    )


def _words(dtype: np.dtype[Any], shape: tuple[int | None, ...]) -> str:
    lengths = " × ".join("any" if length is None else str(length) for length in shape)
    return f"{lengths or 'one'} {dtype.name}"
