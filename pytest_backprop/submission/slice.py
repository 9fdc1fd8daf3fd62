"""Choose the statements that the model class needs. Parses; runs nothing."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from ..errors import SubmissionProblem
from ..messages import listed, meant, say
from ..model import Span, Unit
from .candidates import choose, first_of, nearest, note_above
from .classes import ClassFound, find_classes
from .closure import Closure, Piece, split_units
from .modules import ModuleSlice, slice_modules
from .parse import ParsedUnit, describe_line, node_span, parse_units


@dataclass(frozen=True)
class Slice:
    """What to run of a submission to have its model class, in document order.

    `statements[class_position]` defines the class (or calls the function of the submission that
    does), or the function that stands in its place where none is asked for. `forward` and
    `manual_pass` are the places of the methods' `def`s, or of the values assigned to their names.
    `notes` say what was adapted, for the student to read. `modules` are what is needed of other
    files."""

    units: tuple[Unit, ...]
    class_name: str
    pass_name: str
    statements: tuple[Piece, ...]
    class_position: int
    forward: Span
    manual_pass: Span
    notes: tuple[str, ...] = ()
    modules: tuple[ModuleSlice, ...] = ()

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """All statements, those of other files behind its own."""
        return (*self.statements, *(p for module in self.modules for p in module.statements))


@functools.lru_cache(1)  # once for all that load a submission anew
def slice_model(
    units: tuple[Unit, ...],
    class_name: str | None,
    pass_names: tuple[str, ...],
    base: str | None = None,
) -> Slice:
    """The statements that the model class needs: the last with `forward` and one of `pass_names`,
    or the one of the name `class_name`; one derived from `base` comes before others.

    Raises SubmissionProblem: `syntax-error` and `too-complex` (with a place), `no-class`,
    `no-forward`, `no-pass`, `unknown-class`."""
    parsed, broken, of_sibling = _parsed(units, [class_name] if class_name else [])
    classes = find_classes(parsed, pass_names, _others(units, parsed))
    words = "|".join(pass_names)
    whole_class = rf"(?ms)\A(?=.*^[ \t]*class[ \t]).*\bdef[ \t]+(?:{words})\b"
    try:
        chosen, notes = choose(classes, parsed, class_name, pass_names, base)
    except SubmissionProblem:
        parts = [whole_class, rf"\b(?:class|forward|{words})\b"]
        if class_name is not None:
            parts = [rf"\bclass[ \t]+{re.escape(class_name)}\b"]
        _blame(broken[::-1], parts)
        raise
    if class_name is None:
        # the worked example stands above the student's own class: do not grade the example
        _blame([unit for unit in broken if unit.index > chosen.unit], [whole_class])
    notes = [*of_sibling, *notes]
    if chosen.nested:
        place = describe_line(units[chosen.unit], chosen.node.lineno)
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
    pieces = split_units(parsed, chosen.node if chosen.nested else None)
    apart = {each.node.name for each in classes}
    closure = Closure(pieces, [definition], apart)
    taken = closure.take_all()
    _blame_binders(broken, closure.unbound)
    return Slice(
        units=units,
        class_name=chosen.name,
        pass_name=passes[0],
        statements=taken,
        class_position=[statement.node for statement in taken].index(definition),
        forward=forward.span,
        manual_pass=manual.span,
        notes=tuple(notes),
        modules=slice_modules(units, taken, closure.missing),
    )


@functools.lru_cache(1)
def slice_names(
    units: tuple[Unit, ...],
    class_name: str | None,
    functions: tuple[str, ...],
    optional: tuple[str, ...] = (),
    definition: Span | None = None,
    placed: tuple[str, ...] = (),
) -> Slice:
    """The statements that a class and functions of given names need, each as it is defined last,
    but for a class whose `definition` is chosen; those of the `optional` names where there are
    any. The grader gives the `placed` names other values. The slice's `manual_pass` is the first of
    the functions, `forward` the last. Without a class that function stands in its place.

    Raises SubmissionProblem: `syntax-error` and `too-complex` (with a place), `no-class`,
    `no-function`."""
    wanted = functions if class_name is None else (class_name, *functions)
    parsed, broken, notes = _parsed(units, wanted)
    pieces = split_units(parsed)
    binders = {name: piece for piece in pieces for name in piece.names.binds}
    # a definition, where there is one: a cell of tests may give its name to something else
    binders |= {piece.defines: piece for piece in pieces if piece.defines is not None}
    if class_name is not None and definition is not None:
        places = {node_span(piece.unit, piece.node): piece for piece in pieces}
        binders[class_name] = places.get(definition) or binders[class_name]
    _blame_binders(broken, [name for name in wanted if name not in binders])
    for name in wanted:
        is_class = name == class_name
        if name not in binders or (is_class and not isinstance(binders[name].node, ast.ClassDef)):
            raise _missing(
                name, [piece for piece in pieces if piece.defines not in wanted], is_class
            )
    definitions = [binders[name].node for name in wanted if binders[name].defines == name]
    names = [name for name in (*wanted, *optional) if name in binders]
    closure = Closure(pieces, definitions, placed=placed)
    taken = closure.take_all(names)
    _blame_binders(broken, closure.unbound)
    spans = [node_span(binders[name].unit, binders[name].node) for name in functions or wanted]
    return Slice(
        units=units,
        class_name=wanted[0],
        pass_name=(*functions, *wanted)[0],
        statements=taken,
        class_position=[statement.node for statement in taken].index(binders[wanted[0]].node),
        forward=spans[-1],
        manual_pass=spans[0],
        notes=tuple(notes),
        modules=slice_modules(units, taken, closure.missing),
    )


@functools.lru_cache(1)
def slice_methods(
    units: tuple[Unit, ...],
    class_name: str,
    alternatives: tuple[tuple[str, ...], ...],
    optional: int,
) -> tuple[Slice, tuple[str, ...]]:
    """The statements that a class needs of which methods are called, and their names: those of
    `alternatives` of which it has all that are needed, or most. It may lack those from `optional`
    on. Of classes of that name the one that has most counts, the last of them. The slice's
    `forward` is the first method, `manual_pass` the second.

    Raises SubmissionProblem: as `slice_names`, and `no-pass`."""
    parsed, _, _ = _parsed(units, (class_name,))
    names = [name for methods in alternatives for name in methods]
    defined = find_classes(parsed, names, _others(units, parsed))
    classes = [each for each in defined if each.name == class_name]
    pairs = [(each, own) for each in reversed(classes) for own in alternatives]
    if not pairs:
        slice_names(units, class_name, ())  # which says that it is not there
    owner, methods = max(
        pairs, key=lambda pair: _fitness(pair[0], pair[1], alternatives[0], optional)
    )
    place = node_span(owner.unit, owner.node)
    chosen = slice_names(units, class_name, (), definition=place)
    sites = [owner.method(name) for name in methods]
    lacking = [name for name, site in zip(methods, sites[:optional], strict=False) if site is None]
    own = [name for name in owner.methods if name not in methods]
    if lacking:
        raise SubmissionProblem(
            "no-pass",
            say(
                "the class `{name}` has {own}: this task asks for {methods}",
                name=class_name,
                own=first_of([f"`{n}`" for n in owner.methods if n != "__init__"] or ["-"]),
                methods=listed([f"`{name}`" for name in lacking]),
            ),
            say("rename `{old}` to `{new}`", old=old, new=lacking[0])
            if (old := meant(lacking[0], own))
            else say("write it in the class, under this name"),
            place,
        )
    spans = [place if site is None else site.span for site in sites]
    notes = [
        say("rename `{old}` to `{new}`", old=old, new=name)
        for name, site in zip(methods, sites, strict=True)
        if site is None and (old := meant(name, own))
    ]
    return replace(
        chosen,
        notes=(*chosen.notes, *notes, *note_above(classes, owner, parsed, methods)),
        pass_name=methods[min(1, len(methods) - 1)],
        forward=spans[0],
        manual_pass=spans[min(1, len(spans) - 1)],
    ), methods


def _fitness(
    owner: ClassFound, methods: Sequence[str], usual: Sequence[str], optional: int
) -> tuple[bool, int]:
    """How well a class has these methods: all that it needs, none of them empty, and most. Others
    than the usual ones count where it writes the pass itself: a net overrides the `backward` of a
    base whose `updateGradInput` is for layers, and empty."""
    own = [owner.method(name) for name in methods]
    is_written = all(method is not None and not method.stub for method in own[:optional])
    is_own = methods == usual or methods[1] in owner.methods
    return is_written and is_own, sum(method is not None for method in own)


def bound_names(units: tuple[Unit, ...]) -> set[str]:
    """The names that units bind at their top level."""
    return set().union(*(piece.names.binds for piece in split_units(parse_units(_graded(units)))))


def _graded(units: Sequence[Unit]) -> list[Unit]:
    """Those of the file that is graded, which stand before all others."""
    return [unit for unit in units if not unit.module]


def _defining(units: Sequence[Unit], names: Collection[str]) -> tuple[list[ParsedUnit], list[str]]:
    """The units of the file that is graded; where the names that are asked for are all another
    file's, that of this one, and a note."""
    parsed = parse_units(_graded(units))
    others = [*enumerate(units)][len(parsed) :]
    if others and names and _defined(parsed).isdisjoint(names):
        for index, unit in others:
            other = parse_units([unit], index)
            if not unit.course and _defined(other).issuperset(names):
                text = say("{names} is defined in {file}", names=listed([*names]), file=unit.file)
                return other, [text]
    return parsed, []


