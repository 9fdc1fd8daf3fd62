"""Classes of a submission, and which of them is the model."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..errors import SubmissionProblem
from ..messages import either, listed, say, say_count
from ..model import Span
from .parse import ParsedUnit, child_blocks, describe_line, node_span

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class MethodDefinition:
    """A method of a class: where it stands, and whether its body does nothing yet."""

    span: Span
    stub: bool


@dataclass
class ClassFound:
    """A class at module level, or in `if`, `try` or `with` blocks there.

    `order` is the position among all classes found, `top` the index in the unit of the top-level
    statement that holds it. `manual` are the names that the manual pass may have. `methods` are its
    own, with those attached to it later; `inherited` lists the classes of the submission that it
    gets more from, nearest first.
    """

    unit: int
    top: int
    order: int
    node: ast.ClassDef
    nested: bool
    manual: Sequence[str]
    methods: dict[str, MethodDefinition] = field(default_factory=dict)
    inherited: list[ClassFound] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.node.name

    def method(self, name: str) -> MethodDefinition | None:
        """The method, its own or inherited, that an instance would have."""
        for found in (self, *self.inherited):
            if name in found.methods:
                return found.methods[name]
        return None

    def pass_names(self) -> list[str]:
        """The names of a manual pass that it has, the one to grade first."""
        has = {name: method for name in self.manual if (method := self.method(name)) is not None}
        # A template's empty method of the other name may have been left in.
        return sorted(has, key=lambda name: (has[name].stub, name not in self.methods))

    def derives(self, base: str) -> bool:
        """Whether it, or a class that it inherits from, has a base `….base`."""
        written = [ast.unparse(b) for found in (self, *self.inherited) for b in found.node.bases]
        return any(name.rpartition(".")[2] == base for name in written)

    def is_candidate(self) -> bool:
        return self.method("forward") is not None and bool(self.pass_names())


def find_classes(parsed: Sequence[ParsedUnit], pass_names: Sequence[str]) -> list[ClassFound]:
    """All classes that top-level code defines, in document order, with methods and bases."""
    classes: list[ClassFound] = []
    functions: dict[str, MethodDefinition] = {}
    for unit in parsed:
        for top, statement in enumerate(unit.tree.body if unit.tree is not None else ()):
            for node, nested in _definitions(statement):
                if isinstance(node, ast.ClassDef):
                    found = ClassFound(unit.index, top, len(classes), node, nested, pass_names)
                    found.methods = dict(_methods(node.body, unit.index, functions))
                    found.inherited = _ancestors(found, classes)
                    classes.append(found)
                else:
                    functions[node.name] = _method(node, unit.index)
            _attach(statement, unit.index, classes, functions)
    for found in classes:
        # Bases that stand later in the document: cells are not always run in order.
        if len(found.inherited) < len(_base_names(found.node)):
            found.inherited = _ancestors(found, classes)
    return classes


def _definitions(statement: ast.stmt) -> Iterator[tuple[ast.ClassDef | _Function, bool]]:
    """Classes and functions that a top-level statement defines in the module's scope."""
    pending = [(statement, False)]
    while pending:
        node, nested = pending.pop()
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node, nested
        else:
            inner = [(child, True) for block in child_blocks(node) for child in block]
            pending.extend(reversed(inner))


def _methods(
    body: list[ast.stmt], unit: int, functions: dict[str, MethodDefinition]
) -> Iterator[tuple[str, MethodDefinition]]:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, _method(node, unit)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, _method_of_value(node.value, unit, functions)
        else:
            for block in child_blocks(node):
                yield from _methods(block, unit, functions)


def _method(node: _Function, unit: int) -> MethodDefinition:
    return MethodDefinition(node_span(unit, node), all(_does_nothing(x) for x in node.body))


def _does_nothing(node: ast.stmt) -> bool:
    if isinstance(node, (ast.Pass, ast.Raise)):
        return True
    if isinstance(node, ast.Return):
        return node.value is None or isinstance(node.value, ast.Constant)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _method_of_value(
    value: ast.expr, unit: int, functions: dict[str, MethodDefinition]
) -> MethodDefinition:
    if isinstance(value, ast.Name) and value.id in functions:
        return functions[value.id]
    return MethodDefinition(node_span(unit, value), stub=False)


def _attach(
    statement: ast.stmt,
    unit: int,
    classes: list[ClassFound],
    functions: dict[str, MethodDefinition],
) -> None:
    """Note `Graph.method = f` on the latest class of that name."""
    if not isinstance(statement, ast.Assign):
        return
    for target in statement.targets:
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            found = last_named(classes, target.value.id)
            if found is not None:
                method = _method_of_value(statement.value, unit, functions)
                found.methods[target.attr] = method


def last_named(classes: Sequence[ClassFound], name: str) -> ClassFound | None:
    """The last class of that name, None if there is none."""
    return next((found for found in reversed(classes) if found.name == name), None)


def _base_names(node: ast.ClassDef) -> list[str]:
    return [base.id for base in node.bases if isinstance(base, ast.Name)]


def _ancestors(found: ClassFound, classes: Sequence[ClassFound]) -> list[ClassFound]:
    """The classes it inherits from, near ones first: Python's own order but for diamonds."""
    result: list[ClassFound] = []
    for name in _base_names(found.node):
        earlier = [other for other in classes if other.order < found.order]
        base = last_named(earlier, name)
        if base is None:
            later = [other for other in classes if other.order > found.order]
            base = next((other for other in later if other.name == name), None)
        if base is None or base in result:
            continue
        result.append(base)
        result.extend(
            other for other in base.inherited if other is not found and other not in result
        )
    return result


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
                "the classes {names} all have forward and a manual pass; the last, `{name}` ({place}), "
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
            say("there is no class `{name}` in the submission; it has {names}",
                name=name, names=listed(names))
            if names
            else say("there is no class `{name}` in the submission; it has no class at top level",
                     name=name),
            say("name the class with forward and {method} `{name}`, or ask for another class with "
                "--backprop-class", name=name, method=pass_names[0]),
        )  # fmt: skip
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
                "forward is in the class `{one}` ({there}), but {method} in the class `{other}` ({here})",
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
                "`{function}` is a function outside the class: indent it so that it becomes a method "
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


def _stray_function(parsed: Sequence[ParsedUnit], pass_names: Sequence[str]) -> _Function | None:
    for unit in parsed:
        for node in unit.tree.body if unit.tree is not None else ():
            if isinstance(node, _Function) and node.name in pass_names:
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
