"""The page to play on: the core in a real Chromium, the engine around it, the file from disk."""

from __future__ import annotations

import base64
import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import adjoin
from adjoin import _core
from adjoin.playing import page as make_page
from adjoin.playing.pages import MODULE
from adjoin.playing.scripts import WEB
from interfaces import in_chromium, with_module
from scaffold import A_SHORT_SEARCH, IS_LONG, VARIANTS, cases

pytestmark = [*in_chromium, with_module]

AGENTS = (None, "greedy", A_SHORT_SEARCH)
MATCHES = [
    (name, agent)
    for number, name in enumerate(VARIANTS)
    for agent in (AGENTS if IS_LONG else [AGENTS[number % len(AGENTS)]])
]
"""Every variant by one of the agents in turn, or by all."""

LOAD = """async ([scripts, packed]) => {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const load = (name) => import(
    URL.createObjectURL(new Blob([scripts[name]], { type: "text/javascript" }))
  );
  const worker = await load("worker.js");
  const { Engine } = await load("engine.js");
  const module = await WebAssembly.compile(bytes);
  const engine = await Engine.start(bytes, { workerSource: scripts["worker.js"] });
  const open = (sitters) => ({ ask: "open", game: "ladder", seed: 1, sitters });
  const pause = () => new Promise((resolve) => setTimeout(resolve, 20));
  /** Instances that trap as long as `fails` says so of a question. */
  const failing = (fails) => () => {
    const ask = worker.instantiate(module);
    return (text) => {
      if (fails(JSON.parse(text))) throw new WebAssembly.RuntimeError("unreachable");
      return ask(text);
    };
  };
  Object.assign(window, { ...worker, Engine, bytes, engine, open, pause, failing, scripts });
}"""
"""What the tests here use in the browser."""


@pytest.fixture(scope="module")
def console(chromium: Any) -> Iterator[Any]:
    """A page with the scripts loaded and nothing to see."""
    page = chromium.new_page()
    scripts = {name: (WEB / name).read_text("utf-8") for name in ("worker.js", "engine.js")}
    page.evaluate(LOAD, [scripts, base64.b64encode(MODULE.read_bytes()).decode()])
    yield page
    page.close()


# The core.


@cases(("name", "agent"), MATCHES)
def test_a_match_is_the_same_in_a_browser(console: Any, name: str, agent: str | None) -> None:
    variant = VARIANTS[name]
    options = _core.plain(copy.deepcopy(variant.options))
    question = {"ask": "digest", "game": variant.game, "options": options, "seed": 7}
    there = console.evaluate("question => engine.ask(question)", {**question, "agent": agent})
    assert there == _core.digest(variant.game, options, 7, agent)
    assert there["decisions"] > 5


def test_a_bad_question_is_refused_and_the_engine_goes_on(console: Any) -> None:
    refused = console.evaluate(
        """async () => {
          const bad = [
            { ask: "dance" }, {}, { ask: "spec", game: "chess" }, open(["person"]),
            open(["person", "search(seconds=1)"]), { ask: "resume", saved: { format: "x" } },
          ];
          return Promise.all(bad.map((one) => engine.ask(one).catch((error) => error.message)));
        }"""
    )
    for message, words in zip(
        refused,
        [
            "unknown variant `dance`, expected one of `games`",
            "missing field `ask`",
            'unknown game "chess"',
            "sitters = 1 of them: must be one for each of 2 seats",
            "there is no clock in a browser; give iterations",
            'the saved match cannot be read: expected {"format": "adjoin save 1", ...}',
        ],
        strict=True,
    ):
        assert words in message
    assert console.evaluate("engine.ask({ ask: 'games' }).then(({ games }) => games.length)") == 5


# The engine.


def test_agents_play_by_themselves_and_questions_are_answered_in_between(console: Any) -> None:
    done = console.evaluate(
        """async () => {
          const numbers = [], answers = [];
          const over = new Promise((resolve) => {
            engine.onupdate = (update) => {
              numbers.push(update.number);
              answers.push(engine.ask({ ask: "save" }));
              if (update.is_over) resolve();
            };
          });
          const first = await engine.ask({ ...open(["greedy", "random"]), pace: 1 });
          await over;
          const lengths = (await Promise.all(answers)).map(({ replay }) => replay.length);
          return { first: first.number, numbers, lengths };
        }"""
    )
    numbers = done["numbers"]
    assert numbers == list(range(done["first"] + 1, done["first"] + 1 + len(numbers)))
    assert len(set(done["lengths"])) > 1, "it was asked while they played"


