from adjoin.aec import module

env, raw_env, __doc__ = module("mapello", 0)
