"""What top-level statements may change beside the names that they bind: `STEPS.append(1)`,
`vjp("sum")(f)`, `for name, f in table: registry.register(name, f)`. Text tells what may be, not
what is. Parses; runs nothing."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Union

if TYPE_CHECKING:
    from .closure import Piece

    _Node = Union[str, "_Called", Piece]  # noqa: UP007

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NAMESPACE = "globals()"
"""Stands among changed names for the module's own namespace, in which a statement may bind any
name."""
_LOOKING = frozenset(
    name for type_ in (str, int, float, tuple, frozenset, MappingProxyType) for name in dir(type_)
)
"""Methods that only look: those of what cannot be changed."""
_CHANGING = frozenset(
    "setattr delattr next shuffle heappush heappop heapify heapreplace heappushpop insort "
    "insort_left insort_right setitem delitem iadd ior iconcat update_wrapper".split()
)
"""Functions of Python's own that change what they are given."""
_PASSING = frozenset(
    "zip enumerate reversed iter map filter sorted list tuple dict partial".split()
)
"""Functions of Python's own in whose result their arguments are."""
_CALLING = frozenset(("map", "filter", "partial", "reduce"))
"""Functions of Python's own that call a method which they are given."""


@dataclass
class _Call:
    """A call: the root of what is called, its last name, whether that is a method's, and the roots
    of the arguments by their places. `again` is a call of what a call returned."""

    root: str | None
    name: str
    method: bool
    again: bool
    arguments: dict[int | str, set[str]]


@dataclass
class _Acts:
    """What some code does to objects: `changed` are the roots of what it changes, `assigned` those
    that get an attribute or an item by it; `sources` are the names in whose objects a name's may
    be."""

    changed: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    calls: list[_Call] = field(default_factory=list)
    sources: dict[str, set[str]] = field(default_factory=dict)


class _Called(NamedTuple):
    """A call of what a name stands for."""

    name: str


