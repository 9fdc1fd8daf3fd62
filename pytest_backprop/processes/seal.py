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
from typing import Any, NamedTuple

_PACKAGE = __package__.partition(".")[0]
_packages = {_PACKAGE, f"{_PACKAGE}_authoring"}


def protect(module: str) -> None:
    """Has the package of a module count as ours: a plugin's half of an exercise."""
    _packages.add(module.partition(".")[0])


class _Kept(NamedTuple):
    """One name of ours: its module, where it stands, what stood there, and the code of that."""

    module: str
    names: Any
    name: str
    value: object
    code: object
    shown: str


class Seal:
    """What our modules hold when it is made; `broken` tells what they no longer hold."""

    def __init__(self) -> None:
        self._kept = tuple(_ours())

    def broken(self) -> str | None:
        """The first function or class of ours that was replaced; None if none was."""
        for kept in self._kept:
            value = kept.names.get(kept.name)
            if value is not kept.value or getattr(value, "__code__", None) is not kept.code:
                return kept.shown
        return None


def hide_modules() -> None:
    """From here on `import` finds no module of ours. Those who have one already keep it."""
    for name in {*sys.modules, *_packages}:
        if name.partition(".")[0] in _packages:
            sys.modules[name] = None  # type: ignore[assignment]


def _ours() -> Iterator[_Kept]:
    seen: set[int] = set()
    for module_name, module in sorted(sys.modules.items()):
        if module_name.partition(".")[0] not in _packages or module is None:
            continue
        for name, value in vars(module).items():
            if isinstance(value, FunctionType | type):
                yield _kept(module_name, vars(module), name, value, f"{module_name}.{name}")
            if not isinstance(value, type) or id(value) in seen:
                continue
            seen.add(id(value))
            if value.__module__.partition(".")[0] in _packages:
                for inner, method in vars(value).items():
                    if isinstance(method, FunctionType):
                        shown = f"{value.__qualname__}.{inner}"
                        yield _kept(value.__module__, vars(value), inner, method, shown)


def _kept(module: str, names: Any, name: str, value: object, shown: str) -> _Kept:
    return _Kept(module, names, name, value, getattr(value, "__code__", None), shown)