def _others(units: Sequence[Unit], parsed: Sequence[ParsedUnit]) -> list[ParsedUnit]:
    """The other files, in which classes may have bases."""
    own = {unit.index for unit in parsed}
    others = [(i, unit) for i, unit in enumerate(units) if unit.module and i not in own]
    return [each for index, unit in others for each in parse_units([unit], index)]


def _defined(parsed: Sequence[ParsedUnit]) -> set[str]:
    pieces = (piece for piece in split_units(parsed) if not piece.is_import)
    return {name for piece in pieces for name in piece.names.binds}


def _missing(name: str, pieces: Sequence[Piece], is_class: bool) -> SubmissionProblem:
    """What to tell where nothing defines a name that is asked for. The `pieces` define others."""
    others = [
        p.defines for p in pieces if p.defines and isinstance(p.node, ast.ClassDef) == is_class
    ]
    old = nearest(name, others)
    if is_class:
        message = say("the submission has no class `{name}`", name=name)
    elif others and not old:
        names = first_of([f"`{other}`" for other in dict.fromkeys(others)])
        message = say(
            "the submission has no function {name}; it has {names}", name=name, names=names
        )
    else:
        message = say("the submission has no function {name}", name=name)
    return SubmissionProblem(
        "no-class" if is_class else "no-function",
        message,
        say("rename `{old}` to `{new}`", old=old, new=name)
        if old
        else say("define {name} at the top level, without indentation, under this name", name=name),
    )


