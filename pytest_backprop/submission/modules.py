"""Other files that a submission's statements import, as modules: those beside it in the student's
folder, and the course's. Parses; runs nothing."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from ..errors import SubmissionProblem
from ..model import PACKAGE_FILE, Unit
from .closure import Closure, Piece, split_units
from .parse import parse_units, tree_of
from .read import read

WHOLE, STAR = "", "*"


@dataclass(frozen=True)
class ModuleSlice:
    """What to run of another file where it is imported, in document order; `unit` is its index."""

    unit: int
    statements: tuple[Piece, ...]


def module_name(parts: Sequence[str]) -> str | None:
    """The name by which code imports a file of a folder: `pkg.mod` of `pkg/mod.py`, `pkg` of
    `pkg/__init__.py`; None of one that no import finds."""
    *names, file = parts
    if file != PACKAGE_FILE:
        names.append(file.removesuffix(".py"))
    is_name = file.endswith(".py") and names and all(map(str.isidentifier, names))
    return ".".join(names) if is_name else None


LIBRARIES = sys.stdlib_module_names | {"torch", "numpy"}
imported_here: set[str] = set()
"""The names under which this process has imported files of a submission, or of its course."""


def is_library(name: str) -> bool:
    """Whether an import of a name finds Python's own module, or one that is imported already, and
    never a file of the student's."""
    top = name.partition(".")[0]
    return top in LIBRARIES or (top in sys.modules and top not in imported_here)


def reached(
    units: Iterable[Unit], files: Iterable[str], read: Callable[[str], Unit | None]
) -> tuple[Unit, ...]:
    """The units of those of the modules in `files` that a submission's units import, directly or
    through each other. `read` gives that of a module, None for one that cannot be read."""
    names = {name for name in files if name.partition(".")[0] not in LIBRARIES}
    units_read: dict[str, Unit | None] = {}
    pending = list(units) if names else []
    while pending:
        unit = pending.pop()
        imported = [m for each in _imports(tree_of(unit), unit.package) for m in _modules(*each)]
        for name in dict.fromkeys(imported):
            if name in names and name not in units_read:
                units_read[name] = other = read(name)
                pending += [] if other is None else [other]
    return tuple(unit for _, unit in sorted(units_read.items()) if unit is not None)


def as_imported(units: Sequence[Unit], support: Sequence[Unit]) -> tuple[Unit, ...]:
    """The course's files, and those that a submission's units import from another folder, by the
    names by which they do: `A3.helper` of `helper.py`."""
    names = {each.module: each for each in support}
    imported = (i for unit in units for i in _imports(tree_of(unit), unit.package))
    asked = dict.fromkeys(module for module, _ in imported if module not in names)
    folders = ((m, names.get(m.rpartition(".")[2])) for m in asked if not is_library(m))
    return (*support, *(replace(of, module=module) for module, of in folders if of is not None))


def imports_of(path: Path) -> frozenset[str]:
    """The names of modules that a file imports; none of one that cannot be read."""
    try:
        units = read(path, path.name).units
    except SubmissionProblem:
        return frozenset()
    return frozenset(
        name for unit in units for each in _imports(tree_of(unit), "") for name in _modules(*each)
    )


def _imports(tree: ast.AST, package: str) -> Iterator[tuple[str, str]]:
    """Each module that code imports, with the name that it takes from it: WHOLE, STAR or one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, WHOLE) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: max(len(package.split(".")) + 1 - node.level, 0)]
            base = [*(parents if node.level else ()), node.module or ""]
            yield from ((".".join(filter(None, base)), alias.name) for alias in node.names)


def _modules(module: str, name: str) -> list[str]:
    """The modules that such an import may run: packages around the module, and one in it."""
    parts = module.split(".") + [name] * (name not in (WHOLE, STAR))
    return [".".join(filter(None, parts[:end])) for end in range(1, len(parts) + 1)]


# -- what of them is needed ------------------------------------------------------------------------


class _Module:
    """Another file: its statements, the names asked for so far, and what these need."""

    def __init__(self, unit: Unit, index: int) -> None:
        self.unit, self.index = unit, index
        self.wanted: set[str] | None = None
        self.statements: tuple[Piece, ...] = ()
        self.missing: set[str] = set()

    @functools.cached_property
    def _pieces(self) -> list[Piece]:
        (parsed,) = parse_units([self.unit], self.index)
        if parsed.problem is not None:
            raise parsed.problem
        return split_units([parsed])

    @functools.cached_property
    def _binds(self) -> set[str]:
        return {name for piece in self._pieces for name in piece.names.binds}

    def want(self, names: Iterable[str]) -> bool:
        """Takes in names that are asked for; whether that is more than before."""
        new = names if "*" in self._binds else self._binds.intersection(names)
        asked = (self.wanted or set()).union(new)
        if asked == self.wanted:
            return False
        self.wanted = asked
        closure = Closure(self._pieces, ())
        self.statements = closure.take_all(asked)
        self.missing = closure.missing
        return True


def slice_modules(
    units: Sequence[Unit], statements: Sequence[Piece], missing: set[str]
) -> tuple[ModuleSlice, ...]:
    """What some statements of the submission, which miss some names, need of other files: of each
    the statements that bind the names which are imported of it or looked up in it.

    Raises the SubmissionProblem of one that is needed and does not parse."""
    others = [_Module(unit, index) for index, unit in enumerate(units) if unit.module]
    course = {each.unit.module: each for each in others if each.unit.course}
    table = {e.unit.module: e for e in others if not is_library(e.unit.module)} | course
    more = bool(table)
    while more:
        asked = [each for each in table.values() if each.wanted is not None]
        package = units[statements[0].unit].package if statements else ""
        parts = [(statements, missing, package, table)] + [
            (e.statements, e.missing, e.unit.package, course if e.unit.course else table)
            for e in asked
        ]
        looked_up = {n for taken, *_ in parts for n in _looked_up(taken)}
        more = False
        for taken, absent, package, visible in parts:
            for piece in taken:
                for module, name in _imports(piece.node, package):
                    for each, names in _asked(module, name, visible, looked_up, absent):
                        more |= each.want(names)
    return tuple(ModuleSlice(e.index, e.statements) for e in others if e.wanted is not None)


def _looked_up(statements: Iterable[Piece]) -> Iterator[str]:
    """Names that code may look up in a module: `net.Linear`, `getattr(net, "Linear")`."""
    for node in (node for piece in statements for node in ast.walk(piece.node)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _asked(
    module: str, name: str, table: Mapping[str, _Module], looked_up: set[str], missing: set[str]
) -> Iterator[tuple[_Module, set[str]]]:
    """What an import asks of each module that it runs."""
    *around, last = _modules(module, name)
    for each in around:
        if each in table:
            yield table[each], looked_up if name == WHOLE else set()
    if last in table:
        yield table[last], missing if name == STAR else looked_up
    if module in around and module in table:
        yield table[module], {name}
