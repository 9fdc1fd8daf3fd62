"""Classes of a submission, with their methods and bases."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ..model import Span
from .parse import FUNCTIONS, Function, ParsedUnit, in_module, node_span


@dataclass
class MethodDefinition:
    """A method of a class: where it stands, and whether its body does nothing yet."""

    span: Span
    stub: bool


_Methods = dict[str, MethodDefinition]


@dataclass(eq=False)
class ClassFound:
    """A class at module level, or (`nested`) in `if`, `try` or `with` blocks there; or one that
    `call` gives: `Net = build()`, `Net = type("Net", (nn.Module,), methods)`.

    `name` is the one that the module has it under. `manual` are the names that the manual pass may
    have. `methods` are its own, with those attached to it later; `inherited` lists the classes of
    the submission that it gets more from, nearest first."""

    unit: int
    node: ast.ClassDef
    name: str
    manual: Sequence[str]
    methods: _Methods
    nested: bool = False
    call: ast.Assign | None = None
    inherited: list[ClassFound] = field(default_factory=list)

    def method(self, name: str) -> MethodDefinition | None:
        """The method, its own or inherited, that an instance would have."""
        owners = (each for each in (self, *self.inherited) if name in each.methods)
        return next((owner.methods[name] for owner in owners), None)

    def pass_names(self) -> list[str]:
        """The names of a manual pass that it has, the one to grade first."""
        has = {name: method for name in self.manual if (method := self.method(name)) is not None}
        # A template's empty method of the other name may have been left in.
        return sorted(has, key=lambda name: (has[name].stub, name not in self.methods))

    def derives(self, base: str) -> bool:
        """Whether it, or a class that it inherits from, has a base `….base`."""
        written = [ast.unparse(b) for each in (self, *self.inherited) for b in each.node.bases]
        return any(name.rpartition(".")[2] == base for name in written)

    def is_candidate(self) -> bool:
        return self.method("forward") is not None and bool(self.pass_names())


def find_classes(
    parsed: Sequence[ParsedUnit], pass_names: Sequence[str], others: Sequence[ParsedUnit] = ()
) -> list[ClassFound]:
    """All classes that top-level code defines, in document order, with methods and bases, also
    those in `others`, of files that it may import; where none is a model, those too that functions
    return."""
    finder = _Finder(pass_names)
    for unit in parsed:
        for statement in unit.tree.body:
            finder.read(unit.index, statement)
    bases = find_classes(others, pass_names) if others else []
    _inherit([*finder.classes, *bases])
    if not any(each.is_candidate() for each in finder.classes):
        finder.classes += finder.returned
        _inherit([*finder.classes, *bases])
    return finder.classes


class _Finder:
    """Reads the statements of a module from top to bottom."""

    def __init__(self, manual: Sequence[str]) -> None:
        self.classes: list[ClassFound] = []
        self.returned: list[ClassFound] = []
        """Those of `Name = function(…)`."""
        self._manual = manual
        self._functions: _Methods = {}
        """All functions so far, also those in others."""
        self._gifts: dict[str, _Methods] = {}
        """The methods that a function may give to a class which it decorates: those in it."""
        self._makers: dict[str, tuple[int, ast.ClassDef]] = {}
        """The class that a function defines and returns, and its unit."""

    def read(self, unit: int, statement: ast.stmt) -> None:
        for node, nested in in_module(statement):
            if isinstance(node, ast.ClassDef):
                methods = dict(_methods(node.body, unit, self._functions))
                for decorator in node.decorator_list:  # a function of the file's own, or its call
                    methods |= self._gifts.get(_named(getattr(decorator, "func", decorator)), {})
                self.classes.append(
                    ClassFound(unit, node, node.name, self._manual, methods, nested)
                )
            elif isinstance(node, FUNCTIONS):
                self._read_function(unit, node)
        match statement:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name("type"), [_, bases, members])):
                wanted = self._functions.keys() & {"forward", *self._manual}
                methods = {name: self._functions[name] for name in wanted}
                methods |= _members(unit, members, self._functions)
                written = ast.ClassDef(name, list(getattr(bases, "elts", ())), [], [], [])
                node = ast.copy_location(written, statement)
                self.classes.append(
                    ClassFound(unit, node, name, self._manual, methods, call=statement)
                )
            case ast.Assign([ast.Name(name), *_], ast.Call(ast.Name(maker))):
                if maker in self._makers:
                    where, node = self._makers[maker]
                    methods = dict(_methods(node.body, where, self._functions))
                    self.returned.append(
                        ClassFound(where, node, name, self._manual, methods, call=statement)
                    )
        self._attach(unit, statement)

    def _read_function(self, unit: int, function: Function) -> None:
        nodes = [node for node in ast.walk(function) if isinstance(node, ast.stmt)]
        local = {node.name: _method(node, unit) for node in nodes if isinstance(node, FUNCTIONS)}
        self._functions |= local
        gifts = self._gifts[function.name] = local
        for node in nodes[1:]:
            for _, name, value in _attached(node):
                gifts[name] = _value(value, unit, self._functions)
        returned = {_named(node.value) for node in nodes if isinstance(node, ast.Return)}
        for node in function.body:
            if isinstance(node, ast.ClassDef) and node.name in returned:
                self._makers[function.name] = unit, node

    def _attach(self, unit: int, statement: ast.stmt) -> None:
        """Note what a statement attaches to the latest classes of the names that it tells."""
        for owner, name, value in _attached(statement):
            for each in [each for each in self.classes if each.name == _named(owner)][-1:]:
                each.methods[name] = _value(value, unit, self._functions)


def _named(node: ast.AST | None) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _methods(
    body: Iterable[ast.stmt], unit: int, functions: _Methods
) -> Iterator[tuple[str, MethodDefinition]]:
    for node in (inner for statement in body for inner, _ in in_module(statement)):
        if isinstance(node, FUNCTIONS):
            yield node.name, _method(node, unit)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, _value(node.value, unit, functions)


def _members(
    unit: int, members: ast.expr, functions: _Methods
) -> Iterator[tuple[str, MethodDefinition]]:
    """The methods of a class by its dictionary: `{"forward": f}`."""
    for key, value in zip(
        getattr(members, "keys", ()), getattr(members, "values", ()), strict=True
    ):
        if isinstance(key, ast.Constant):
            yield str(key.value), _value(value, unit, functions)


def _method(node: Function, unit: int) -> MethodDefinition:
    """A method; a stub if its statements do nothing."""
    idle = ast.Pass | ast.Raise | ast.Return | ast.Expr
    values = [getattr(each, "value", None) for each in node.body]
    is_stub = all(isinstance(each, idle) for each in node.body) and all(
        value is None or isinstance(value, ast.Constant) for value in values
    )
    return MethodDefinition(node_span(unit, node), is_stub)


def _value(value: ast.expr, unit: int, functions: _Methods) -> MethodDefinition:
    """The method that a value is."""
    return functions.get(_named(value)) or MethodDefinition(node_span(unit, value), stub=False)


def _attached(statement: ast.stmt) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """Object, name and value of `Graph.method = f`, `setattr(Graph, "method", f)` and
    `@add_to(Graph)` above `def method`."""
    match statement:
        case ast.Assign(targets, value):
            for target in targets:
                if isinstance(target, ast.Attribute):
                    yield target.value, target.attr, value
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            for decorator in statement.decorator_list:
                for argument in decorator.args if isinstance(decorator, ast.Call) else ():
                    yield argument, name, ast.Name(name)
        case ast.Expr(ast.Call(ast.Name("setattr"), [owner, ast.Constant(str(name)), value])):
            yield owner, name, value


def _inherit(classes: Sequence[ClassFound]) -> None:
    """Fill `inherited`: near ones first, in Python's own order but for diamonds."""
    bases = {each: _bases(each, position, classes) for position, each in enumerate(classes)}
    for each in classes:
        order = {each: None}
        pending = bases[each][::-1]
        while pending:
            base = pending.pop()
            if base not in order:
                order[base] = None
                pending += bases[base][::-1]
        each.inherited = list(order)[1:]


def _bases(of: ClassFound, position: int, classes: Sequence[ClassFound]) -> list[ClassFound]:
    """The last class above that has the name, or the first below: cells are not always run in
    order."""
    nearest = [*reversed(classes[:position]), *classes[position + 1 :]]
    names = [base.id for base in of.node.bases if isinstance(base, ast.Name)]
    return [each for n in names for each in [c for c in nearest if c.name == n][:1]]
