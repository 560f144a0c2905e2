"""Packages that some things need and most do not."""

from __future__ import annotations

import importlib
from typing import Any


def need(module: str, package: str | None = None) -> Any:
    """Return a module, or say what to install; ``package`` is its name unless it is the same."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        name = module.partition(".")[0]
        raise ImportError(f"this needs {name}: pip install '{package or name}'") from error
