"""Which class of a submission is the model, and what to tell where none is."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Sequence

from ..errors import SubmissionProblem
from ..messages import either, listed, say, say_count
from .classes import ClassFound
from .parse import ParsedUnit, describe_line, node_span


def choose(
    classes: Sequence[ClassFound],
    parsed: Sequence[ParsedUnit],
    class_name: str | None,
    pass_names: Sequence[str],
    base: str | None = None,
) -> tuple[ClassFound, list[str]]:
    """The model class, and notes on the choice. Classes derived from `base` come before others.

    Raises SubmissionProblem (`unknown-class`, `no-class`, `no-forward`, `no-pass`).
    """
    if class_name is not None:
        return _named(classes, parsed, class_name, pass_names)
    candidates = [found for found in classes if found.is_candidate()]
    if not candidates:
        raise _nearest_miss(classes, parsed, pass_names)
    if base is not None:
        candidates = [found for found in candidates if found.derives(base)] or candidates
    chosen = candidates[-1]
    others = [x for x in candidates if x is not chosen and x not in chosen.inherited]
    notes = []
    different = list(dict.fromkeys(x.name for x in others if x.name != chosen.name))
    if different:
        notes.append(
            say(
                "the classes {names} all have forward and a manual pass; the last, `{name}` "
                "({place}), "
                "is graded; `--backprop-class` chooses another",
                names=listed([f"`{name}`" for name in (*different, chosen.name)]),
                name=chosen.name,
                place=_place(chosen, parsed),
            )
        )
    elif others:
        notes.append(
            say_count(
                "the class `{name}` is defined {count} time; the last one ({place}) is graded",
                "the class `{name}` is defined {count} times; the last one ({place}) is graded",
                len(others) + 1,
                name=chosen.name,
                place=_place(chosen, parsed),
            )
        )
    return chosen, notes


def _named(
    classes: Sequence[ClassFound],
    parsed: Sequence[ParsedUnit],
    name: str,
    pass_names: Sequence[str],
) -> tuple[ClassFound, list[str]]:
    named = [found for found in classes if found.name == name]
    if not named:
        names = list(dict.fromkeys(f"`{found.name}`" for found in classes))
        raise SubmissionProblem(
            "unknown-class",
            say(
                "there is no class `{name}` in the submission; it has {names}",
                name=name,
                names=listed(names),
            )
            if names
            else say(
                "there is no class `{name}` in the submission; it has no class at top level",
                name=name,
            ),
            say(
                "name the class with forward and {method} `{name}`, or ask for another class with "
                "--backprop-class",
                name=name,
                method=pass_names[0],
            ),
        )
    for found in reversed(named):
        if found.is_candidate():
            return found, []
    raise _nearest_miss(named, parsed, pass_names)


def _nearest_miss(
    classes: Sequence[ClassFound], parsed: Sequence[ParsedUnit], pass_names: Sequence[str]
) -> SubmissionProblem:
    """What to tell when no class is a model: the class that came nearest, and what it lacks."""
    with_forward = [found for found in classes if found.method("forward") is not None]
    with_pass = [found for found in classes if found.pass_names()]
    one_class = say(
        "one class must have both forward and {method} as its methods", method=pass_names[0]
    )
    for found in reversed(with_forward):
        meant = _misspelt(found)
        if meant is not None:
            return SubmissionProblem(
                "no-pass",
                say(
                    "the class `{name}` ({place}) has a method `{method}`, but none called {names}",
                    name=found.name,
                    place=_place(found, parsed),
                    method=meant[0],
                    names=either(pass_names),
                ),
                say("rename `{old}` to `{new}`", old=meant[0], new=meant[1]),
                found.methods[meant[0]].span,
            )
    if with_forward and with_pass:
        forward, manual = with_forward[-1], with_pass[-1]
        return SubmissionProblem(
            "no-pass",
            say(
                "forward is in the class `{one}` ({there}), but {method} in the class `{other}` "
                "({here})",
                one=forward.name,
                there=_place(forward, parsed),
                method=manual.pass_names()[0],
                other=manual.name,
                here=_place(manual, parsed),
            ),
            one_class,
            node_span(manual.unit, manual.node),
        )
    if with_forward:
        # The last one that somebody wrote: a `GraphModule` pasted from torch.compile's debug
        # output has forward alone.
        found = max(with_forward, key=lambda x: ("__init__" in x.methods, x.order))
        stray = _stray_function(parsed, pass_names)
        way_out = say(
            "add the manual pass to the class as a method called {method}", method=pass_names[0]
        )
        if stray is not None:
            way_out = say(
                "`{function}` is a function outside the class: indent it so that it becomes a "
                "method "
                "of `{name}`",
                function=stray.name,
                name=found.name,
            )
        return SubmissionProblem(
            "no-pass",
            say(
                "the class `{name}` ({place}) has forward, but no method {names}",
                name=found.name,
                place=_place(found, parsed),
                names=either(pass_names),
            ),
            way_out,
            node_span(found.unit, found.node),
        )
    if with_pass:
        found = with_pass[-1]
        return SubmissionProblem(
            "no-forward",
            say(
                "the class `{name}` ({place}) has {method}, but no forward",
                name=found.name,
                place=_place(found, parsed),
                method=found.pass_names()[0],
            ),
            one_class,
            node_span(found.unit, found.node),
        )
    return _no_class(classes, parsed, one_class, pass_names)


def _no_class(
    classes: Sequence[ClassFound],
    parsed: Sequence[ParsedUnit],
    one_class: str,
    pass_names: Sequence[str],
) -> SubmissionProblem:
    for unit in reversed(parsed):
        hidden = _hidden_class(unit, pass_names)
        if hidden is not None:
            return SubmissionProblem(
                "no-class",
                say(
                    "the class `{name}` ({place}) is defined inside a function, a loop or another "
                    "class",
                    name=hidden.name,
                    place=describe_line(unit.unit, hidden.lineno),
                ),
                say("define it at top level, without indentation"),
                node_span(unit.index, hidden),
            )
    if classes:
        message = say(
            "no class has forward and {methods}; there is only {names}",
            methods=either(pass_names),
            names=listed(list(dict.fromkeys(f"`{found.name}`" for found in classes))),
        )
        return SubmissionProblem("no-class", message, one_class)
    return SubmissionProblem(
        "no-class",
        say("there is no class in the submission"),
        say("write the task's class, with the methods forward and {method}", method=pass_names[0]),
    )


def _hidden_class(unit: ParsedUnit, pass_names: Sequence[str]) -> ast.ClassDef | None:
    wanted = {"forward", *pass_names}
    for node in ast.walk(unit.tree) if unit.tree is not None else ():
        if isinstance(node, ast.ClassDef):
            methods = {x.name for x in node.body if isinstance(x, ast.FunctionDef)}
            if methods & wanted:
                return node
    return None


def _stray_function(
    parsed: Sequence[ParsedUnit], pass_names: Sequence[str]
) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    for unit in parsed:
        for node in unit.tree.body if unit.tree is not None else ():
            if (
                isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                and node.name in pass_names
            ):
                return node
    return None


def _misspelt(found: ClassFound) -> tuple[str, str] | None:
    """A method's name that looks like a pass name, and the name that was meant."""
    for name in found.methods:
        close = difflib.get_close_matches(name.lower(), found.manual, n=1, cutoff=0.7)
        if name in found.manual:
            continue
        if close or "backward" in name.lower():
            return name, close[0] if close else found.manual[0]
    return None


def _place(found: ClassFound, parsed: Sequence[ParsedUnit]) -> str:
    return describe_line(parsed[found.unit].unit, found.node.lineno)
