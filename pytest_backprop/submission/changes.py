"""What top-level statements may change beside the names that they bind: `STEPS.append(1)`,
`vjp("sum")(f)`, `for name, f in table: registry.register(name, f)`. Text tells what may be, not
what is. Parses; runs nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

from .parse import DEFINITIONS, FUNCTIONS, assignments, last_name

if TYPE_CHECKING:
    from .closure import Piece

NAMESPACE = "globals()"
"""Stands among changed names for the module's own namespace, in which a statement may bind any
name."""
DTYPE = "torch's dtype"
"""The same for what `torch.set_default_dtype(torch.float64)` changes."""
_LOOKING = frozenset(
    name for type_ in (str, int, float, tuple, frozenset, MappingProxyType) for name in dir(type_)
)
"""Methods that only look: those of what cannot be changed."""
_CHANGING = frozenset(
    "setattr delattr next shuffle heappush heappop heapify heapreplace heappushpop insort "
    "insort_left insort_right setitem delitem iadd ior iconcat update_wrapper".split()
)
"""Functions of Python's own that change what they are given."""
_HOLDERS = (
    *(ast.Attribute, ast.Subscript, ast.Starred, ast.NamedExpr, ast.IfExp, ast.BoolOp),
    *(ast.Tuple, ast.List, ast.Set, ast.Dict),
)
"""Expressions whose value may be in the object of a part, or hold it."""


@dataclass
class _Code:
    """What some code does. `assigned` are the roots of what gets an attribute or an item; `changed`
    these, and those of what a method is called of. `handed` are the calls: the root of what is
    called, its last name, and the names that it is given. `sources` are the names in whose objects
    a name's may be."""

    assigned: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    handed: list[tuple[str, str, set[str]]] = field(default_factory=list)
    sources: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


class Changes:
    """What pieces may change. Classes and functions of the names in `apart` are taken to change
    nothing: what calls them is a test, and so is what hands variables to a function that does.

    A piece changes what its own code changes, the variables that it hands to a function of the
    submission, and what the functions change that it may call; and with a name all those in whose
    objects its own may be."""

    def __init__(self, pieces: Sequence[Piece], apart: Collection[str | None]) -> None:
        defined = self._defined = {p.defines for p in pieces if p.defines is not None}
        self._classes = {p.defines for p in pieces if isinstance(p.node, ast.ClassDef)}
        others = [p.node for p in pieces if p.defines and p.defines not in apart]
        nodes = (node for other in others for node in ast.walk(other))
        self._functions = {node.name for node in nodes if isinstance(node, FUNCTIONS)}
        rebound = {name for p in pieces if not _is_constant(p.node) for name in p.names.binds}
        self._constants = {name for p in pieces for name in p.names.binds} - rebound
        effects: dict[str, set[str]] = defaultdict(set)
        """What the code changes that a call of a name runs."""
        calls: dict[str, set[str]] = defaultdict(set)
        """What else a call of a name may call."""
        sources: dict[str, set[str]] = defaultdict(set)
        running: list[tuple[Piece, _Code]] = []
        for piece in pieces:
            if piece.defines in apart:
                continue
            if piece.defines is not None:
                inside = (node for node in ast.walk(piece.node) if node is not piece.node)
                body = self._changed(self._read(inside))  # its bases are not called again
                effects[piece.defines] |= body & (piece.names.reads | {NAMESPACE})
                calls[piece.defines] |= piece.names.reads & defined
            code = self._read(_at_once(piece.node))
            if any(root == "input" for root, _, _ in code.handed):
                continue  # nobody answers here
            running.append((piece, code))
            for name in piece.names.binds:
                sources[name] |= code.sources[name]
                if piece.defines is None and not piece.is_import:
                    calls[name] |= piece.names.at_definition
        self.changers: dict[str, list[Piece]] = defaultdict(list)
        """The pieces that may change the object of a name, in document order."""
        self.assigners: dict[str, list[Piece]] = defaultdict(list)
        """Those that give it an attribute or an item, or decorate with it."""
        for piece, code in running:
            called = {root for root, _, _ in code.handed}
            changed = _reached(code.changed, code.sources)
            if _reached(called, calls).isdisjoint(apart):
                changed |= self._changed(code)
            if called.isdisjoint(apart):
                changed |= {name for _, name, _ in code.handed} - defined  # `add = R.append`
                called = called.union(*(names & defined for _, _, names in code.handed))
                changed = changed.union(*(effects[name] for name in _reached(called, calls)))
            for name in _reached(changed, sources):
                self.changers[name].append(piece)
            outer = [*getattr(piece.node, "decorator_list", ()), *getattr(piece.node, "bases", ())]
            named = {n.id for part in outer for n in ast.walk(part) if isinstance(n, ast.Name)}
            for _, function, names in code.handed:
                named |= names if function in _CHANGING else set()
            for name in _reached(named | code.assigned, code.sources):
                self.assigners[name].append(piece)

    # -- what code changes ---------------------------------------------------------------------

    def _changed(self, code: _Code) -> set[str]:
        """The names whose objects some code may change, also by what it hands to functions."""
        changed = set(code.changed)
        for _, function, names in code.handed:
            if function in _CHANGING or function.endswith("_"):
                changed |= names
            elif function in self._functions:
                changed |= names - self._defined
        return _reached(changed, code.sources)

    # -- reading -------------------------------------------------------------------------------

    def _read(self, nodes: Iterable[ast.AST]) -> _Code:
        code = _Code()
        for node in nodes:
            if isinstance(node, ast.Attribute | ast.Subscript):
                if not isinstance(node.ctx, ast.Load):
                    code.assigned.add(_root(node))
            elif isinstance(node, ast.Global):
                code.changed.update(node.names)
            elif isinstance(node, ast.Call):
                self._note_call(node, code)
            elif isinstance(node, DEFINITIONS):
                for part in node.decorator_list:
                    if not isinstance(part, ast.Call):
                        self._note_call(ast.Call(part, [ast.Name(node.name)], []), code)
                if isinstance(node, ast.ClassDef):  # it may register itself
                    for base in [*node.bases, *(keyword.value for keyword in node.keywords)]:
                        code.changed |= self._sources(base)
                        self._note_call(ast.Call(base, [], []), code)
            for target, value in _bindings(node):
                sources = self._sources(value)
                for each in ast.walk(target):
                    if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                        code.sources[each.id] |= sources - {each.id}
        code.changed |= code.assigned
        return code

    def _note_call(self, node: ast.Call, code: _Code) -> None:
        function, root = node.func, _root(node.func)
        while isinstance(function, ast.Call):
            function = function.func
        name = last_name(function)
        if isinstance(function, ast.Attribute) and name not in _LOOKING:
            code.changed.add(root)
        if name in ("set_default_dtype", "set_default_tensor_type"):
            code.changed.add(DTYPE)
        if name == "exec":
            code.changed.add(_root(node.args[1]) if len(node.args) > 1 else NAMESPACE)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        code.handed.append((root, name, set().union(*map(self._sources, arguments))))

    def _sources(self, value: ast.expr) -> set[str]:
        """The names in whose objects the value may be, or which it holds."""
        pending: list[ast.AST] = [value]
        roots: set[str] = set()
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Name):
                roots |= {node.id} - self._constants
            elif isinstance(node, _HOLDERS):
                pending += ast.iter_child_nodes(node)
            elif isinstance(node, ast.Call) and _root(node) == NAMESPACE:
                roots.add(NAMESPACE)
            elif isinstance(node, ast.Call) and _root(node) in self._classes:
                pending += [*node.args, *(keyword.value for keyword in node.keywords)]
        return roots


