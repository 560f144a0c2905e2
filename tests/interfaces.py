"""The ways in that tests share: every interface with options, commands, boards and servers."""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
import pytest

import adjoin
from scaffold import play_on

if TYPE_CHECKING:
    from adjoin.playing.board import Board

COMMAND = [sys.executable, "-m", "adjoin"]
ENVIRONMENT = {**os.environ, "PYTHONIOENCODING": "utf-8"}
SHORT = ["-o", 'nations=["Wales"]', "-o", "rounds=1", "-o", "table=[8, 6]"]
"""Options of Mapominoes on the command line: a short match."""


def everywhere(game: str, option: str, others: dict[str, Any]) -> dict[str, Callable[[Any], Any]]:
    """Return, by interface, what is seen for a value of the option; at a table of three."""
    from adjoin.envs.aec import AECEnv

    environment = adjoin.Match(game).spec.environment

    def options(value: Any) -> dict[str, Any]:
        return {option: value, **others}

    def in_match(value: Any) -> Any:
        match = adjoin.Match(game, seed=3, **options(value))
        match.play_random()
        return match.history, match.save(), match.text(), match.svg()

    def in_batch(value: Any) -> Any:
        return play_on(adjoin.Batch(game, num_lanes=3, seed=3, **options(value)), 40)

    def in_simulation(value: Any) -> Any:
        table = adjoin.simulate(game, 20, ["greedy", "random", "random"], **options(value))
        return {name: column.tolist() for name, column in table.to_numpy().items()}

    def in_environment(value: Any) -> Any:
        env = gymnasium.make(environment, **options(value))
        observation, info = env.reset(seed=3)
        env.action_space.seed(3)
        seen = [observation.tolist()]
        for _ in range(20):
            action = env.action_space.sample(mask=info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
            seen.append((observation.tolist(), reward, terminated))
            if terminated or truncated:
                break
        return seen

    def in_vector_environment(value: Any) -> Any:
        envs = gymnasium.make_vec(environment, num_envs=3, **options(value))
        observation, infos = envs.reset(seed=3)
        seen = [observation.tolist()]
        for _ in range(20):
            observation, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            seen.append((observation.tolist(), rewards.tolist()))
        return seen

    def in_aec(value: Any) -> Any:
        env = AECEnv(game, render_mode="ansi", **options(value))
        env.reset(seed=3)
        for _ in range(20):
            env.step(int(env.infos[env.agent_selection]["action_mask"].argmax()))
        return env.render(), env.observe("player_2")["observation"].tolist()

    return {
        "Match": in_match,
        "Batch": in_batch,
        "simulate": in_simulation,
        "make": in_environment,
        "make_vec": in_vector_environment,
        "AEC": in_aec,
        "describe": lambda value: adjoin.describe(game, **options(value)),
    }


# Commands.


def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=text,
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=120,
        check=False,
    )


def output(*arguments: str, text: str = "") -> str:
    """Return what a command prints that goes well and complains about nothing."""
    result = run(*arguments, text=text)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr
    return result.stdout


# Boards.


def receive(widget: Any, content: Any) -> None:
    """Let the kernel get a message from the browser."""
    data = {"method": "custom", "content": content}
    widget._handle_msg({"content": {"data": data}, "buffers": []})


def send(board: Board, do: str, what: Any = None) -> dict[str, Any]:
    """Send what the page would, and return what it gets."""
    receive(board, {"do": do, "what": what, "number": board.state["number"]})
    state: dict[str, Any] = sent(board)["state"]
    return state


def sent(board: Board) -> Any:
    """Return all that the browser has, as it would read it."""
    state = {name: board.get_state()[name] for name in ("state",)}
    return json.loads(json.dumps(state, allow_nan=False))


def legal(board: Board) -> list[str]:
    return [board.match.notation(action["action"]) for action in board.state["actions"]]


def play(board: Board, wanted: str) -> dict[str, Any]:
    """Take a decision by its button."""
    return send(board, "play", board.match.action_id(wanted))


