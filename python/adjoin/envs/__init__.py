"""Environments for learners: Gymnasium and PettingZoo, and adapters for other libraries.

Modules that need a library of their own are loaded when they are used: ``adjoin.envs.aec``
(PettingZoo), ``sb3`` (Stable-Baselines3), ``rllib``, ``openspiel``.
"""

from adjoin.envs.registration import describe, register
from adjoin.envs.single import Env
from adjoin.envs.vector import VectorEnv

__all__ = ["Env", "VectorEnv", "describe", "register"]