# -- what does not parse --------------------------------------------------------------------


def _parsed(
    units: tuple[Unit, ...], names: Collection[str]
) -> tuple[list[ParsedUnit], list[ParsedUnit], list[str]]:
    """The units of the file that defines the names, those of them that do not parse (in a notebook,
    often a cell that nobody needs), and notes. Raises the problem of a file that does not parse."""
    parsed, notes = _defining(units, names)
    broken = [unit for unit in parsed if unit.problem is not None]
    _blame([unit for unit in broken if unit.unit.cell is None], [""])
    return parsed, broken, notes


def _blame(broken: Sequence[ParsedUnit], patterns: Sequence[str]) -> None:
    """Raise the problem of the first unit that has one of the patterns, the first ones before
    others."""
    for pattern in patterns:
        for unit in broken:
            if re.search(pattern, unit.unit.text) and unit.problem is not None:
                raise unit.problem from None


def _blame_binders(broken: Sequence[ParsedUnit], unbound: Sequence[str]) -> None:
    """Raise the problem of a cell that, had it parsed, would have bound a name that is needed."""
    for name in unbound:
        word = rf"(?<!\w){re.escape(name)}(?!\w)"
        binds = rf"\b(?:def|class|as|for)[ \t]+{word}|\bimport\b.*{word}"
        _blame(broken, [rf"{binds}|{word}[^\n=(]*=(?!=)|{word} *:="])
