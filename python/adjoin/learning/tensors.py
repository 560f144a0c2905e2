"""Files of weights: safetensors, the field's format of named arrays that holds nothing that runs."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin.data.files import read_json
from adjoin.learning.checkpoints import CheckpointError, put

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

_KINDS = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}
_LARGEST = 2**24
"""Bytes of the largest file that is read."""


def write(
    path: str | os.PathLike[str], about: Mapping[str, str], arrays: Mapping[str, NDArray[Any]]
) -> Path:
    """Write arrays as halves, and what they belong to; a file is there whole or not at all."""
    header: dict[str, Any] = {"__metadata__": dict(about)}
    content = b""
    for name, array in arrays.items():
        data = np.ascontiguousarray(array, _KINDS["F16"]).tobytes()
        ends = [len(content), len(content) + len(data)]
        header[name] = {"dtype": "F16", "shape": list(array.shape), "data_offsets": ends}
        content += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return put(path, len(text).to_bytes(8, "little") + text + content)


def read(path: str | os.PathLike[str]) -> tuple[dict[str, str], dict[str, NDArray[np.float32]]]:
    """Return what a file says that its arrays belong to, and the arrays, all of them finite."""
    path = Path(path)
    size = path.stat().st_size
    if size > _LARGEST:
        raise CheckpointError(
            f"{path}: {size:,} bytes; no policy of adjoin has more than {_LARGEST:,}"
        )
    content = path.read_bytes()
    try:
        length = int.from_bytes(content[:8], "little")
        if not 0 < length <= len(content) - 8:
            raise ValueError("its header is longer than itself")
        header = read_json(content[8 : 8 + length].decode())
        about = header.pop("__metadata__")
        if not all(isinstance(text, str) for text in about.values()):
            raise ValueError("what it is about is no text")
        data = memoryview(content)[8 + length :]
        arrays = {name: _array(data, entry) for name, entry in header.items()}
    except (AttributeError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise CheckpointError(f"{path}: no file of weights, or damaged ({error})") from error
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise CheckpointError(f"{path}: damaged: {name} has numbers that are not finite")
    return about, arrays


def _array(data: memoryview, entry: dict[str, Any]) -> NDArray[np.float32]:
    kind, shape = _KINDS[entry["dtype"]], tuple(entry["shape"])
    start, end = entry["data_offsets"]
    if not 0 <= start <= end <= len(data) or math.prod(shape) * kind.itemsize != end - start:
        raise ValueError("an array does not lie where it should")
    return np.frombuffer(data[start:end], kind).reshape(shape).astype(np.float32)
