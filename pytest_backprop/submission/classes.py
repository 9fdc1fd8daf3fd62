"""Classes of a submission, with their methods and bases."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..model import Span
from .parse import ParsedUnit, child_blocks, node_span

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class MethodDefinition:
    """A method of a class: where it stands, and whether its body does nothing yet."""

    span: Span
    stub: bool


@dataclass
class ClassFound:
    """A class at module level, or in `if`, `try` or `with` blocks there; or one to be had by
    `call`, which a function there returns or `type` makes: `Net = build()`, `Net = type("Net",
    (nn.Module,), methods)`.

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
    call: ast.Assign | None = None

    @property
    def name(self) -> str:
        """The name that the module has it under."""
        if self.call is not None and isinstance(self.call.targets[0], ast.Name):
            return self.call.targets[0].id
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
    makers: dict[str, dict[str, MethodDefinition]] = {}
    for unit in parsed:
        for top, statement in enumerate(unit.tree.body if unit.tree is not None else ()):
            for node, nested in _definitions(statement):
                if isinstance(node, ast.ClassDef):
                    found = ClassFound(unit.index, top, len(classes), node, nested, pass_names)
                    found.methods = dict(_methods(node.body, unit.index, functions))
                    for decorator in node.decorator_list:
                        found.methods |= makers.get(_called(decorator), {})
                    found.inherited = _ancestors(found, classes)
                    classes.append(found)
                else:
                    functions[node.name] = _method(node, unit.index)
                    makers[node.name] = _given_by(node, unit.index, functions)
            made = _by_type(statement)
            if made is not None:
                found = ClassFound(unit.index, top, len(classes), made, False, pass_names)
                found.call = statement if isinstance(statement, ast.Assign) else None
                wanted = functions.keys() & {"forward", *pass_names}
                found.methods = {name: functions[name] for name in wanted}
                found.methods |= _methods(made.body, unit.index, functions)
                found.inherited = _ancestors(found, classes)
                classes.append(found)
            _attach(statement, unit.index, classes, functions, makers)
    for found in classes:
        # Bases that stand later in the document: cells are not always run in order.
        if len(found.inherited) < len(_base_names(found.node)):
            found.inherited = _ancestors(found, classes)
    if not any(found.is_candidate() for found in classes):
        for found in _returned(parsed, len(classes), pass_names):
            found.methods = dict(_methods(found.node.body, found.unit, functions))
            found.inherited = _ancestors(found, classes)
            classes.append(found)
    return classes


def _returned(
    parsed: Sequence[ParsedUnit], order: int, pass_names: Sequence[str]
) -> Iterator[ClassFound]:
    """The classes that functions at top level define and return, for each `Name = function(…)`
    at top level."""
    makers: dict[str, tuple[int, ast.ClassDef]] = {}
    for unit in parsed:
        for top, statement in enumerate(unit.tree.body if unit.tree is not None else ()):
            if isinstance(statement, _Function):
                returned = {
                    node.value.id
                    for node in ast.walk(statement)
                    if isinstance(node, ast.Return) and isinstance(node.value, ast.Name)
                }
                for node in statement.body:
                    if isinstance(node, ast.ClassDef) and node.name in returned:
                        makers[statement.name] = (unit.index, node)
            elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
                maker = statement.value.func
                if (
                    isinstance(maker, ast.Name)
                    and maker.id in makers
                    and isinstance(statement.targets[0], ast.Name)
                ):
                    index, node = makers[maker.id]
                    yield ClassFound(index, top, order, node, False, pass_names, call=statement)
                    order += 1


def _called(node: ast.expr) -> str:
    """The function of the file's own that a decorator, or a call, calls."""
    node = node.func if isinstance(node, ast.Call) else node
    return node.id if isinstance(node, ast.Name) else ""


def _by_type(statement: ast.stmt) -> ast.ClassDef | None:
    """The class of `Net = type("Net", (nn.Module,), {"forward": forward})`, as if it were written
    out. What is in a dictionary that is not written there stands under its own name."""
    match statement:
        case ast.Assign([ast.Name(name)], ast.Call(ast.Name("type"), [_, bases, members])):
            pairs: list[tuple[str, ast.expr]] = []
            if isinstance(members, ast.Dict):
                for key, value in zip(members.keys, members.values, strict=True):
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        pairs.append((key.value, value))
            elif isinstance(members, ast.Call):
                pairs += [(k.arg, k.value) for k in members.keywords if k.arg is not None]
            body = [ast.Assign([ast.Name(key, ast.Store())], value) for key, value in pairs]
            made = ast.ClassDef(name, list(getattr(bases, "elts", ())), [], [*body], [])
            return ast.copy_location(made, statement)
    return None


def _given_by(
    function: _Function, unit: int, functions: dict[str, MethodDefinition]
) -> dict[str, MethodDefinition]:
    """The methods that a function gives to a class which it decorates: those that it assigns, and
    those of a class in it."""
    inner = [node for node in ast.walk(function) if isinstance(node, ast.stmt)]
    known = functions | {
        node.name: _method(node, unit) for node in inner if isinstance(node, _Function)
    }
    methods: dict[str, MethodDefinition] = {}
    for node in inner:
        if isinstance(node, ast.ClassDef):
            methods |= _methods(node.body, unit, known)
        elif node is not function:
            for owner, name, value in _attached(node):
                if isinstance(owner, ast.Name):
                    methods[name] = _method_of_value(value, unit, known)
    return methods


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
    makers: dict[str, dict[str, MethodDefinition]],
) -> None:
    """Note what a statement attaches to the latest classes of the names that it tells."""
    value = getattr(statement, "value", None)
    if isinstance(value, ast.Call) and _called(value) in makers:  # `Net = with_backward(Net)`
        names = [argument.id for argument in value.args if isinstance(argument, ast.Name)]
        handed = {name: functions[name] for name in names if name in functions}
        for decorated in filter(None, (last_named(classes, name) for name in names)):
            decorated.methods |= makers[_called(value)] | handed
    for owner, name, value in _attached(statement):
        found = last_named(classes, owner.id) if isinstance(owner, ast.Name) else None
        if found is not None:
            found.methods[name] = _method_of_value(value, unit, functions)


def _attached(statement: ast.stmt) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """Object, name and value of `Graph.method = f`, `setattr(Graph, "method", f)` and
    `@add_to(Graph)` above `def method`."""
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Attribute):
                yield target.value, target.attr, statement.value
    elif isinstance(statement, _Function):
        function = ast.Name(statement.name)
        for decorator in statement.decorator_list:
            for argument in decorator.args if isinstance(decorator, ast.Call) else ():
                yield argument, statement.name, function
    elif isinstance(statement, ast.Expr):
        match statement.value:
            case ast.Call(ast.Name("setattr"), [owner, ast.Constant(str(name)), value]):
                yield owner, name, value


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
