"""What top-level statements may change beside the names that they bind: `STEPS.append(1)`, `vjp("sum")(f)`,
`for name, f in table: registry.register(name, f)`. Text tells what may be, not what is. Parses; runs nothing."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .closure import Piece

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_Definition = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
NAMESPACE = "globals()"
"""Stands among changed names for the module's own namespace, in which a statement may bind any name."""
_LOOKING = frozenset(
    name for type_ in (str, int, float, tuple, frozenset, MappingProxyType) for name in dir(type_)
)
"""Methods that only look: those of what cannot be changed."""
_CHANGING = frozenset(
    "setattr delattr next shuffle heappush heappop heapify heapreplace heappushpop insort insort_left "
    "insort_right setitem delitem iadd ior iconcat update_wrapper".split()
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
    """A call: the root of what is called, its last name, whether that is a method's, and the roots of the arguments
    by their places. `again` is a call of what a call returned."""

    root: str | None
    name: str
    method: bool
    again: bool
    arguments: dict[int | str, set[str]]


@dataclass
class _Acts:
    """What some code does to objects: `changed` are the roots of what it changes, `assigned` those that get an
    attribute or an item by it; `sources` are the names in whose objects a name's may be."""

    changed: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    calls: list[_Call] = field(default_factory=list)
    sources: dict[str, set[str]] = field(default_factory=dict)


class Changes:
    """What each of the pieces may change. Classes and functions of the names in `apart` are taken to change
    nothing: what calls them is a test."""

    def __init__(self, pieces: Sequence[Piece], apart: Collection[str | None]) -> None:
        self._apart = apart
        self._binders: dict[str, list[Piece]] = {}
        self._functions: dict[str, list[tuple[_Function, bool]]] = {}
        self._classes: set[str] = set()
        for piece in pieces:
            for name in piece.names.binds:
                self._binders.setdefault(name, []).append(piece)
            if isinstance(piece.node, _Definition):
                self._note_functions(piece.node)
        self._bodies: dict[str, tuple[set[str], set[str]]] = {}
        self._parameters: dict[tuple[_Function, str], frozenset[str]] = {}

    def of(self, piece: Piece) -> set[str]:
        """The names whose objects running the piece may change."""
        if piece.defines in self._apart or _is_main_block(piece.node):
            return set()
        acts = self._acts(_at_once(piece.node))
        changed = _traced(acts.changed | self._given(acts, "changed"), acts.sources)
        tests = any(call.root in self._apart for call in acts.calls)
        for call in acts.calls if not tests else ():
            handed = set().union(*call.arguments.values())
            for name in {call.root} | {name for name in handed if self._defined(name)}:
                changed |= self._effects_of(name)
            if call.root is not None and not call.method and not self._defined(call.root):
                changed |= {call.root, *self._behind(call.root)}
        pending = list(changed)
        while pending:  # the same object by another name
            name = pending.pop()
            new = self._other_names(name, piece) - changed
            changed |= new
            pending += new
        return {name for name in changed if not self._constant(name)}

    def assigned_by(self, piece: Piece) -> set[str]:
        """The names whose objects the piece gives an attribute or an item, or decorates with."""
        acts = self._acts(_at_once(piece.node))
        assigned = _traced(acts.assigned | self._given(acts, "assigned"), acts.sources)
        if isinstance(piece.node, _Definition) and piece.defines not in self._apart:
            outer = [*piece.node.decorator_list, *getattr(piece.node, "bases", ())]
            assigned |= {n.id for part in outer for n in ast.walk(part) if isinstance(n, ast.Name)}
        return assigned - piece.names.binds

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

    def _own(self, name: str) -> list[Piece]:
        return [piece for piece in self._binders.get(name, ()) if not piece.is_import]

    def _defined(self, name: str) -> bool:
        return any(piece.defines == name for piece in self._binders.get(name, ()))

    def _constant(self, name: str) -> bool:
        """Whether nothing can change what the name stands for."""
        binders = self._binders.get(name)
        return bool(binders) and all(_is_constant(piece.node) for piece in binders or ())

    def _behind(self, name: str) -> set[str]:
        """What was used to make what a name stands for."""
        used = set().union(*(p.names.at_definition for p in self._own(name) if p.defines is None))
        return {each for each in used if self._own(each) and not self._defined(each)}

    def _other_names(self, name: str, piece: Piece) -> set[str]:
        binders = [b for b in self._own(name) if b is not piece and b.defines is None]
        acts = self._acts(node for binder in binders for node in _at_once(binder.node))
        return acts.sources.get(name, set())

    # -- what functions do ---------------------------------------------------------------------

    def _effects_of(self, name: str | None) -> set[str]:
        """The names of the module that a call of what a name stands for may change."""
        effects: set[str] = set()
        called: set[str] = set()
        pending = [] if name is None else [name]
        while pending:
            name = pending.pop()
            if name not in called and name not in self._apart:
                called.add(name)
                changed, reads = self._body(name)
                effects |= changed
                pending += reads
        return effects

    def _body(self, name: str) -> tuple[set[str], set[str]]:
        """What the code behind a name changes of the module's by itself, and the functions and classes that it reads."""
        if name not in self._bodies:
            changed: set[str] = set()
            reads: set[str] = set()
            for piece in self._own(name):
                if piece.defines is not None:
                    acts = self._acts(ast.walk(piece.node))
                    roots = _traced(acts.changed | self._given(acts, "changed"), acts.sources)
                    changed |= roots & (piece.names.reads | {NAMESPACE})
                reads |= piece.names.reads if piece.defines else piece.names.at_definition
            self._bodies[name] = changed, {read for read in reads if self._defined(read)}
        return self._bodies[name]

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
            acts.changed.add(NAMESPACE)
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
    """`T` of `T`, `T.a[0]`, `T.setdefault(k, []).append`, `T(x)(y)`, `vars(T)["a"]`, `getattr(T, "a")`; the module's
    namespace of `globals()[name]`."""
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
    """What of a statement runs when it does, and lambdas, which what they are handed to may call; without what only
    shows or tests: `print(…)`, `assert`."""
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
