"""Which class of a submission is the model, what to tell where none is, whether a file has one."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from ..errors import SubmissionProblem
from ..messages import either, listed, meant, say, say_count
from .classes import ClassFound, find_classes
from .closure import split_units
from .parse import FUNCTIONS, ParsedUnit, describe_line, node_span, parse_units
from .read import read

MAX_SHOWN = 6
"""Of the names of methods or functions."""


class Wanted(NamedTuple):
    """What a submission is known by: a class with `forward` and one of `pass_names`; where its
    tasks say what they call, all `names` of one of them, at top level or as methods of a class.
    `by_names`: all tasks say so, and a class with the methods is not enough."""

    pass_names: tuple[str, ...]
    names: tuple[tuple[str, ...], ...] = ()
    by_names: bool = False


def likelihood(path: Path, wanted: Wanted) -> Literal["model", "unclear", "none"]:
    """Whether a file is likely to be the submission: `model` if it has what is wanted; `none` if it
    reads well and has nothing like it; `unclear` if it cannot be read or parsed to its end, or has
    another class with the methods. Nothing is run or told. Raises nothing."""
    try:
        parsed = parse_units(read(path, path.name).units)
        classes = find_classes(parsed, wanted.pass_names)
        pieces = split_units(parsed) if wanted.names else ()
        bound = {name for piece in pieces for name in piece.names.binds}
    except (SubmissionProblem, RecursionError, MemoryError):
        return "unclear"
    has_class = any(each.is_candidate() for each in classes)
    has_names = any(
        bound.issuperset(names) or any(all(map(each.method, names)) for each in classes)
        for names in wanted.names
    )
    if has_names or (has_class and not wanted.by_names):
        return "model"
    return "unclear" if has_class or any(unit.problem for unit in parsed) else "none"


def choose(
    classes: Sequence[ClassFound],
    parsed: Sequence[ParsedUnit],
    class_name: str | None,
    pass_names: Sequence[str],
    base: str | None = None,
) -> tuple[ClassFound, list[str]]:
    """The model class, and notes on the choice. Classes derived from `base` come before others.

    Raises SubmissionProblem (`unknown-class`, `no-class`, `no-forward`, `no-pass`)."""
    named = [each for each in classes if class_name in (None, each.name)]
    if class_name is not None and not named:
        raise _unknown_class(classes, parsed, class_name, pass_names)
    candidates = [each for each in named if each.is_candidate()]
    if not candidates:
        raise _nearest_miss(named, parsed, class_name, pass_names)
    if base is not None and class_name is None:
        candidates = [each for each in candidates if each.derives(base)] or candidates
    chosen = candidates[-1]
    notes = note_above(classes, chosen, parsed, ("forward", chosen.pass_names()[0]))
    if class_name is not None:
        return chosen, notes
    others = [x for x in candidates if x is not chosen and x not in chosen.inherited]
    different = list(dict.fromkeys(x.name for x in others if x.name != chosen.name))
    names = listed([f"`{name}`" for name in (*different, chosen.name)])
    words = {"names": names, "name": chosen.name, "place": _place(chosen, parsed)}
    if different:
        note = say(
            "the classes {names} all have forward and a manual pass; the last, `{name}` ({place}), "
            "is graded, as none is asked for by its name",
            **words,
        )
    else:
        note = say_count(
            "the class `{name}` is defined {count} time; the last one ({place}) is graded",
            "the class `{name}` is defined {count} times; the last one ({place}) is graded",
            len(others) + 1,
            **words,
        )
    return chosen, [note, *notes] if others else notes


def note_above(
    classes: Sequence[ClassFound],
    chosen: ClassFound,
    parsed: Sequence[ParsedUnit],
    methods: Sequence[str],
) -> list[str]:
    """A note where the last class of a name lacks some of the methods, and another is graded."""
    last = [each for each in classes if each.name == chosen.name][-1]
    lacking = [f"`{name}`" for name in methods if last.method(name) is None]
    if last is chosen or not lacking:
        return []
    words = {"name": last.name, "place": _place(last, parsed), "methods": listed(lacking)}
    return [
        say(
            "the last class `{name}` ({place}) lacks {methods}: that above it, {above}, is graded",
            above=_place(chosen, parsed),
            **words,
        )
    ]


def first_of(names: Sequence[str]) -> str:
    """The names that a message lists, the first of many."""
    return listed([*names[:MAX_SHOWN], *["…"] * (len(names) > MAX_SHOWN)])


def nearest(name: str, others: Iterable[str]) -> str | None:
    """The one of some names that may be another in a longer, a shorter or a misspelt form."""
    names = list(others)
    parts = [other for other in names if other in name or name in other]
    return (*parts, meant(name, names))[0]


def _unknown_class(
    classes: Sequence[ClassFound],
    parsed: Sequence[ParsedUnit],
    name: str,
    pass_names: Sequence[str],
) -> SubmissionProblem:
    nodes = (node for unit in parsed for node in unit.tree.body)
    if any(isinstance(node, FUNCTIONS) and node.name == name for node in nodes):
        return SubmissionProblem(
            "unknown-class",
            say("`{name}` is a function, and the task asks for a class", name=name),
            say("give the class that has forward and {method}", method=pass_names[0]),
        )
    if (inner := _inner_class(parsed, {name})) is not None:
        return inner
    names = list(dict.fromkeys(f"`{each.name}`" for each in classes))
    words = {"name": name, "names": listed(names or [""]), "method": pass_names[0]}
    old = nearest(name, [each.name for each in classes])
    return SubmissionProblem(
        "unknown-class",
        say("there is no class `{name}` in the submission; it has {names}", **words)
        if names
        else say(
            "there is no class `{name}` in the submission; it has no class at top level", **words
        ),
        say("rename `{old}` to `{new}`", old=old, new=name)
        if old
        else say(
            "name the class with forward and {method} `{name}`, or ask for another by its name",
            **words,
        ),
    )


def _nearest_miss(
    classes: Sequence[ClassFound],
    parsed: Sequence[ParsedUnit],
    class_name: str | None,
    pass_names: Sequence[str],
) -> SubmissionProblem:
    """What to tell when no class is a model: the class that came nearest, and what it lacks."""
    with_forward = [each for each in classes if each.method("forward") is not None]
    with_pass = [each for each in classes if each.pass_names()]
    one_class = say(
        "one class must have both forward and {method} as its methods", method=pass_names[0]
    )
    for each in reversed(with_forward):
        if misspelt := _misspelt(each):
            old, new = misspelt
            message = say(
                "the class `{name}` ({place}) has a method `{method}`, but none called {names}",
                name=each.name,
                place=_place(each, parsed),
                method=old,
                names=either(pass_names),
            )
            way_out = say("rename `{old}` to `{new}`", old=old, new=new)
            return SubmissionProblem("no-pass", message, way_out, each.methods[old].span)
    if not with_forward and not with_pass:
        inner = None if class_name else _inner_class(parsed, {"forward", *pass_names})
        return inner or _no_class(classes, parsed, one_class, pass_names)
    kind, way_out = "no-pass", one_class
    if not with_pass:
        # The last one that somebody wrote: a `GraphModule` pasted from torch.compile's debug
        # output has forward alone.
        own = [each for each in with_forward if "__init__" in each.methods]
        blamed = (own or with_forward)[-1]
        message = say(
            "the class `{name}` ({place}) has forward, but no method {names}",
            name=blamed.name,
            place=_place(blamed, parsed),
            names=either(pass_names),
        )
        way_out = say(
            "add the manual pass to the class as a method called {method}", method=pass_names[0]
        )
        for node in (node for unit in parsed for node in unit.tree.body):
            if isinstance(node, FUNCTIONS) and node.name in pass_names:
                way_out = say(
                    "`{function}` is a function outside the class: indent it so that it becomes a "
                    "method of `{name}`",
                    function=node.name,
                    name=blamed.name,
                )
    else:
        kind, blamed = "no-forward", with_pass[-1]
        message = say(
            "the class `{name}` ({place}) has {method}, but no forward",
            name=blamed.name,
            place=_place(blamed, parsed),
            method=blamed.pass_names()[0],
        )
    return SubmissionProblem(kind, message, way_out, node_span(blamed.unit, blamed.node))


def _no_class(
    classes: Sequence[ClassFound],
    parsed: Sequence[ParsedUnit],
    one_class: str,
    pass_names: Sequence[str],
) -> SubmissionProblem:
    if classes:
        message = say(
            "no class has forward and {methods}; there is only {names}",
            methods=either(pass_names),
            names=listed(list(dict.fromkeys(f"`{each.name}`" for each in classes))),
        )
        return SubmissionProblem("no-class", message, one_class)
    nodes = [node for unit in parsed for node in unit.tree.body if isinstance(node, FUNCTIONS)]
    functions = list(dict.fromkeys(f"`{node.name}`" for node in nodes))
    return SubmissionProblem(
        "no-class",
        say("there is no class in the submission; it has {names}", names=first_of(functions))
        if functions
        else say("there is no class in the submission"),
        say("write the task's class, with the methods forward and {method}", method=pass_names[0]),
    )


def _inner_class(parsed: Sequence[ParsedUnit], names: set[str]) -> SubmissionProblem | None:
    """What to tell of the last class that has one of these names, or a method that has one, where
    none is at top level."""
    for unit in reversed(parsed):
        nodes = ast.walk(unit.tree)
        for node in (each for each in nodes if isinstance(each, ast.ClassDef)):
            methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
            if names & {node.name, *methods}:
                message = say(
                    "the class `{name}` ({place}) is defined inside a function, a loop or another "
                    "class",
                    name=node.name,
                    place=describe_line(unit.unit, node.lineno),
                )
                way_out = say("define it at top level, without indentation")
                span = node_span(unit.index, node)
                return SubmissionProblem("no-class", message, way_out, span)
    return None


def _misspelt(owner: ClassFound) -> tuple[str, str] | None:
    """A method's name that looks like a pass name, and the name that was meant."""
    for name in (each for each in owner.methods if each not in owner.manual):
        new = meant(name, owner.manual)
        if new is not None or "backward" in name.lower():
            return name, new or owner.manual[0]
    return None


def _place(of: ClassFound, parsed: Sequence[ParsedUnit]) -> str:
    unit = next(each.unit for each in parsed if each.index == of.unit)
    return describe_line(unit, of.node.lineno)