def test_a_person_is_waited_for_and_a_new_deal_is_another(console: Any) -> None:
    seeds = console.evaluate(
        """async () => {
          engine.onupdate = () => {};
          const { number } = await engine.ask(open(["person", "greedy"]));
          const saved = () => engine.ask({ ask: "save" });
          const seed = async () => (await saved()).replay.match(/"seed":(\\d+)/)[1];
          const before = await seed();
          await pause();
          const { number: still } = await engine.ask({ ask: "update" });
          await engine.ask({ ask: "receive", message: { do: "new", number } });
          return [number, still, before, await seed()];
        }"""
    )
    assert seeds[0] == seeds[1]
    assert seeds[2] != seeds[3]


def test_a_closed_engine_refuses(console: Any) -> None:
    said = console.evaluate(
        """async () => {
          const short = await Engine.start(bytes, { workerSource: scripts["worker.js"] });
          const waiting = short.ask({ ask: "games" }).catch((error) => error.message);
          short.close();
          return [await waiting, await short.ask({ ask: "games" }).catch((error) => error.message)];
        }"""
    )
    assert said == ["the engine is closed"] * 2


def test_bytes_that_are_no_module_are_refused(console: Any) -> None:
    said = console.evaluate(
        """Engine.start(new Uint8Array(9), { workerSource: scripts["worker.js"] })
          .catch((error) => error.message)"""
    )
    assert "WebAssembly" in said


# What the core gets wrong.


@cases("failing", ["receive", "step", "frame"])
def test_a_trap_loses_nothing(console: Any, failing: str) -> None:
    done = console.evaluate(
        """async (name) => {
          let traps = 0;
          const play = ({ actions, number }) => (
            { ask: "receive", message: { do: "play", what: actions[0].action, number } }
          );
          const whole = (fails) => {
            const match = new Match(failing(fails)), recovered = [];
            const ask = (question) => {
              const answer = match.ask(question);
              if (!answer.recovered) return answer.update ?? answer;
              recovered.push(answer);
              return answer;
            };
            let update = ask(open(["person", "greedy"]));
            while (!update.is_over) {
              ask({ ask: "frame", at: 0 });
              update = match.ask({ ask: "update" });
              update = ask(update.is_thinking ? { ask: "step" } : play(update));
            }
            return { recovered, log: update.log, replay: match.ask({ ask: "save" }).replay };
          };
          let asked = 0;
          const trapped = whole(({ ask }) => ask === name && ++asked === 3);
          const fine = whole(() => false);
          return { trapped, fine };
        }""",
        failing,
    )
    trapped, fine = done["trapped"], done["fine"]
    (recovered,) = trapped.pop("recovered")
    assert fine.pop("recovered") == []
    assert recovered["log"]
    assert recovered["actions"] or recovered["is_thinking"]
    assert trapped == fine


def test_a_trap_before_the_first_match_is_told(console: Any) -> None:
    said = console.evaluate(
        """() => {
          let isFirst = true;
          const match = new Match(failing(() => isFirst && !(isFirst = false)));
          try {
            match.ask({ ask: "games" });
          } catch (error) {
            return [error.message, match.ask({ ask: "games" }).games.length];
          }
        }"""
    )
    assert said == ["the core failed and begins anew: unreachable", 5]


def test_an_agent_that_always_traps_is_asked_twice_and_the_match_stays(console: Any) -> None:
    done = console.evaluate(
        """async () => {
          const shown = [];
          let steps = 0;
          const fails = ({ ask }) => ask === "step" && ++steps;
          const match = new Match(failing(fails));
          const host = new Host(match, (update) => shown.push(update.recovered));
          const { number } = host.ask(open(["greedy", "person"]));
          while (steps < 2) await pause();
          await pause();
          host.ask({ ask: "update" });
          await pause();
          const before = steps;
          host.ask({ ask: "receive", message: { do: "hint", number } });
          while (steps < 4) await pause();
          return { shown, before, lines: host.ask({ ask: "save" }).replay.split("\\n").length };
        }"""
    )
    assert done["shown"][:2] == [True, True]
    assert done["before"] == 2
    assert done["lines"] == 3, "where it began, the result, and nothing after it"


# The file.


def test_a_file_with_any_letters_opens_from_disk_and_fetches_nothing(
    chromium: Any, tmp_path: Path
) -> None:
    island = adjoin.Atlas.build(
        ["</script><b>", 'Ôle & "Co"', "<!--x", "@MODULE@"],
        [("</script><b>", "<!--x"), ("<!--x", "@MODULE@"), ("@MODULE@", 'Ôle & "Co"')],
        name="island",
    )
    file = tmp_path / "a page & more.html"
    file.write_text(make_page("mapominoes", atlas=island, table=(3, 3), seed=1), encoding="utf-8")
    context = chromium.new_context(offline=True)
    page = context.new_page()
    errors: list[str] = []
    fetched: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: fetched.append(request.url))
    page.goto(file.as_uri())
    page.get_by_role("button", name="Start").click()
    page.locator("svg [data-place]").first.wait_for()
    assert page.locator("b").count() == 0
    context.close()
    assert errors == []
    assert [url for url in fetched if not url.startswith(("file:", "blob:", "data:"))] == []
