"""The games as OpenSpiel games, for its search, its solvers and its learners.

Needs ``pip install 'adjoin[openspiel]'``.

>>> import pyspiel
>>> register()[0]
'adjoin_mapello'
>>> game = pyspiel.load_game("adjoin_mapominoes(players=3,deals=16)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), len(state.chance_outcomes())
(True, 16)
>>> state.apply_action(5)  # the deal of Match("mapominoes", players=3, seed=5)
>>> state.current_player() in (0, 1, 2)
True

Chance is one node at the start: its outcome is the seed of the deal, one of ``deals``. What is
shuffled or drawn later follows from that seed, which nobody sees.

Use OpenSpiel's algorithms in Python, and its C++ solvers. Its C++ bots (``pyspiel.MCTSBot``,
``pyspiel.ISMCTSBot``) end the process with a segmentation fault on any game written in Python,
OpenSpiel's own included.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

import numpy as np

from adjoin.core.match import Match
from adjoin.core.spec import Spec, games, options_json
from adjoin.data.files import read_json
from adjoin.support.arguments import whole
from adjoin.support.extras import need

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import Unpack

    from adjoin.core.options import GameOptions
    from adjoin.core.spec import Spec

pyspiel = need("pyspiel", "adjoin[openspiel]")

__all__ = ["Game", "Observer", "State", "load", "register"]

_OURS: dict[str, Any] = {
    "deals": 65536,
    "max_decisions": 10_000,
    "zero_sum": False,
    "position": "",
    "options": "",
}
"""The parameters that every game has beside its own options."""

_AS_THE_GAME_HAS_IT = {
    "board": "",
    "bonuses": -1,
    "first_nation": "",
    "first_seat": -1,
    "hand": -1,
    "jokers": -1,
    "opening": "",
    "rounds": -1,
    "starjoiners": -1,
    "walls": -1,
    "x_joiners": -1,
}
"""Stands for an option that is not given and whose default is nothing, or follows from others."""

_CHANCE = int(pyspiel.PlayerId.CHANCE)
_OVER = int(pyspiel.PlayerId.TERMINAL)
_PLAIN = re.compile(r"[A-Za-z][\w .-]*")
"""Text that OpenSpiel reads back from a game's name as it was."""


def register() -> list[str]:
    """Make the games known to ``pyspiel.load_game`` and return their names."""
    for game in games():
        pyspiel.register_game(_game_type(game), _game_class(game))
    return [f"adjoin_{game}" for game in games()]


def load(
    game: str,
    *,
    deals: int = 65536,
    max_decisions: int = 10_000,
    zero_sum: bool = False,
    position: str | None = None,
    **options: Unpack[GameOptions],
) -> Game:
    """Return a game for OpenSpiel, with options as ``Match`` takes them.

    >>> print(load("mapello", setup="fixed", walls=["c3"], games=2))
    adjoin_mapello(games=2,options=%7B%22walls%22%3A%20%5B%22c3%22%5D%7D,setup=fixed)

    ``deals`` is how many deals there are: few for solvers that visit them all, many for play.
    ``max_decisions`` cuts a match off after so many decisions. With ``zero_sum`` a player's return
    in a game that is not zero-sum as it is, such as Mapominoes, is what they earned less what the
    others earned on average. With ``position`` a match starts there, after the deal.
    """
    if game not in games():
        raise ValueError(f"game = {game!r}: must be one of {', '.join(games())}")
    register()
    ours = {
        "deals": deals,
        "max_decisions": max_decisions,
        "zero_sum": bool(zero_sum),
        "position": position or "",
    }
    given = json.loads(options_json(options))
    _shared(game, json.dumps(given), *ours.values())  # says what is wrong better than OpenSpiel
    loaded: Game = pyspiel.load_game(f"adjoin_{game}", _parameters(game, ours, given))
    return loaded


class Game(pyspiel.Game):  # type: ignore[name-defined]
    """One of our games with its options. ``load`` and ``pyspiel.load_game`` make it."""

    _name: str

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        game = self._name
        ours, options = _read(game, params or {})
        shared = _shared(game, json.dumps(options), *ours.values())
        spec = shared.spec
        low, high = _exact(spec.lowest), _exact(spec.highest)
        if shared.is_relative:
            low, high = low - high, high - low
        info = pyspiel.GameInfo(
            num_distinct_actions=spec.actions.size,
            max_chance_outcomes=shared.deals if shared.opening is None else 0,
            num_players=spec.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if shared.is_zero_sum else None,
            max_game_length=shared.match.max_decisions,
        )
        super().__init__(_game_type(game, shared), info, _parameters(game, ours, options))
        self._shared = shared

    def new_initial_state(self) -> State:
        """Return a match before the deal; without chance, at its first decision."""
        return State(self, self._shared)

    def max_chance_nodes_in_history(self) -> int:
        """Return how many chance nodes there are on the way to the end."""
        return 1 if self._shared.opening is None else 0

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer of what a player knows now or, with perfect recall, has seen."""
        return Observer(self._shared, iig_obs_type, params)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name, for processes that may not have registered the games."""
        return _load, (str(self),)


