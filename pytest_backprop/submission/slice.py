"""Choose the statements that the model class needs. Parses; runs nothing."""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import SubmissionProblem
from ..messages import listed, say
from ..model import Span, Unit
from .candidates import ClassFound, choose, find_classes
from .names import Names, names_of
from .parse import ParsedUnit, child_blocks, describe_line, parse_units

_MODULE_NAMES = frozenset(dir(builtins)) | {"__file__", "__spec__", "__path__", "__builtins__"}


@dataclass(frozen=True)
class SlicedStatement:
    """One statement to run, and the index of the unit that it comes from.

    An import of several names comes as one statement a name, of those that are needed.
    """

    unit: int
    node: ast.stmt


@dataclass(frozen=True)
class Slice:
    """What to run of a submission to have its model class, in document order.

    `statements[class_position]` defines the class. `flags` holds each unit's compiler flags
    (future imports). `forward` and `manual_pass` are the places of the methods' `def`s, or of the
    values assigned to their names. `notes` say what was adapted, for the student to read.
    """

    units: tuple[Unit, ...]
    flags: tuple[int, ...]
    class_name: str
    pass_name: str
    statements: tuple[SlicedStatement, ...]
    class_position: int
    forward: Span
    manual_pass: Span
    notes: tuple[str, ...] = ()


def slice_model(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: Sequence[str],
    base: str | None = None,
) -> Slice:
    """The statements that the model class needs, and which class that is.

    The last class with `forward` and one of `pass_names` is the model, or the one of the name
    `class_name`; one derived from `base` comes before others. Starting from it, every top-level statement that binds a name it reads is taken,
    and so on for those statements; the others are left out, so that they never run.

    Raises SubmissionProblem: `syntax-error` and `too-complex` (with a place), `no-class`,
    `no-forward`, `no-pass`, `unknown-class`.
    """
    parsed = parse_units(units)
    broken = [unit for unit in parsed if unit.problem is not None]
    for unit in broken:
        # In a notebook, a cell that does not parse is often one that nobody needs.
        if unit.unit.cell is None and unit.problem is not None:
            raise unit.problem
    try:
        return _slice(parsed, broken, class_name, pass_names, base)
    except RecursionError:
        raise SubmissionProblem(
            "too-complex",
            say("an expression of the submission is nested too deeply to be read"),
            say("Split the longest expression into several statements."),
        ) from None


def _slice(
    parsed: list[ParsedUnit],
    broken: list[ParsedUnit],
    class_name: str | None,
    pass_names: Sequence[str],
    base: str | None,
) -> Slice:
    classes = find_classes(parsed, pass_names)
    try:
        chosen, notes = choose(classes, parsed, class_name, pass_names, base)
    except SubmissionProblem:
        blamed = _broken_class(broken, class_name, pass_names)
        if blamed is not None and blamed.problem is not None:
            raise blamed.problem from None
        raise
    for unit in broken:
        # the worked example stands above the student's own class: do not grade the example
        later = unit.index > chosen.unit and _seems_to_hold_a_class(unit.unit.text, pass_names)
        if later and class_name is None and unit.problem is not None:
            raise unit.problem
    if chosen.nested:
        place = describe_line(parsed[chosen.unit].unit, chosen.node.lineno)
        notes.append(
            say(
                "The class {name} ({place}) was taken out of the block it stands in.",
                name=chosen.name,
                place=place,
            )
        )
    passes = chosen.pass_names()
    if len(passes) > 1:
        notes.append(
            say(
                "{name} has both {methods}; {method} is graded.",
                name=chosen.name,
                methods=listed(passes),
                method=passes[0],
            )
        )
    forward, manual = chosen.method("forward"), chosen.method(passes[0])
    if forward is None or manual is None:
        raise AssertionError("a chosen class has both methods")
    closure = _Closure(parsed, classes, chosen)
    taken = closure.take_all()
    _blame_broken(closure.unbound, broken)
    return Slice(
        units=tuple(unit.unit for unit in parsed),
        flags=tuple(unit.flags for unit in parsed),
        class_name=chosen.name,
        pass_name=passes[0],
        statements=tuple(SlicedStatement(piece.unit, piece.node) for piece in taken),
        class_position=next(i for i, piece in enumerate(taken) if piece.node is chosen.node),
        forward=forward.span,
        manual_pass=manual.span,
        notes=tuple(notes),
    )


