"""Environments for learners: Gymnasium and PettingZoo, and adapters for other libraries.

What needs a library of its own is loaded when it is used: ``aec`` (PettingZoo), ``sb3``
(Stable-Baselines3), ``rllib``, ``openspiel``, ``puffer`` (PufferLib), ``text`` (TextArena).
"""

from typing import TYPE_CHECKING

from adjoin.envs.registration import describe, register
from adjoin.envs.single import Env
from adjoin.envs.vector import VectorEnv
from adjoin.support.lazy import lazy

__all__ = ["Env", "VectorEnv", "describe", "register"]

if not TYPE_CHECKING:
    _ADAPTERS = ("aec", "openspiel", "puffer", "rllib", "sb3", "text")
    __getattr__, __dir__ = lazy(
        __name__, {}, with_extras={name: f"adjoin.envs.{name}" for name in _ADAPTERS}
    )