class State(pyspiel.State):  # type: ignore[name-defined]
    """A match at one moment. A seat is a player, and an action's number is ours."""

    def __init__(self, game: Game, shared: _Shared) -> None:
        super().__init__(game)
        self._shared = shared
        self._match: Match | None = None
        self._known = (b"",) * shared.spec.seats
        self._player = _CHANCE
        if shared.opening is not None:
            self._begin(shared.opening.copy())

    def current_player(self) -> int:
        """Return who decides: a seat, chance, or nobody any more."""
        return self._player

    def is_terminal(self) -> bool:
        """Return whether the match is over or cut off."""
        return self._player == _OVER

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the deals, all as likely."""
        return self._shared.outcomes

    def returns(self) -> list[float]:
        """Return what each player has earned; nothing before the end."""
        if self._match is None or self._player != _OVER:
            return [0.0] * len(self._known)
        return self._shared.utilities(self._match.returns)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """Return a match that ``player`` cannot tell from this one.

        All that they have not seen is drawn anew, from all cards rather than from ``deals``; so
        is the chance to come. The others' information starts with what they would see now.
        """
        state: State = self.clone()
        if state._match is not None:
            state._match.resample_hidden(player, int(sampler() * 2**32) % 2**32)
            mine = self._known[player]
            known = state._shared.look(state._match, (b"",) * len(self._known), -1)
            state._known = (*known[:player], mine, *known[player + 1 :])
        return state

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self._match is None else self._match.legal_ids()

    def _apply_action(self, action: int) -> None:
        if self._match is None:
            self._begin(self._shared.deal(action))
        else:
            self._match.play(action)
            self._look(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == _CHANCE else self._shared.match.notation(action)

    def _begin(self, match: Match) -> None:
        self._match = match
        self._look(-1)

    def _look(self, action: int) -> None:
        """Add what was played, which everybody hears, and what each player sees now."""
        assert self._match is not None
        self._known = self._shared.look(self._match, self._known, action)
        seat = self._match.to_act
        self._player = _OVER if seat is None else seat

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with chance and history."""
        return _restore, (str(self.get_game()), self.serialize())

    def __str__(self) -> str:
        """Return the whole table, for people."""
        return "before the deal" if self._match is None else self._match.text("all")


