"""What top-level statements may change beside the names that they bind: `STEPS.append(1)`,
`vjp("sum")(f)`, `for name, f in table: registry.register(name, f)`. Text tells what may be, not
what is. Parses; runs nothing."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from .parse import DEFINITIONS, parameter

if TYPE_CHECKING:
    from .closure import Piece

_Function = ast.FunctionDef | ast.AsyncFunctionDef
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


_HOLDING = frozenset(dir(MappingProxyType)) | {"setdefault", "pop", "__getitem__"}
"""Methods whose result may be in the object."""
_HOLDERS = (
    *(ast.Attribute, ast.Subscript, ast.Starred, ast.NamedExpr, ast.IfExp, ast.BoolOp),
    *(ast.Tuple, ast.List, ast.Set, ast.Dict),
)
"""Expressions whose value may be in the object of a part, or hold it."""


class _Call(NamedTuple):
    """A call: the root of what is called, its last name, whether that is a method's, and the roots
    of the arguments by their places. `again` is a call of what a call returned."""

    root: str | None
    name: str
    is_method: bool
    again: bool
    arguments: dict[int | str, set[str]]


@dataclass
class _Code:
    """What some code does itself: `changed` are the roots of what it changes, `assigned` those that
    get an attribute or an item by it; `sources` are the names in whose objects a name's may be."""

    changed: set[str] = field(default_factory=set)
    assigned: set[str] = field(default_factory=set)
    calls: list[_Call] = field(default_factory=list)
    sources: dict[str, set[str]] = field(default_factory=dict)


