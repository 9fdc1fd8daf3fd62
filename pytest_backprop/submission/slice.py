"""Choose the statements that the model class needs. Parses; runs nothing."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from ..errors import SubmissionProblem
from ..messages import listed, say
from ..model import Span, Unit
from .candidates import choose
from .classes import find_classes
from .closure import Closure, Piece, branch_of, split
from .parse import ParsedUnit, describe_line, node_span, parse_units


@dataclass(frozen=True)
class SlicedStatement:
    """One statement to run, and the index of the unit that it comes from.

    An import of several names comes as one statement a name, of those that are needed. `changes` is
    the needed name for whose object it runs, where it does not bind that name.
    """

    unit: int
    node: ast.stmt
    changes: str | None = None


@dataclass(frozen=True)
class Slice:
    """What to run of a submission to have its model class, in document order.

    `statements[class_position]` defines the class (or calls the function of the submission that
    does), or the function that stands in its place where none is asked for. `flags` holds each
    unit's compiler flags (future imports). `forward` and `manual_pass` are the places of the
    methods' `def`s, or of the values assigned to their names. `notes` say what was adapted, for the
    student to read.
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
    `class_name`; one derived from `base` comes before others. Starting from it, every top-level
    statement that binds a name it reads is taken, and so on for those statements; the others are
    left out, so that they never run.

    Raises SubmissionProblem: `syntax-error` and `too-complex` (with a place), `no-class`,
    `no-forward`, `no-pass`, `unknown-class`.

    """
    return _parsed(units, lambda read, broken: _slice(read, broken, class_name, pass_names, base))


def slice_names(
    units: tuple[Unit, ...],
    class_name: str | None,
    functions: Sequence[str],
    optional: Sequence[str] = (),
) -> Slice:
    """The statements that a class and functions of given names need, each as it is defined last;
    those of the `optional` names where there are any. The slice's `manual_pass` is the first of the
    functions, `forward` the last. Without a class that function stands in its place.

    Raises SubmissionProblem: `syntax-error` and `too-complex` (with a place), `no-class`,
    `no-function`.
    """
    return _parsed(
        units, lambda read, broken: _slice_names(read, broken, class_name, functions, optional)
    )


def _parsed(
    units: tuple[Unit, ...], choose: Callable[[list[ParsedUnit], list[ParsedUnit]], Slice]
) -> Slice:
    """What `choose` makes of the units, and of those of them that do not parse."""
    parsed = parse_units(units)
    broken = [unit for unit in parsed if unit.problem is not None]
    for unit in broken:
        # In a notebook, a cell that does not parse is often one that nobody needs.
        if unit.unit.cell is None and unit.problem is not None:
            raise unit.problem
    try:
        return choose(parsed, broken)
    except RecursionError:
        raise SubmissionProblem(
            "too-complex",
            say("an expression of the submission is nested too deeply to be read"),
            say("split the longest expression into several statements"),
        ) from None


def _slice_names(
    parsed: list[ParsedUnit],
    broken: list[ParsedUnit],
    class_name: str | None,
    functions: Sequence[str],
    optional: Sequence[str],
) -> Slice:
    pieces = [
        piece
        for unit in parsed
        for statement in (unit.tree.body if unit.tree is not None else ())
        for piece in split(statement, unit)
    ]
    binders = {name: piece for piece in pieces for name in piece.names.binds}
    # a definition, where there is one: a cell of tests may give its name to something else
    binders |= {piece.defines: piece for piece in pieces if piece.defines is not None}
    wanted = functions if class_name is None else (class_name, *functions)
    _blame_broken([name for name in wanted if name not in binders], broken)
    defined = binders.get(wanted[0])
    if class_name is not None and (defined is None or not isinstance(defined.node, ast.ClassDef)):
        raise _missing(class_name, pieces, "no-class")
    for name in functions:
        if name not in binders:
            raise _missing(name, pieces, "no-function")
    definitions = [binders[name].node for name in wanted if binders[name].defines == name]
    plain = [name for name in (*wanted, *optional) if name in binders]
    taken = _needed(pieces, definitions, broken, names=plain)
    order = [statement.node for statement in taken]
    spans = [node_span(binders[name].unit, binders[name].node) for name in functions]
    return Slice(
        units=tuple(unit.unit for unit in parsed),
        flags=tuple(unit.flags for unit in parsed),
        class_name=wanted[0],
        pass_name=functions[0],
        statements=taken,
        class_position=order.index(binders[wanted[0]].node),
        forward=spans[-1],
        manual_pass=spans[0],
    )


def _missing(name: str, pieces: Sequence[Piece], kind: str) -> SubmissionProblem:
    """What to tell where nothing defines a name that is asked for."""
    classes = kind == "no-class"
    others = [
        piece.defines
        for piece in pieces
        if piece.defines is not None and isinstance(piece.node, ast.ClassDef) == classes
    ]
    close = [other for other in others if other in name or name in other]
    close += difflib.get_close_matches(name, others, 1, 0.7)
    message = (
        say("the submission has no class `{name}`", name=name)
        if classes
        else say("the submission has no function {name}", name=name)
    )
    way_out = (
        say("rename `{old}` to `{new}`", old=close[0], new=name)
        if close
        else say("define {name} at the top level, without indentation, under this name", name=name)
    )
    return SubmissionProblem(kind, message, way_out)


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
                "the class `{name}` ({place}) was taken out of the block it stands in",
                name=chosen.name,
                place=place,
            )
        )
    passes = chosen.pass_names()
    if len(passes) > 1:
        notes.append(
            say(
                "`{name}` has both {methods}; {method} is graded",
                name=chosen.name,
                methods=listed(passes),
                method=passes[0],
            )
        )
    forward, manual = chosen.method("forward"), chosen.method(passes[0])
    if forward is None or manual is None:
        raise AssertionError("a chosen class has both methods")
    pieces: list[Piece] = []
    for unit in parsed:
        for top, statement in enumerate(unit.tree.body if unit.tree is not None else ()):
            holds = chosen.nested and (unit.index, top) == (chosen.unit, chosen.top)
            for node in branch_of(statement, chosen.node) if holds else [statement]:
                pieces.extend(split(node, unit))
    apart = {found.node.name for found in classes if found.manual}
    definition = chosen.call or chosen.node
    taken = _needed(pieces, [definition], broken, apart)
    return Slice(
        units=tuple(unit.unit for unit in parsed),
        flags=tuple(unit.flags for unit in parsed),
        class_name=chosen.name,
        pass_name=passes[0],
        statements=taken,
        class_position=[statement.node for statement in taken].index(definition),
        forward=forward.span,
        manual_pass=manual.span,
        notes=tuple(notes),
    )


def _needed(
    pieces: Sequence[Piece],
    definitions: Sequence[ast.stmt],
    broken: list[ParsedUnit],
    apart: Collection[str] = (),
    names: Collection[str] = (),
) -> tuple[SlicedStatement, ...]:
    """What definitions and names need. Raises the problem of a cell that would have bound one."""
    closure = Closure(pieces, definitions, apart)
    taken = closure.take_all(names)
    _blame_broken(closure.unbound, broken)
    changes = closure.changes
    return tuple(SlicedStatement(piece.unit, piece.node, changes.get(piece)) for piece in taken)


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