class Observer:
    """What a player knows: named blocks as in ``spec.observation``, and text.

    With perfect recall there is a string only, the same exactly for the same course of the match
    as the player saw it; otherwise the string is the table as the player sees it.
    """

    def __init__(self, shared: _Shared, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise ValueError(f"params = {params!r}: the observers have no parameters")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if not kind.public_info or kind.private_info != single:
            raise ValueError("an observer shows what one player knows, public and private")
        self._shared = shared
        self._recalls = kind.perfect_recall
        self.tensor = None if self._recalls else np.zeros(shared.spec.observation.size, np.float32)
        self.dict = {} if self.tensor is None else shared.spec.observation.split(self.tensor)

    def set_from(self, state: State, player: int) -> None:
        """Write what a player knows into ``tensor`` and so into ``dict``; 0 before the deal."""
        if self.tensor is None:
            return
        if state._match is None:
            self.tensor.fill(0)
        else:
            self.tensor[:] = np.frombuffer(self._shared.row(state._match, player), np.uint8)

    def string_from(self, state: State, player: int) -> str:
        """Return what a player knows as text; nothing before the deal."""
        if state._match is None:
            return ""
        if self._recalls:
            return f"{player}:{state._known[player].hex()}"
        return state._match.text(player)


class _Shared:
    """What all matches of a game share. Copies are the same object."""

    def __init__(
        self,
        game: str,
        options: str,
        deals: int,
        max_decisions: int,
        zero_sum: bool,
        position: str,
    ) -> None:
        self._arguments = (game, options, deals, max_decisions, zero_sum, position)
        self.deals = whole("deals", deals, 1, 2**20)
        most = whole("max_decisions", max_decisions, 1, 2**31 - 1)
        self.match = Match(game, max_decisions=most, **json.loads(options))
        self._position = position
        self.is_zero_sum = zero_sum or self.spec.is_zero_sum
        self.is_relative = zero_sum and not self.spec.is_zero_sum
        self.opening = None if self.spec.has_chance else self.deal(0)
        """The first decision, if no chance comes before it or later."""
        self.hides = self.spec.has_hidden
        if position and self.spec.has_chance:
            self.deal(0)

    @property
    def spec(self) -> Spec:
        return self.match.spec

    @functools.cached_property
    def outcomes(self) -> list[tuple[int, float]]:
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def deal(self, number: int) -> Match:
        match = self.match.deal(whole("deal", number, 0, self.deals - 1))
        if self._position:
            match.set_position(self._position)
        return match

    def row(self, match: Match, player: int) -> bytes:
        return match.observe(player)[0].tobytes()

    def look(self, match: Match, known: tuple[bytes, ...], action: int) -> tuple[bytes, ...]:
        heard = action.to_bytes(4, "little", signed=True)
        return tuple(
            hashlib.blake2b(before + heard + self.row(match, player), digest_size=16).digest()
            for player, before in enumerate(known)
        )

    def utilities(self, earned: list[float]) -> list[float]:
        exact = [_exact(own) for own in earned]
        if not self.is_relative:
            return exact
        others = len(exact) - 1
        return [own - (sum(exact) - own) / others for own in exact]

    def __deepcopy__(self, memo: dict[int, Any]) -> _Shared:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _shared, self._arguments


def _load(name: str) -> Game:
    register()
    game: Game = pyspiel.load_game(name)
    return game


def _restore(name: str, text: str) -> State:
    state: State = _load(name).deserialize_state(text)
    return state


def _exact(number: float) -> float:
    """Return the simple fraction that a 32-bit number was meant to be."""
    return float(Fraction(number).limit_denominator(1000))


@functools.lru_cache(maxsize=64)
def _shared(
    game: str, options: str, deals: int, max_decisions: int, zero_sum: bool, position: str
) -> _Shared:
    return _Shared(game, options, deals, max_decisions, zero_sum, position)


@functools.cache
def _scalars(game: str) -> dict[str, Any]:
    """Return the options that can be parameters of their own, with their defaults."""
    defaults = {**Spec.of(game, {}).options}
    defaults |= {name: value for name, value in _AS_THE_GAME_HAS_IT.items() if name in defaults}
    return {name: value for name, value in defaults.items() if isinstance(value, int | str)}


@functools.cache
def _seats(game: str) -> tuple[int, int]:
    """Return the fewest and the most players."""
    if "players" not in _scalars(game):
        return (Spec.of(game, {}).seats,) * 2
    possible = []
    for players in range(2, 11):
        try:
            possible.append(Spec.of(game, {"players": players}).seats)
        except ValueError:
            continue
    return possible[0], possible[-1]


@functools.cache
def _game_class(game: str) -> type[Game]:
    """Return the class that makes a game: OpenSpiel outlives anything that is not a class."""
    return type(f"Game_{game}", (Game,), {"_name": game})


def _game_type(game: str, shared: _Shared | None = None) -> Any:
    """Return the type of a game with its defaults, or as the options have it."""
    kind = pyspiel.GameType
    shared = shared or _shared(game, "{}", *_read(game, {})[0].values())
    least, most = _seats(game)
    chance, information = kind.ChanceMode, kind.Information
    return kind(
        short_name=f"adjoin_{game}",
        long_name=shared.spec.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if shared.opening is None else chance.DETERMINISTIC,
        information=(
            information.IMPERFECT_INFORMATION if shared.hides else information.PERFECT_INFORMATION
        ),
        utility=kind.Utility.ZERO_SUM if shared.is_zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={**_scalars(game), **_OURS},
    )


def _read(game: str, params: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return our parameters and the game's options from what OpenSpiel passes on."""
    scalars = _scalars(game)
    ours = {name: params.get(name, _OURS[name]) for name in _OURS if name != "options"}
    ours["position"] = _text(ours["position"])
    text = _text(params.get("options", ""))
    try:
        options = read_json(text or "{}")
    except ValueError as error:
        raise ValueError(f"options = {text}: {error}") from None
    if not isinstance(options, dict):
        raise ValueError(f"options = {text}: must be a JSON object")
    for name, default in scalars.items():
        if params.get(name, default) != default:
            if name in options:
                raise ValueError(f"{name} is given twice, as a parameter and in options")
            options[name] = params[name]
    return ours, options


def _parameters(game: str, ours: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what OpenSpiel is to write into the name of a game, and can read again."""
    scalars = _scalars(game)
    parameters = {name: value for name, value in ours.items() if value != _OURS[name]}
    if "position" in parameters:
        parameters["position"] = quote(parameters["position"], safe="")
    nested = {}
    for name, value in options.items():
        fits = type(value) is type(scalars.get(name))
        fits = fits and value != _AS_THE_GAME_HAS_IT.get(name)
        if fits and (not isinstance(value, str) or _PLAIN.fullmatch(value)):
            parameters[name] = value
        else:
            nested[name] = value
    if nested:
        parameters["options"] = quote(json.dumps(nested), safe="")
    return parameters


def _text(text: str) -> str:
    """Return text as it was before ``quote``, if it is quoted."""
    return text if text.startswith("{") or "\n" in text else unquote(text)
