"""Domiphun for PettingZoo; the page below is generated from the game."""

from adjoin.envs.aec import module

env, raw_env, page = module("domiphun")
__doc__ = page
