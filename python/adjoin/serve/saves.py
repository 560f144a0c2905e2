"""Rooms on disk, from when a server is told to stop until the next one starts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_FORMAT = "adjoin rooms 1"


def default_folder() -> Path:
    """Return where programs of this user keep what they go on with."""
    home = Path.home()
    if sys.platform == "win32":
        state = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        state = home / "Library" / "Application Support"
    else:
        state = Path(os.environ.get("XDG_STATE_HOME") or home / ".local" / "state")
    return state / "adjoin" / "serve"


def rooms_file(folder: Path, port: int) -> Path:
    """Return the file of the server on a port."""
    return folder / f"rooms-{port}.json"


def check_folder(folder: Path) -> None:
    """Make the folder if it is not there; fail now rather than when rooms are to be written."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise PermissionError(
            13, "rooms cannot be written here; choose another with --save", folder
        )


def write(file: Path, saved: Mapping[str, Any]) -> None:
    """Write what is to go on, whole or not at all, for the eyes of this user only."""
    draft = file.with_suffix(".new")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w", encoding="utf-8") as stream:
        json.dump({"format": _FORMAT, **saved}, stream)
        stream.flush()
        os.fsync(stream.fileno())
    draft.replace(file)


def read(file: Path) -> dict[str, Any] | None:
    """Return what was written, or None if nothing was."""
    try:
        text = file.read_text("utf-8")
    except FileNotFoundError:
        return None
    try:
        saved = json.loads(text)
        if saved["format"] != _FORMAT:
            raise ValueError(f"its format is {saved['format']!r}, not {_FORMAT!r}")
    except (ValueError, KeyError, TypeError) as error:
        raise unreadable(file, error) from error
    return dict(saved)


def unreadable(file: Path, error: Exception) -> ValueError:
    """Return what to say of a file that cannot be gone on with."""
    why = f"{type(error).__name__}: {error}"
    return ValueError(f"{file}: no saved rooms ({why}); move the file away to start without them")
