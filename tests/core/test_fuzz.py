"""Whatever comes in, only ValueError, TypeError and IllegalActionError come out: never a panic.

Saved bytes and garbled texts are tried in tests/batch too; here with pictures, hints and words.
"""

from __future__ import annotations

import copy
import json
import random
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import adjoin
from adjoin import Match
from adjoin.learning.checkpoints import CheckpointError
from adjoin.learning.policies import Network, Policy, shapes
from scaffold import IS_LONG, ISLAND, OPTIONS, ORCHARD, SHUTTLE, VARIANTS, Variant, chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

REFUSALS = (ValueError, TypeError)
"""IllegalActionError is a ValueError."""

WITH_JSON = [name for name, variant in VARIANTS.items() if variant.game != "mapello"]
"""The games whose positions are JSON."""

COMBINATIONS = 200 if IS_LONG else 50
"""How many sets of options are tried in each game."""

CHARACTERS = "XO.#+J- \n\t\r0123456789abcdefgh,\"'{}[]:\\\0é×\U0001f600\u2028\ud800"


def attempt(call: Callable[[Any], Any], given: Any) -> Any:
    """Return what a call gives, or None if it refuses."""
    try:
        return call(given)
    except REFUSALS:
        return None
    except BaseException as error:  # a panic is no Exception
        pytest.fail(f"{type(error).__name__}: {error} came out for {given!r}")


def random_text(rng: random.Random) -> str:
    return "".join(rng.choices(CHARACTERS, k=rng.randrange(130)))