class Changes:
    """What pieces may change. Classes and functions of the names in `apart` are taken to change
    nothing: what calls them is a test.

    It is one graph. From a piece edges lead to the names whose objects it changes and to what it
    calls; from what is called to what its code changes and to what else it may call; from a name to
    those in whose objects its own may be. A piece may change all names that it leads to."""

    def __init__(self, pieces: Sequence[Piece], apart: Collection[str | None]) -> None:
        self._apart = apart
        self._binders: dict[str, list[Piece]] = {}
        self._functions: dict[str, list[tuple[_Function, bool]]] = {}
        self._classes: set[str] = set()
        self._parameters: dict[tuple[_Function, str], frozenset[str]] = {}
        self._rebound: set[str] = set()
        self._assigners: dict[str, list[Piece]] = {}
        for piece in pieces:
            for name in piece.names.binds:
                self._binders.setdefault(name, []).append(piece)
            if isinstance(piece.node, _Definition):
                self._note_functions(piece.node)
        self._back: dict[_Node, set[_Node]] = {}
        """The edges, backwards."""
        for piece in pieces:
            acts = self._acts(_at_once(piece.node))
            self._note_assigned(piece, acts)
            asks = any(call.root == "input" for call in acts.calls)  # nobody answers here
            if not (piece.defines in self._apart or asks or _is_main_block(piece.node)):
                self._note_piece(piece, acts)
            if piece.defines is not None and piece.defines not in self._apart:
                self._note_body(piece)

    def of(self, name: str) -> list[Piece]:
        """The pieces that may change the object of a name, in document order."""
        binders = self._binders.get(name, ())
        if binders and name not in self._rebound and all(_is_constant(p.node) for p in binders):
            return []
        seen: set[_Node] = {name}
        pending: list[_Node] = [name]
        while pending:
            new = self._back.get(pending.pop(), set()) - seen
            seen |= new
            pending += new
        pieces = [node for node in seen if not isinstance(node, str | _Called)]
        return sorted(pieces, key=lambda piece: piece.order)

    def assigned_to(self, name: str) -> list[Piece]:
        """The pieces that give the object of a name an attribute or an item, or decorate with
        it."""
        return self._assigners.get(name, [])

    # -- edges ---------------------------------------------------------------------------------

    def _lead(self, node: _Node, targets: Iterable[_Node]) -> None:
        for target in targets:
            if target != node:
                self._back.setdefault(target, set()).add(node)

    def _note_piece(self, piece: Piece, acts: _Acts) -> None:
        changed = _traced(acts.changed | self._given(acts, "changed"), acts.sources)
        self._lead(piece, changed)
        for name in piece.names.binds:
            self._lead(name, acts.sources.get(name, ()))
            if piece.defines is None and not piece.is_import:
                self._lead(_Called(name), map(_Called, piece.names.at_definition))
        if not any(call.root in self._apart for call in acts.calls):
            for call in acts.calls:
                handed = set().union(*call.arguments.values())
                called = {name for name in handed if self._defined(name)}
                if call.root is not None:
                    called.add(call.root)
                    if not call.method and not self._defined(call.root):  # `add = STEPS.append`
                        self._lead(piece, {call.root, *self._behind(call.root)})
                self._lead(piece, map(_Called, called))

    def _note_body(self, piece: Piece) -> None:
        acts = self._acts(ast.walk(piece.node))
        changed = _traced(acts.changed | self._given(acts, "changed"), acts.sources)
        called = _Called(piece.defines or "")
        self._lead(called, changed & (piece.names.reads | {NAMESPACE}))
        self._lead(called, (_Called(name) for name in piece.names.reads if self._defined(name)))

    def _note_assigned(self, piece: Piece, acts: _Acts) -> None:
        assigned = _traced(acts.assigned | self._given(acts, "assigned"), acts.sources)
        if isinstance(piece.node, _Definition) and piece.defines not in self._apart:
            outer = [*piece.node.decorator_list, *getattr(piece.node, "bases", ())]
            assigned |= {n.id for part in outer for n in ast.walk(part) if isinstance(n, ast.Name)}
        for name in assigned - {piece.defines}:
            self._assigners.setdefault(name, []).append(piece)

    # -- what the names of the file stand for ------------------------------------------------

    def _note_functions(self, node: ast.stmt) -> None:
        if isinstance(node, ast.ClassDef):
            self._classes.add(node.name)
        for inner in ast.walk(node):
            methods = inner.body if isinstance(inner, ast.ClassDef) else ()
            for method in methods:
                if isinstance(method, _Function):
                    self._functions.setdefault(method.name, []).append((method, True))
                    if method.name == "__init__" and isinstance(inner, ast.ClassDef):
                        self._functions.setdefault(inner.name, []).append((method, True))
        if isinstance(node, _Function):
            self._functions.setdefault(node.name, []).append((node, False))

    def _defined(self, name: str) -> bool:
        return any(piece.defines == name for piece in self._binders.get(name, ()))

    def _behind(self, name: str) -> set[str]:
        """What was used to make what a name stands for, which is no function of the file."""
        makers = [p for p in self._binders.get(name, ()) if not p.is_import and p.defines is None]
        used = set().union(*(piece.names.at_definition for piece in makers))
        return {each for each in used if not self._defined(each)}

    # -- what functions do ---------------------------------------------------------------------

    def _given(self, acts: _Acts, which: str) -> set[str]:
        """The roots of the arguments that functions, which the code calls, change or assign to."""
        changed: set[str] = set()
        for call in acts.calls:
            functions = self._functions.get(call.name, ())
            if not functions and call.name in _CHANGING:
                first = {0} if call.name in ("setattr", "delattr") else call.arguments.keys()
                changed |= set().union(*(call.arguments.get(key, set()) for key in first))
            elif not functions and call.name.endswith("_") and which == "changed":
                changed |= call.arguments.get(0, set())
            for function, method in functions:
                names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
                if method and (call.method or function.name == "__init__"):
                    names = names[1:]
                touched = self._touched(function, which)
                for key, roots in call.arguments.items():
                    at = names[key] if isinstance(key, int) and key < len(names) else key
                    if isinstance(at, int) and function.args.vararg is not None:
                        at = function.args.vararg.arg
                    if at in touched or (call.again and touched - set(names)):
                        changed |= roots
        return changed

    def _touched(self, function: _Function, which: str) -> frozenset[str]:
        """The arguments, of a function and of those in it, that it may change or assign to."""
        key = function, which
        if key not in self._parameters:
            self._parameters[key] = frozenset()
            acts = self._acts(ast.walk(function))
            roots = _traced(getattr(acts, which) | self._given(acts, which), acts.sources)
            arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
            self._parameters[key] = frozenset(roots & arguments)
        return self._parameters[key]

    # -- reading -------------------------------------------------------------------------------

    def _acts(self, nodes: Iterable[ast.AST]) -> _Acts:
        acts = _Acts()
        for node in nodes:
            if isinstance(node, ast.Attribute | ast.Subscript):
                if not isinstance(node.ctx, ast.Load) and (root := _root(node)) is not None:
                    acts.assigned.add(root)
            elif isinstance(node, ast.Global):
                acts.changed.update(node.names)
                self._rebound.update(node.names)
            elif isinstance(node, ast.Call):
                self._note_call(node, acts)
            elif isinstance(node, _Definition):
                for part in node.decorator_list:
                    if not isinstance(part, ast.Call):
                        self._note_call(ast.Call(part, [ast.Name(node.name)], []), acts)
                if isinstance(node, ast.ClassDef):  # it may register itself
                    keywords = [keyword.value for keyword in node.keywords]
                    for base in [*node.bases, *keywords]:
                        acts.changed |= self._sources(base)
                        self._note_call(ast.Call(base, [], []), acts)
            for target, value in _bindings(node):
                sources = self._sources(value)
                for each in ast.walk(target):
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                        acts.sources.setdefault(each.id, set()).update(sources - {each.id})
        acts.changed |= acts.assigned
        return acts

    def _note_call(self, node: ast.Call, acts: _Acts) -> None:
        function, root = node.func, _root(node.func)
        again = isinstance(function, ast.Call)
        while isinstance(function, ast.Call):
            function = function.func
        method = isinstance(function, ast.Attribute)
        name = function.attr if isinstance(function, ast.Attribute) else root or ""
        if method and name not in _LOOKING and root is not None:
            acts.changed.add(root)
        if name == "exec":
            namespace = _root(node.args[1]) if len(node.args) > 1 else NAMESPACE
            acts.changed |= set() if namespace is None else {namespace}
        if name in _CALLING:
            methods = [a for a in node.args if isinstance(a, ast.Attribute)]
            acts.changed |= {root for a in methods if (root := _root(a)) is not None}
        arguments: dict[int | str, set[str]] = {}
        for at, value in [*enumerate(node.args), *((k.arg or 0, k.value) for k in node.keywords)]:
            arguments.setdefault(at, set()).update(self._sources(value))
        acts.calls.append(_Call(root, name, method, again, arguments))

    def _sources(self, value: ast.expr | None) -> set[str]:
        """The names in whose objects the value may be, or which it holds."""
        pending: list[ast.expr | None] = [value]
        roots: set[str] = set()
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Name):
                roots.add(node.id)
            elif isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.NamedExpr):
                pending.append(node.value)
            elif isinstance(node, ast.Tuple | ast.List | ast.Set):
                pending += node.elts
            elif isinstance(node, ast.Dict):
                pending += node.values
            elif isinstance(node, ast.IfExp):
                pending += [node.body, node.orelse]
            elif isinstance(node, ast.BoolOp):
                pending += node.values
            elif isinstance(node, ast.Call):
                root = _root(node)
                if isinstance(node.func, ast.Attribute) and node.func.attr in _HOLDING:
                    pending.append(node.func.value)
                if root == NAMESPACE:
                    roots.add(NAMESPACE)
                elif root in _PASSING or root in self._classes or _last(node.func) == "partial":
                    pending += [*node.args, *(keyword.value for keyword in node.keywords)]
        return roots