def unseen(match: adjoin.Match, you: int) -> set[str]:
    """Return what the others hold that a person cannot know, as it would be written."""
    everything, known = match.view("all")["hands"], match.view(you)["hands"]
    found = set()
    for seat, (all_of, seen) in enumerate(zip(everything, known, strict=True)):
        for card in all_of["held"] if seat != you else ():
            if card not in seen["held"]:
                sides = itertools.permutations(card) if isinstance(card, list) else [[card]]
                found |= {"-".join(map(str, side)) for side in sides}
    return found


def names(text: str, card: str) -> bool:
    """Return whether a text has a card in it."""
    return re.search(rf"(?<![\w/-]){re.escape(card)}(?![\w/-])", text) is not None


# Browsers.

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

in_chromium = [
    pytest.mark.skipif(CHROMIUM is None, reason="needs chromium: apt install chromium"),
    pytest.mark.skipif(find_spec("playwright") is None, reason="needs pip install playwright"),
    pytest.mark.filterwarnings("default::ResourceWarning"),
]
"""What tests in a browser are marked with; the fixture ``chromium`` has it."""

FRONT_END = """async ([widgets, views]) => {
  class Model {
    constructor(name, values) {
      Object.assign(this, { name, values, listeners: [] });
    }
    get(key) {
      return this.values[key];
    }
    on(event, call) {
      this.listeners.push([event, call]);
    }
    off(event, call) {
      this.listeners = this.listeners.filter(([one, other]) => one !== event || other !== call);
    }
    async send(content) {
      const changed = await window.kernel(this.name, content);
      Object.assign(this.values, changed);
      for (const [event, call] of this.listeners) if (event.slice(7) in changed) call();
    }
  }
  const shown = {};
  for (const [name, script, values] of widgets) {
    const file = new Blob([script], { type: "text/javascript" });
    const { default: widget } = await import(URL.createObjectURL(file));
    const model = new Model(name, values);
    shown[name] = (el) => widget.render({ model, el });
  }
  for (const name of views) shown[name](document.body.appendChild(document.createElement("div")));
}"""


def show_widgets(page: Any, widgets: dict[str, Any], views: Iterable[str]) -> None:
    """Show widgets on an empty page, as the front end of a notebook would."""

    from anywidget import AnyWidget

    def values(name: str) -> dict[str, Any]:
        keys = [key for key in widgets[name].keys if not key.startswith("_")]
        own = set(keys).difference(AnyWidget.class_trait_names())
        return dict(json.loads(json.dumps(widgets[name].get_state(own), allow_nan=False)))

    def kernel(name: str, content: Any) -> dict[str, Any]:
        before = values(name)
        receive(widgets[name], content)
        return {key: value for key, value in values(name).items() if value != before[key]}

    page.expose_function("kernel", kernel)
    for style in {widget.get_state("_css")["_css"] for widget in widgets.values()}:
        page.add_style_tag(content=style)
    scripts = {name: widget.get_state("_esm")["_esm"] for name, widget in widgets.items()}
    page.evaluate(FRONT_END, [[(name, scripts[name], values(name)) for name in widgets], [*views]])


# Servers.


class Server:
    """A server of our own: started at once, ready when asked for its address."""

    def __init__(self, home: Path, module: str, *arguments: str, path: str = "") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self.path = path
        self._lines: list[str] = []
        self._is_ready = threading.Event()
        dirs = ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR")
        environment = {
            **os.environ,
            **{f"JUPYTER_{name}": str(home / name.lower()) for name in dirs},
            "JUPYTERLAB_SETTINGS_DIR": str(home / "settings"),
            "JUPYTERLAB_WORKSPACES_DIR": str(home / "workspaces"),
            "IPYTHONDIR": str(home / "ipython"),
            "XDG_CONFIG_HOME": str(home / "xdg"),
            "XDG_CACHE_HOME": str(home / "xdg"),
            "XDG_STATE_HOME": str(home / "xdg"),
            "PYTHONUNBUFFERED": "1",
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments, f"--port={self._port}"],
            cwd=home,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.append(line)
            if f":{self._port}" in line:
                self._is_ready.set()
        self._is_ready.set()

    def address(self) -> str:
        """Return where it is, once it is there."""
        assert self._is_ready.wait(120), "".join(self._lines)
        assert self._process.poll() is None, "".join(self._lines)
        return self.url + self.path

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()
