"""Whether the child's own code is still as it was: a submission shares its process and can reach
it.

There are two walls, and neither is a proof, as a submission that puts everything back in time is
not seen: modules of ours are out of reach of `import`, and what was changed in them shows once the
pass is over.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FunctionType
from typing import Any

_PACKAGE = __package__.partition(".")[0]
_packages = {_PACKAGE, f"{_PACKAGE}_authoring"}


def protect(module: str) -> None:
    """Has the package of a module count as ours: a plugin's half of an exercise."""
    _packages.add(module.partition(".")[0])


def hide_modules() -> None:
    """From here on `import` finds no module of ours. Those who have one already keep it."""
    for name in {*sys.modules, *_packages}:
        if _is_ours(name):
            sys.modules[name] = None  # type: ignore[assignment]


class Seal:
    """What our modules hold when it is made; `broken` tells what they no longer hold."""

    def __init__(self) -> None:
        self._kept = [
            (names, name, names[name], getattr(names[name], "__code__", None), f"{owner}.{name}")
            for owner, names in _namespaces()
            for name, value in names.items()
            if isinstance(value, FunctionType | type)
        ]

    def broken(self) -> str | None:
        """The first function or class of ours that was replaced; None if none was."""
        for names, name, value, code, shown in self._kept:
            now = names.get(name)
            if now is not value or getattr(now, "__code__", None) is not code:
                return shown
        return None


def _namespaces() -> Iterator[tuple[str, Any]]:
    """Our modules, and the classes that they define, each with the names in it."""
    for module_name, module in sorted(sys.modules.items()):
        if module is None or not _is_ours(module_name):
            continue
        yield module_name, vars(module)
        for value in list(vars(module).values()):
            if isinstance(value, type) and value.__module__ == module_name:
                yield value.__qualname__, vars(value)


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in _packages