def _root(node: ast.expr) -> str:
    """`T` of `T`, `T.a[0]`, `T.setdefault(k, []).append`, `T(x)(y)`, `vars(T)["a"]`, `getattr(T,
    "a")`; the module's namespace of `globals()[name]`; "" for what has none."""
    while True:
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred | ast.NamedExpr):
            node = node.value
        elif isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            if called in ("globals", "locals", "vars") and not node.args:
                return NAMESPACE
            node = node.args[0] if called in ("vars", "getattr") and node.args else node.func
        else:
            return node.id if isinstance(node, ast.Name) else ""


def _bindings(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets and values of what binds names to objects that are there."""
    yield from assignments(node)
    if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield node.target, node.iter
    elif isinstance(node, ast.withitem) and node.optional_vars is not None:
        yield node.optional_vars, node.context_expr


def _reached(start: set[str], edges: Mapping[str, set[str]]) -> set[str]:
    """The names that edges lead to from some of them, these included."""
    reached, pending = set(start), list(start)
    while pending:
        new = edges.get(pending.pop(), set()) - reached
        reached |= new
        pending += new
    return reached


def _at_once(statement: ast.stmt) -> Iterator[ast.AST]:
    """What of a statement runs when it does, and lambdas, which what they are handed to may call;
    without what only shows or tests: `print(…)`, `assert`."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        match node:
            case ast.Assert() | ast.Expr(ast.Call(ast.Name("print" | "display"))):
                continue
            case ast.If(ast.Compare(ast.Name("__name__"))):  # is false where it is graded
                continue
        yield node
        if isinstance(node, FUNCTIONS):
            pending += [*node.decorator_list, node.args]
        else:
            pending.extend(ast.iter_child_nodes(node))


def _is_constant(node: ast.stmt) -> bool:
    """Whether it binds names to numbers, texts and the like, and to nothing else."""
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    plain = (ast.Constant, ast.UnaryOp, ast.BinOp, ast.Tuple, ast.operator, ast.unaryop, ast.Load)
    if isinstance(node.value, ast.Call):
        return last_name(node.value.func) in ("device", "int", "float", "str")
    return all(isinstance(part, plain) for part in ast.walk(node.value))
