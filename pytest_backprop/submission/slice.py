"""Choose the statements that the model class needs. Parses; runs nothing."""

from __future__ import annotations

import ast
import contextlib
import difflib
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..errors import SubmissionProblem
from ..messages import listed, say
from ..model import Span, Unit
from .candidates import choose
from .classes import find_classes
from .closure import Closure, Piece, split_units
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


@contextlib.contextmanager
def _nested_too_deeply() -> Iterator[None]:
    try:
        yield
    except RecursionError:
        raise SubmissionProblem(
            "too-complex",
            say("an expression of the submission is nested too deeply to be read"),
            say("split the longest expression into several statements"),
        ) from None


@_nested_too_deeply()
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
    parsed, broken = _parsed(units)
    classes = find_classes(parsed, pass_names)
    try:
        chosen, notes = choose(classes, parsed, class_name, pass_names, base)
    except SubmissionProblem:
        _blame(reversed(broken), _class_patterns(class_name, pass_names))
        raise
    if class_name is None:
        # the worked example stands above the student's own class: do not grade the example
        later = [unit for unit in broken if unit.index > chosen.unit]
        _blame(later, _class_patterns(None, pass_names)[:1])
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
    definition = chosen.call or chosen.node
    taken = _needed(
        split_units(parsed, chosen.node if chosen.nested else None),
        [definition],
        broken,
        apart={each.node.name for each in classes},
    )
    return Slice(
        units=units,
        flags=tuple(unit.flags for unit in parsed),
        class_name=chosen.name,
        pass_name=passes[0],
        statements=taken,
        class_position=[statement.node for statement in taken].index(definition),
        forward=forward.span,
        manual_pass=manual.span,
        notes=tuple(notes),
    )


@_nested_too_deeply()
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
    parsed, broken = _parsed(units)
    pieces = split_units(parsed)
    binders = {name: piece for piece in pieces for name in piece.names.binds}
    # a definition, where there is one: a cell of tests may give its name to something else
    binders |= {piece.defines: piece for piece in pieces if piece.defines is not None}
    wanted = functions if class_name is None else (class_name, *functions)
    _blame_binders([name for name in wanted if name not in binders], broken)
    for name in wanted:
        is_class = name == class_name
        if name not in binders or (is_class and not isinstance(binders[name].node, ast.ClassDef)):
            raise _missing(name, pieces, is_class)
    definitions = [binders[name].node for name in wanted if binders[name].defines == name]
    names = [name for name in (*wanted, *optional) if name in binders]
    taken = _needed(pieces, definitions, broken, names=names)
    spans = [node_span(binders[name].unit, binders[name].node) for name in functions]
    return Slice(
        units=units,
        flags=tuple(unit.flags for unit in parsed),
        class_name=wanted[0],
        pass_name=functions[0],
        statements=taken,
        class_position=[statement.node for statement in taken].index(binders[wanted[0]].node),
        forward=spans[-1],
        manual_pass=spans[0],
    )


def _missing(name: str, pieces: Sequence[Piece], is_class: bool) -> SubmissionProblem:
    """What to tell where nothing defines a name that is asked for."""
    others = [
        piece.defines
        for piece in pieces
        if piece.defines is not None and isinstance(piece.node, ast.ClassDef) == is_class
    ]
    close = [other for other in others if other in name or name in other]
    close += difflib.get_close_matches(name, others, 1, 0.7)
    return SubmissionProblem(
        "no-class" if is_class else "no-function",
        say("the submission has no class `{name}`", name=name)
        if is_class
        else say("the submission has no function {name}", name=name),
        say("rename `{old}` to `{new}`", old=close[0], new=name)
        if close
        else say("define {name} at the top level, without indentation, under this name", name=name),
    )


def _needed(
    pieces: Sequence[Piece],
    definitions: Sequence[ast.stmt],
    broken: Sequence[ParsedUnit],
    apart: Collection[str] = (),
    names: Collection[str] = (),
) -> tuple[SlicedStatement, ...]:
    """What definitions and names need. Raises the problem of a cell that would have bound one."""
    closure = Closure(pieces, definitions, apart)
    taken = closure.take_all(names)
    _blame_binders(closure.unbound, broken)
    changes = closure.changes
    return tuple(SlicedStatement(piece.unit, piece.node, changes.get(piece)) for piece in taken)


# -- what does not parse --------------------------------------------------------------------


def _parsed(units: tuple[Unit, ...]) -> tuple[list[ParsedUnit], list[ParsedUnit]]:
    """The units, and those of them that do not parse: in a notebook, often a cell that nobody
    needs. Raises the problem of a file that does not parse."""
    parsed = parse_units(units)
    broken = [unit for unit in parsed if unit.problem is not None]
    _blame([unit for unit in broken if unit.unit.cell is None], [""])
    return parsed, broken


def _blame(broken: Iterable[ParsedUnit], patterns: Sequence[str]) -> None:
    """Raise the problem of the first unit that has one of the patterns, the first ones before
    others."""
    units = list(broken)
    for pattern in patterns:
        for unit in units:
            if re.search(pattern, unit.unit.text) and unit.problem is not None:
                raise unit.problem from None


def _class_patterns(class_name: str | None, pass_names: Sequence[str]) -> list[str]:
    """What stands in a cell that holds the model class."""
    names = "|".join(pass_names)
    if class_name is not None:
        return [rf"\bclass[ \t]+{re.escape(class_name)}\b"]
    return [
        rf"(?ms)\A(?=.*^[ \t]*class[ \t]).*\bdef[ \t]+(?:{names})\b",
        rf"\b(?:class|forward|{names})\b",
    ]


def _blame_binders(unbound: Sequence[str], broken: Sequence[ParsedUnit]) -> None:
    """Raise the problem of a cell that, had it parsed, would have bound a name that is needed."""
    for name in unbound:
        word = rf"(?<!\w){re.escape(name)}(?!\w)"
        _blame(
            broken,
            [
                rf"\b(?:def|class|as|for)[ \t]+{word}|\bimport\b.*{word}"
                rf"|{word}[^\n=(]*=(?!=)|{word} *:="
            ],
        )