# -- broken cells ---------------------------------------------------------------------------


def _seems_to_hold_a_class(text: str, pass_names: Sequence[str]) -> bool:
    return bool(re.search(r"^[ \t]*class[ \t]", text, re.M)) and any(
        re.search(rf"\bdef[ \t]+{name}\b", text) for name in pass_names
    )


def _broken_class(
    broken: list[ParsedUnit], class_name: str | None, pass_names: Sequence[str]
) -> ParsedUnit | None:
    """The cell that kept the model class from being found, if any looks like that."""
    for unit in reversed(broken):
        if class_name is not None:
            if re.search(rf"\bclass[ \t]+{re.escape(class_name)}\b", unit.unit.text):
                return unit
        elif _seems_to_hold_a_class(unit.unit.text, pass_names):
            return unit
    if class_name is not None:
        return None
    words = re.compile(rf"\b(?:class|forward|{'|'.join(pass_names)})\b")
    return next((unit for unit in reversed(broken) if words.search(unit.unit.text)), None)


def _blame_broken(unbound: list[str], broken: list[ParsedUnit]) -> None:
    """Raise the problem of a cell that, had it parsed, would have bound a name that is needed."""
    for name in unbound:
        word = rf"(?<!\w){re.escape(name)}(?!\w)"
        binding = re.compile(
            rf"\b(?:def|class|as|for)[ \t]+{word}|\bimport\b.*{word}"
            rf"|{word}[^\n=(]*=(?!=)|{word} *:="
        )
        for unit in broken:
            if binding.search(unit.unit.text) and unit.problem is not None:
                raise unit.problem


# -- the statements that are needed ---------------------------------------------------------


@dataclass(eq=False)
class _Piece:
    """A top-level statement, or one alias of an import, at its place in the document."""

    unit: int
    node: ast.stmt
    names: Names
    order: int = 0

    @property
    def is_import(self) -> bool:
        return isinstance(self.node, (ast.Import, ast.ImportFrom))

    @property
    def is_star(self) -> bool:
        return isinstance(self.node, ast.ImportFrom) and self.node.names[0].name == "*"

    @property
    def submodule(self) -> str | None:
        """`nn` of `import torch.nn`, which binds torch and loads torch.nn as well."""
        if isinstance(self.node, ast.Import) and self.node.names[0].asname is None:
            return self.node.names[0].name.partition(".")[2].partition(".")[0] or None
        return None


