"""``adjoin serve`` where it cannot start: one line that says why."""

from __future__ import annotations

import socket
from pathlib import Path

from interfaces import run


def failed(*arguments: str) -> str:
    result = run("serve", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    return result.stderr


def test_what_was_typed_wrongly_is_said(tmp_path: Path) -> None:
    assert failed("--port", "65536") == "adjoin: --port 65536: must be 0 to 65535\n"
    assert failed("--pace", "-1") == "adjoin: --pace -1: must be 0 to 60 seconds\n"
    file = tmp_path / "file"
    file.write_text("")
    assert failed("--port", "0", "--save", str(file)).startswith(f"adjoin: {file}: ")


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = failed("--port", port, "--save", str(tmp_path))
    assert said.startswith(f"adjoin: port {port}: ")
    assert said.endswith("; try another with --port\n")


def test_rooms_that_cannot_be_read_are_not_thrown_away(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    file = tmp_path / f"rooms-{port}.json"
    for text in ("", "[]", '{"format": "adjoin rooms 1"}', '{"format": "adjoin rooms 9"}'):
        file.write_text(text)
        said = failed("--port", str(port), "--save", str(tmp_path))
        assert said.startswith(f"adjoin: {file}: no saved rooms (")
        assert said.endswith("); move the file away to start without them\n")
        assert file.read_text() == text
