"""The games for language models, as TextArena environments.

Needs ``pip install 'adjoin[text]'``. To import it registers the games: ``adjoin/Mapello-v0`` and so
on, each also with TextArena's ``-train`` (the last table only) and ``-raw`` (no wrappers).

>>> import textarena as ta
>>> env = ta.make("adjoin/Mapello-v0", setup="othello")
>>> env.reset(num_players=2, seed=1)
>>> player, observation = env.get_observation()
>>> observation.splitlines()[-1]
'legal actions: [d3] [c4] [f5] [e6]'
>>> env.step("I take the corner: [a1]")
(False, {})
>>> player, observation = env.get_observation()
>>> "[a1] is not legal: a disc there would flip nothing (MAPE-6)." in observation
True
>>> env.step("[d3]")
(False, {})
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from adjoin import _core
from adjoin._core import IllegalActionError
from adjoin.core.batch import Batch
from adjoin.core.buffers import CUT_OFF, RUNNING
from adjoin.core.match import Match
from adjoin.core.spec import Spec, games
from adjoin.support.arguments import as_seed, whole
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from adjoin.core.batch import Reward
    from adjoin.core.options import GameOptions

ta = need("textarena", "adjoin[text]")

__all__ = ["Env", "register", "system_text"]

_SEEN = ta.ObservationType


def system_text(game: str, **options: Unpack[GameOptions]) -> str:
    """Return the rule page of a game and how to answer: the system text of a language model."""
    return _system_text(Spec.of(game, options))


def _system_text(spec: Spec) -> str:
    return (
        f"{spec.title}, {spec.seats} players.\n{spec.rules_in_short.rstrip()}\n"
        "Each of your decisions is one of the legal actions that are listed. Answer with it in "
        "square brackets; of several, the last counts. A code in round brackets is the clause of "
        "the rules that says so."
    )


class Env(ta.Env):  # type: ignore[name-defined]
    """A match of one game for language models, a player a seat.

    A player reads the system text, then before each decision what the others did since, the table
    as its seat sees it, and the legal actions in the game's notation. It answers with one of them
    in square brackets. What else it writes is for itself: nobody else reads it.

    An illegal action is refused with the reason and the clause, ``error_allowance`` times in
    succession; after that its player has lost the match, and the others share the win. ``reward``
    is ``"win"``, -1 to 1, or ``"points"``; see ``Batch``. The remaining keywords are the game's
    options; the number of players is that of ``reset``.
    """

    def __init__(
        self,
        game: str,
        *,
        reward: Reward = "win",
        error_allowance: int = 1,
        max_decisions: int = 10_000,
        **options: Unpack[GameOptions],
    ) -> None:
        self._game, self._reward, self._max_decisions = game, reward, max_decisions
        self._options: Mapping[str, Any] = options
        self._error_allowance = whole("error_allowance", error_allowance, 0, 2**31 - 1)
        Batch.of(game, options, max_decisions=max_decisions, reward=reward)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a match of so many players: the deal of ``Match(game, seed=seed)``."""
        options = dict(self._options)
        if "players" in Spec.of(self._game, options).options:
            options.setdefault("players", num_players)
        spec = Spec.of(self._game, options)
        if num_players != spec.seats:
            raise ValueError(f"num_players = {num_players}: {spec.title} has {spec.seats} here")
        fresh = int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
        deal = fresh if seed is None else as_seed(seed)
        self._batch = Batch.of(
            self._game, options, max_decisions=self._max_decisions, reward=self._reward
        )
        self._batch.restart_lane(0, deal)
        self.match = Match(self._game, seed=deal, max_decisions=self._max_decisions, **options)
        kind = ta.TwoPlayerState if num_players == 2 else ta.FFAMultiPlayerState
        self.state = kind(num_players, seed, error_allowance=self._error_allowance)
        self.state.reset(
            game_state={},
            player_prompt_function=lambda player_id, game_state: (
                f"You are Player {player_id}, at seat {player_id}. {_system_text(spec)}"
            ),
            role_mapping={player: f"Player {player}" for player in range(num_players)},
        )
        self._earned = np.zeros(num_players)
        self._told: list[list[str]] = [[] for _ in range(num_players)]
        self._show()

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play what a player answered, or say why it cannot be played."""
        player = self.state.current_player_id
        self.state.add_observation(action, _SEEN.PLAYER_ACTION, from_id=player, to_id=player)
        answer = (re.findall(r"\[([^\[\]]*)\]", action) or [action])[-1].strip()
        try:
            played = self.match.action_id(answer)
            self.match.play(played)
        except IllegalActionError as why:
            self._refuse(player, answer, why)
            return self._end_of_step()
        *_, rewards, status = self._batch.step_lane(0, played)
        self._earned += rewards
        self._tell()
        if status != RUNNING:
            is_cut_off = status == CUT_OFF
            limit = f"the match was cut off after {self._max_decisions} decisions"
            self._finish(self._earned.tolist(), limit if is_cut_off else self.match.result)
        return self._end_of_step()

    def _end_of_step(self) -> tuple[bool, dict[str, Any]]:
        """Let TextArena count, and turn to who is to act."""
        goes_on = not (self.state.done or self.state.made_invalid_move)
        done, info = self.state.step(rotate_player=False)
        if goes_on:
            self._show()
        return done, info

    def _show(self) -> None:
        """Show the table to who is to act."""
        seat = self.match.to_act
        self.state.manually_set_current_player_id(seat)
        legal = " ".join(f"[{action}]" for action in self.match.legal())
        shown = f"\n{self.match.text(seat).rstrip()}\nlegal actions: {legal}"
        self.state.add_observation(shown, _SEEN.GAME_BOARD, to_id=seat)

    def _tell(self) -> None:
        """Tell everybody what they may know of the last decision."""
        seats = len(self._told)
        names = [f"Player {seat}" for seat in range(seats)]
        session = _core.Session(self.match._core, ["person"] * seats, names)
        for seat, told in enumerate(self._told):
            log = session.log(seat)
            # What somebody does in succession is one sentence, which grows.
            same = sum(1 for one, other in zip(told, log, strict=False) if one == other)
            if log[same:]:
                news = "; ".join(log[same:])
                self.state.add_observation(news, _SEEN.GAME_ACTION_DESCRIPTION, to_id=seat)
            self._told[seat] = log

    def _refuse(self, player: int, answer: str, why: IllegalActionError) -> None:
        clause = f" ({why.clause})" if why.clause else ""
        legal = " ".join(f"[{action}]" for action in why.legal)
        reason = f"[{answer}] is not legal: {why.reason}{clause}."
        errors = self.state.error_count
        self.state.set_invalid_move(f"{reason} Legal actions: {legal}")
        if errors >= self._error_allowance:
            self.state.game_info[player]["invalid_move"] = True
            left = self._batch.forfeit(0, player)
            others = -left / (len(self._told) - 1) if self._reward == "win" else 0.0
            rewards = self._earned + others
            rewards[player] += left - others
            self._finish(rewards.tolist(), f"Player {player}: {reason}")

    def _finish(self, rewards: list[float], reason: str) -> None:
        self.state.rewards = dict(enumerate(rewards))
        for player in range(len(rewards)):
            self.state.game_info[player]["reason"] = reason
        self.state.done = True


def register() -> list[str]:
    """Make the games known to ``textarena.make``, and return their ids."""
    from textarena.envs import BOARDGAME_WRAPPERS, DEFAULT_WRAPPERS
    from textarena.envs.registration import ENV_REGISTRY, register_with_versions

    names = []
    for game in games():
        name = Spec.of(game, {}).environment
        names.append(name)
        if name not in ENV_REGISTRY:
            register_with_versions(
                id=name,
                entry_point="adjoin.envs.text:Env",
                wrappers={"default": DEFAULT_WRAPPERS, "-train": BOARDGAME_WRAPPERS},
                game=game,
            )
    return names


register()
