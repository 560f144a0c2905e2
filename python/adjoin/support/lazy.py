"""Names of a package that are loaded when they are used."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterable, Mapping

from adjoin._core import nearest


def lazy(
    package: str,
    names: Mapping[str, Iterable[str]],
    modules: Mapping[str, str] | None = None,
    with_extras: Mapping[str, str] | None = None,
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package.

    ``names`` has, by module, what that module gives to the package; ``modules`` and ``with_extras``
    have modules by the name under which the package shows them. ``dir`` leaves out those that need
    an extra, and what the package itself has imported without saying so in ``__all__``.
    """
    homes = {name: module for module, given in names.items() for name in given}
    doors = {**(modules or {}), **(with_extras or {})}

    def get(name: str) -> object:
        """Load what is asked for, or say which name is near."""
        if name in homes:
            found = getattr(importlib.import_module(homes[name]), name)
        elif name in doors:
            found = importlib.import_module(doors[name])
        else:
            near = nearest(name, [*shown(), *doors])
            meant = f"; did you mean {near}?" if near else ""
            # With an object, Python would add a guess of its own to ours.
            raise AttributeError(
                f"module '{package}' has no attribute '{name}'{meant}", name=name, obj=None
            )
        setattr(sys.modules[package], name, found)
        return found

    def shown() -> list[str]:
        """List what there is, whether it is loaded yet or not."""
        own = vars(sys.modules[package])
        own_names = (name for name in own if name.startswith("__"))
        return sorted({*own_names, *own.get("__all__", ()), *homes, *(modules or {})})

    return get, shown