class Changes:
    """What pieces may change. Classes and functions of the names in `apart` are taken to change
    nothing: what calls them is a test.

    A piece changes what its own code changes and what the code of all that it may call does; and
    with a name all those in whose objects its own may be."""

    def __init__(
        self,
        pieces: Sequence[Piece],
        binders: Mapping[str, Sequence[Piece]],
        apart: Collection[str | None],
    ) -> None:
        self._binders = binders
        self._rebound: set[str] = set()
        self._functions = _functions(pieces)
        self._classes = {p.defines for p in pieces if isinstance(p.node, ast.ClassDef)}
        self._touched: dict[tuple[_Function, str], set[str]] = {}
        defined = {piece.defines for piece in pieces if piece.defines is not None}
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
                body = self._changed(self._read(ast.walk(piece.node)))
                names = piece.names.reads | {NAMESPACE}
                effects[piece.defines] |= body & names
                calls[piece.defines] |= piece.names.reads & defined
            code = self._read(_at_once(piece.node))
            asks = any(call.root == "input" for call in code.calls)  # nobody answers here
            if asks or _is_main_block(piece.node):
                continue
            running.append((piece, code))
            for name in piece.names.binds:
                sources[name] |= code.sources.get(name, set())
                if piece.defines is None and not piece.is_import:
                    calls[name] |= piece.names.at_definition
        self._changers: dict[str, list[Piece]] = defaultdict(list)
        self._assigners: dict[str, list[Piece]] = defaultdict(list)
        for piece, code in running:
            changed, called = self._changed(code), set()
            for call in code.calls if not any(c.root in apart for c in code.calls) else ():
                called |= set().union(*call.arguments.values()) & defined
                if call.root is not None:
                    called.add(call.root)
                    if not call.is_method and call.root not in defined:  # `add = STEPS.append`
                        changed.add(call.root)
            changed = changed.union(*(effects.get(name, ()) for name in _reached(called, calls)))
            for name in _reached(changed, sources):
                self._changers[name].append(piece)
            for name in self._attached(piece, code):
                self._assigners[name].append(piece)

    def of(self, name: str) -> list[Piece]:
        """The pieces that may change the object of a name, in document order."""
        binders = self._binders.get(name, ())
        if binders and name not in self._rebound and all(_is_constant(p.node) for p in binders):
            return []
        return self._changers.get(name, [])

    def attached_to(self, name: str) -> list[Piece]:
        """The pieces that give the object of a name an attribute or an item, or decorate with
        it."""
        return self._assigners.get(name, [])

    # -- what code changes ---------------------------------------------------------------------

    def _attached(self, piece: Piece, code: _Code) -> set[str]:
        outer = [*getattr(piece.node, "decorator_list", ()), *getattr(piece.node, "bases", ())]
        named = {n.id for part in outer for n in ast.walk(part) if isinstance(n, ast.Name)}
        return named | self._changed(code, "assigned")

    def _changed(self, code: _Code, which: str = "changed") -> set[str]:
        """The names whose objects some code may change, or assign to, also by the functions that it
        calls."""
        changed = set(getattr(code, which))
        for call in code.calls:
            functions = self._functions.get(call.name)
            is_known = call.name in _CHANGING or (call.name.endswith("_") and which == "changed")
            for at, roots in call.arguments.items():
                if functions is None:
                    changes = is_known
                else:
                    touched = [(each, self._touches(each, which)) for each in functions]
                    changes = any(t if call.again else parameter(f, at) in t for f, t in touched)
                changed |= roots if changes else set()
        return _reached(changed, code.sources)

    def _touches(self, function: _Function, which: str) -> set[str]:
        """The arguments, of a function and of those in it, that it may change or assign to."""
        if (function, which) not in self._touched:
            self._touched[function, which] = set()  # where it calls itself
            arguments = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
            changed = self._changed(self._read(ast.walk(function)), which)
            self._touched[function, which] = changed & arguments - {"self", "cls"}
        return self._touched[function, which]

    # -- reading -------------------------------------------------------------------------------

    def _read(self, nodes: Iterable[ast.AST]) -> _Code:
        code = _Code()
        for node in nodes:
            if isinstance(node, ast.Attribute | ast.Subscript):
                if not isinstance(node.ctx, ast.Load) and (root := _root(node)) is not None:
                    code.assigned.add(root)
            elif isinstance(node, ast.Global):
                code.changed.update(node.names)
                self._rebound.update(node.names)
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
                        code.sources.setdefault(each.id, set()).update(sources - {each.id})
        code.changed |= code.assigned
        return code

    def _note_call(self, node: ast.Call, code: _Code) -> None:
        function, root = node.func, _root(node.func)
        again = isinstance(function, ast.Call)
        while isinstance(function, ast.Call):
            function = function.func
        is_method = isinstance(function, ast.Attribute)
        name = function.attr if isinstance(function, ast.Attribute) else root or ""
        if is_method and name not in _LOOKING and root is not None:
            code.changed.add(root)
        if name == "exec":
            namespace = _root(node.args[1]) if len(node.args) > 1 else NAMESPACE
            code.changed |= set() if namespace is None else {namespace}
        arguments: dict[int | str, set[str]] = {}
        for at, value in [*enumerate(node.args), *((k.arg or 0, k.value) for k in node.keywords)]:
            if name in _CALLING and isinstance(value, ast.Attribute):
                code.changed |= {_root(value) or ""}
            arguments.setdefault(at, set()).update(self._sources(value))
        code.calls.append(_Call(root, name, is_method, again, arguments))

    def _sources(self, value: ast.expr) -> set[str]:
        """The names in whose objects the value may be, or which it holds."""
        pending: list[ast.AST] = [value]
        roots: set[str] = set()
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Name):
                roots.add(node.id)
            elif isinstance(node, _HOLDERS):
                pending += ast.iter_child_nodes(node)
            elif isinstance(node, ast.Call):
                root = _root(node)
                if isinstance(node.func, ast.Attribute) and node.func.attr in _HOLDING:
                    pending.append(node.func.value)
                if root == NAMESPACE:
                    roots.add(NAMESPACE)
                elif root in _PASSING or root in self._classes or _last(node.func) == "partial":
                    pending += [*node.args, *(keyword.value for keyword in node.keywords)]
        return roots


def _functions(pieces: Sequence[Piece]) -> dict[str, list[_Function]]:
    """The functions and methods of definitions by name, a class by its `__init__`."""
    functions: dict[str, list[_Function]] = defaultdict(list)
    for piece in pieces:
        for node in ast.walk(piece.node) if piece.defines is not None else ():
            if isinstance(node, _Function):
                functions[node.name].append(node)
            elif isinstance(node, ast.ClassDef):
                methods = (method for method in node.body if isinstance(method, _Function))
                functions[node.name] += (m for m in methods if m.name == "__init__")
    return functions


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