class _Closure:
    """The pieces that the chosen class needs, transitively."""

    def __init__(
        self, parsed: list[ParsedUnit], classes: list[ClassFound], chosen: ClassFound
    ) -> None:
        self._pieces: list[_Piece] = []
        self._chosen = chosen
        self._classes = {found.node.name for found in classes if found.manual}
        for unit in parsed:
            for top, statement in enumerate(unit.tree.body if unit.tree is not None else ()):
                holds = chosen.nested and (unit.index, top) == (chosen.unit, chosen.top)
                branch = _branch_of(statement, chosen.node) if holds else [statement]
                for node in branch:
                    self._pieces.extend(_split(node, unit))
        for order, piece in enumerate(self._pieces):
            piece.order = order
        self._binders: dict[str, list[_Piece]] = {}
        self._changers: dict[str, list[_Piece]] = {}
        for piece in self._pieces:
            for name in piece.names.binds:
                self._binders.setdefault(name, []).append(piece)
            for name in piece.names.changes:
                self._changers.setdefault(name, []).append(piece)
        for piece in self._pieces:
            for name in self._tables_of(piece):
                self._changers.setdefault(name, []).append(piece)
        self._own = self._own_pieces(classes)
        self._taken: set[_Piece] = set()
        self._needed: set[str] = set()
        self.unbound: list[str] = []
        """Names that are read and that nothing can bind, no builtins among them; sorted."""

    def _tables_of(self, piece: _Piece) -> set[str]:
        """Names of the file's own in which a definition may register itself: its decorators, bases
        and metaclass, and what these read. None for a class that could be the model."""
        found: set[str] = set()
        todo = set(piece.names.hands_to)
        if isinstance(piece.node, ast.ClassDef) and piece.node.name == self._chosen.name:
            return found
        while todo:
            name = todo.pop()
            binders = self._binders.get(name, ())
            if name in found or not any(not binder.is_import for binder in binders):
                continue
            found.add(name)
            for binder in binders:
                todo |= binder.names.reads
        return found - piece.names.binds

    def take_all(self) -> list[_Piece]:
        """The pieces to run, in document order. Fills `unbound`."""
        self._take(self._own)
        if {"globals", "vars"} & self._needed:  # what is looked up by its text is read by no name
            definitions = (ast.FunctionDef, ast.ClassDef)
            self._take([
                piece
                for piece in self._pieces
                if isinstance(piece.node, definitions) and piece.node.name not in self._classes
            ])  # fmt: skip
        self._needed_submodules()
        missing = {
            name for name in self._needed if name not in self._binders and name not in _MODULE_NAMES
        }
        if missing:
            # Only now may an `import *` be what binds them; nobody can tell without running it.
            stars = [piece for piece in self._pieces if piece.is_star]
            self._take(stars)
            self.unbound = [] if stars else sorted(missing)
        return sorted(self._taken, key=lambda piece: piece.order)

    def _own_pieces(self, classes: list[ClassFound]) -> list[_Piece]:
        """The chosen class, earlier classes of its name that it extends, what is attached to it.

        Whatever else binds its name (`Graph = torch.compile(Graph)`, the worked example's Graph)
        is left out.
        """
        name = self._chosen.name
        same = [p for p in self._pieces if isinstance(p.node, ast.ClassDef) and p.node.name == name]
        at = next(i for i, piece in enumerate(same) if piece.node is self._chosen.node)
        first = at
        while first > 0 and name in same[first].names.at_definition:
            first -= 1
        own = same[first : at + 1]
        start = own[0].order
        end = same[at + 1].order if at + 1 < len(same) else len(self._pieces)
        attached = [
            piece
            for piece in self._changers.get(name, ())
            if start < piece.order < end and isinstance(piece.node, (ast.Assign, ast.AnnAssign))
        ]
        return own + attached

    def _take(self, pieces: list[_Piece]) -> None:
        pending = list(pieces)
        while pending:
            piece = pending.pop()
            if piece in self._taken:
                continue
            self._taken.add(piece)
            for name in piece.names.reads - self._needed:
                self._needed.add(name)
                pending.extend(self._pieces_for(name))

    def _pieces_for(self, name: str) -> Iterator[_Piece]:
        if name == self._chosen.name:
            return
        binders = self._binders.get(name, [])
        whole = [piece for piece in binders if piece.submodule is None]
        yield from whole or binders[:1]
        if any(not piece.is_import for piece in binders):
            # A module's settings (`plt.rcParams[...] = 12`) are not the student's own object.
            yield from (p for p in self._changers.get(name, ()) if p not in self._own)

    def _needed_submodules(self) -> None:
        """Take `import torch.nn` too, where what was taken mentions `torch.nn`."""
        mentioned = set().union(*(piece.names.attributes for piece in self._taken))
        for name in sorted(self._needed - {self._chosen.name}):
            for piece in self._binders.get(name, ()):
                if piece.submodule is not None and (name, piece.submodule) in mentioned:
                    self._taken.add(piece)


def _split(node: ast.stmt, unit: ParsedUnit) -> Iterator[_Piece]:
    """The statement as a piece; an import as a piece for each alias."""
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return  # compiled in by `Slice.flags`
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            single = copy.copy(node)
            single.names = [alias]
            yield _Piece(unit.index, single, names_of(single))
    else:
        yield _Piece(unit.index, node, names_of(node, lazy_annotations=unit.lazy_annotations))


def _branch_of(statement: ast.stmt, wanted: ast.ClassDef) -> list[ast.stmt]:
    """The statements beside a class in the innermost blocks around it, blocks undone.

    `if __name__ == "__main__":` would be false here, and tests beside the class must not run: so
    the class's neighbours become top-level statements, taken only if needed.
    """
    if statement is wanted:
        return [statement]
    for block in child_blocks(statement):
        for position, child in enumerate(block):
            inner = _branch_of(child, wanted)
            if inner:
                return [*block[:position], *inner, *block[position + 1 :]]
    return []