def mutated(rng: random.Random, text: str) -> str:
    """Replace, insert, delete, repeat or cut at a few places."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.randint(0, 12))
        new = rng.choice(["", rng.choice(CHARACTERS), text[at:to] * 2, "9" * 40, "-1", "1e99"])
        text = text[:at] + new + text[to if rng.random() < 0.7 else at :]
    return text


def use(match: Match) -> None:
    """Do with a match whatever can be done, to its end."""
    match.why_not(0)
    if not match.is_over:
        match.hint()
    for seat in range(match.spec.seats):
        match.text(seat)
        match.svg(seat)
        guess = match.copy()
        guess.resample_hidden(seat, 1)
        assert guess.view(seat) == match.view(seat)
    attempt(Match.timeout, match)
    match.play_random()
    assert match.is_over
    assert len(match.returns) == match.spec.seats
    assert len(match.sentences) == len(match.history)
    assert match.result
    match.svg("all")
    match.position()
    again = Match(match.spec.name, **match.spec.options)
    again.load(match.save())
    assert again.save() == match.save()


def read_positions(variant: Variant, texts: Iterator[str]) -> tuple[int, int]:
    """Try positions, play on from those that can be read; return how many can and how many not."""
    match = variant.match()

    def read_at(text: str) -> str:
        match.set_position(text)
        return text

    read, refused = 0, 0
    for text in texts:
        before = match.save()
        if attempt(read_at, text) is not None:
            use(match.copy())
            read += 1
        else:
            assert match.save() == before
            refused += 1
    return read, refused


def position_of(variant: Variant, seed: int, decisions: int) -> str:
    match = variant.match(seed=seed)
    match.play_random(decisions)
    return match.position()


@pytest.mark.parametrize("chunk", chunks(8))
@pytest.mark.parametrize("name", [name for name in VARIANTS if name not in WITH_JSON])
def test_any_text_as_a_position(name: str, chunk: int) -> None:
    rng, variant = random.Random(chunk), VARIANTS[name]
    position = position_of(variant, chunk, 20)
    texts = (mutated(rng, position) if rng.random() < 0.8 else random_text(rng) for _ in range(300))
    read, refused = read_positions(variant, texts)
    assert read > 0
    assert refused > 0


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Return every container of a JSON value with every key or index in it."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from leaves(value[key])


def shuffled(rng: random.Random, text: str) -> str:
    """Change what a JSON text says: exchange, repeat, move, remove and replace parts of it."""
    whole = json.loads(text)
    for _ in range(rng.randint(1, 3)):
        (there, key), (other, other_key) = rng.choices(list(leaves(whole)), k=2)
        one, two = copy.deepcopy((there[key], other[other_key]))
        change = rng.choice(["exchange", "repeat", "replace", "count", "move", "remove"])
        if change == "exchange":
            there[key], other[other_key] = two, one
        elif change == "repeat":
            there[key] = two
        elif change == "replace":
            there[key] = copy.deepcopy(rng.choice(VALUES))
        elif change == "count" and isinstance(one, int):
            there[key] = one + rng.choice([-1, 1, 200])
        elif change == "move" and isinstance(other, list):
            del there[key]
            other.insert(0, one)
        else:
            del there[key]
        if not whole:
            break
    return json.dumps(whole)


@pytest.mark.parametrize("chunk", chunks(16))
@pytest.mark.parametrize("name", WITH_JSON)
def test_any_json_as_a_position(name: str, chunk: int) -> None:
    rng, variant = random.Random(chunk), VARIANTS[name]
    positions = [position_of(variant, rng.getrandbits(32), decisions) for decisions in range(40)]
    texts = (shuffled(rng, rng.choice(positions)) for _ in range(100))
    read, refused = read_positions(variant, texts)
    assert read > 0
    assert refused > 0


@pytest.mark.parametrize("chunk", chunks(8))
def test_any_text_as_an_action(brief: Variant, chunk: int) -> None:
    rng = random.Random(chunk)
    match = brief.match(seed=chunk)
    for _ in range(700):
        if match.is_over:
            match = brief.match(seed=rng.getrandbits(64))
        name = rng.choice(match.legal())
        text = mutated(rng, name) if rng.random() < 0.9 else random_text(rng)
        before = match.save()
        attempt(match.why_not, text)
        assert match.save() == before
        decisions = len(match.history)
        attempt(match.play, text)
        assert (match.save() == before) == (len(match.history) == decisions)


def tiny_policy(folder: Path) -> Path:
    """Write a policy of 8 hidden numbers."""
    sizes = shapes(adjoin.Batch("domiphun").spec, (8,), (8,))
    arrays = {name: np.ones(size, np.float32) for name, size in sizes.items()}
    return Policy("domiphun", {}, Network.of(arrays)).save(folder / "policy.safetensors")


def flipped(rng: random.Random, content: bytes) -> bytes:
    """Change a few bits, or cut the end off."""
    altered = bytearray(content)
    for _ in range(rng.randint(1, 3)):
        altered[rng.randrange(len(altered))] ^= 1 << rng.randrange(8)
    return bytes(altered)[: rng.choice([None, None, None, rng.randrange(len(altered))])]


@pytest.mark.parametrize("chunk", chunks(8))
def test_any_bytes_as_a_policy(tmp_path: Path, chunk: int) -> None:
    rng = random.Random(chunk)
    path = tiny_policy(tmp_path)
    whole = path.read_bytes()
    for _ in range(150):
        path.write_bytes(flipped(rng, whole))
        refusal = ""
        try:
            Policy.load(path).values(np.ones((2, 42), np.uint8))
        except CheckpointError as error:
            refusal = str(error)
        assert refusal == "" or refusal.startswith(f"{path}: ")


VALUES = [
    None,
    True,
    -1,
    0,
    1,
    1.5,
    2**31,
    2**64,
    10**400,
    "",
    "f5",
    "x" * 300,
    [],
    [1],
    {},
    {"a": 1},
]


@pytest.mark.parametrize("chunk", chunks(16))
def test_any_text_as_a_replay(brief: Variant, chunk: int) -> None:
    rng = random.Random(chunk)
    match = brief.match(seed=chunk)
    match.play_random(10)
    if chunk % 2:
        match.load(match.save())
        attempt(Match.timeout, match)
        match.play_random(5)
    replay = match.replay()
    for _ in range(100):
        lines = [json.loads(line) for line in replay.splitlines()]
        line = rng.choice(lines)
        line[rng.choice([*line, "start", "more"])] = rng.choice(VALUES)
        text = "\n".join(map(json.dumps, lines))
        attempt(Match.from_replay, text)
        attempt(Match.from_replay, mutated(rng, replay))
        attempt(Match.from_replay, random_text(rng))
    assert Match.from_replay(replay).save() == match.save()


@pytest.mark.parametrize("chunk", chunks(8))
def test_any_value_as_an_option(game: str, chunk: int) -> None:
    rng = random.Random(chunk)
    names = list(adjoin.Batch(game).spec.options)
    values = [*VALUES, float("nan"), b"x", object(), {1, 2}, (1, 2), ["a1", (0, 4)], "\ud800"]
    values += [value for sets in OPTIONS.values() for one in sets for value in one.values()]
    for _ in range(500):
        options = {rng.choice(names): rng.choice(values) for _ in range(rng.randint(1, 3))}
        match = attempt(lambda options: Match(game, **options), options)
        if match is not None:
            match.play_random(5)


def test_any_options_that_are_good_one_by_one(game: str) -> None:
    rng = random.Random(0)
    good: dict[str, list[Any]] = {}
    for options in OPTIONS[game]:
        for name, value in options.items():
            good.setdefault(name, []).append(value)
    made = 0
    for _ in range(COMBINATIONS):
        chosen = rng.sample(list(good), rng.randint(1, len(good)))
        options = {name: rng.choice(good[name]) for name in chosen}
        match = attempt(lambda options: Match(game, **options), options)
        if match is not None:
            use(match)
            made += 1
    assert 0 < made < COMBINATIONS


OWN: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "atlas": ("mapominoes", ISLAND.option(), {"table": (5, 3)}),
    "stations": ("metro_domino", SHUTTLE.option(), {}),
    "deck": ("connections", ORCHARD.option(), {"max_turns": 5}),
}
"""Options that take data of one's own: the game, the data, options to go with them."""


@pytest.mark.parametrize("chunk", chunks(8))
@pytest.mark.parametrize("name", OWN)
def test_any_json_as_data_of_ones_own(name: str, chunk: int) -> None:
    rng = random.Random(chunk)
    game, option, others = OWN[name]
    good = json.dumps(option["custom"])
    made = 0
    for _ in range(300):
        options = {name: {"custom": json.loads(shuffled(rng, good))}, **others}
        match = attempt(lambda options: Match(game, **options), options)
        if match is not None:
            use(match)
            made += 1
    assert 0 < made < 300
