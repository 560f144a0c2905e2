"""For the build of PufferLib 3.0 alone: with NO_OCEAN=1, its setup.py misses this list."""

import builtins

builtins.c_extension_paths = []  # type: ignore[attr-defined]