_HOLDING = frozenset(dir(MappingProxyType)) | {"setdefault", "pop", "__getitem__"}
"""Methods whose result may be in the object."""


def _last(node: ast.expr) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)


def _root(node: ast.expr) -> str | None:
    """`T` of `T`, `T.a[0]`, `T.setdefault(k, []).append`, `T(x)(y)`, `vars(T)["a"]`, `getattr(T,
    "a")`; the module's namespace of `globals()[name]`."""
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.NamedExpr):
            node = node.value
        elif isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            if called in ("globals", "locals", "vars") and not node.args:
                return NAMESPACE
            node = node.args[0] if called in ("vars", "getattr") and node.args else node.func
        else:
            return node.id if isinstance(node, ast.Name) else None


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets and values of what binds names to objects that are there."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield node.target, node.iter
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr


def _traced(names: set[str], sources: Mapping[str, set[str]]) -> set[str]:
    """The names with all those in whose objects theirs may be."""
    traced, pending = set(names), list(names)
    while pending:
        new = sources.get(pending.pop(), set()) - traced
        traced |= new
        pending += new
    return traced


def _at_once(statement: ast.stmt) -> Iterator[ast.AST]:
    """What of a statement runs when it does, and lambdas, which what they are handed to may call;
    without what only shows or tests: `print(…)`, `assert`."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        match node:
            case ast.Assert() | ast.Expr(ast.Call(ast.Name("print" | "display"))):
                continue
        yield node
        if isinstance(node, _Function):
            pending += [*node.decorator_list, node.args]
        else:
            pending.extend(ast.iter_child_nodes(node))


def _is_main_block(node: ast.stmt) -> bool:
    """Whether it is `if __name__ == "__main__":`, which is false where a submission is graded."""
    match node:
        case ast.If(ast.Compare(ast.Name("__name__"), [ast.Eq()], [ast.Constant("__main__")])):
            return True
    return False


def _is_constant(node: ast.stmt) -> bool:
    """Whether it binds names to numbers, texts and the like, and to nothing else."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    plain = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.operator, ast.unaryop, ast.Load)
    if isinstance(node.value, ast.Call):
        return _last(node.value.func) in ("device", "int", "float", "str")
    return all(isinstance(part, plain) for part in ast.walk(node.value))
