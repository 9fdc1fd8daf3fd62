"""Where a copy of a value goes in the student's text: to what keeps it, or nowhere.

A copy is what leaves torch as a whole: the list of `.tolist()`, the array of `.numpy().copy()`, the
bytes of a pickle. Its expression is followed outwards through the statement, by the names that it
is bound to, into functions of the submission and out of those that return it. It ends where it is
printed, made a text, compared, asked for one number, branched on or written to a file. It is kept
where it is put into an attribute, a global, a container that is not the function's own, is returned
by the pass, or stays in a name that nobody reads while the pass goes on. Where the text does not
tell, nothing is kept: nobody is accused on a guess. Nothing is run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from ..model import Span, Unit
from .parse import (
    FUNCTIONS,
    Function,
    Position,
    assignments,
    end_of,
    last_name,
    start_of,
    tree_of,
    unpacked,
)

ALIASES = frozenset(
    "numpy __array__ asarray untyped_storage storage typed_storage __dlpack__ to_dlpack "
    "from_dlpack reshape ravel squeeze view transpose".split()
)
"""Calls that give the same memory, which the recorder watches."""
OWN = frozenset("tolist tobytes data_ptr".split())
"""Calls of a tensor, or of an array of its memory, that give a copy or an address."""
ENDS = frozenset(
    # texts
    "print pprint display str repr ascii format format_map "
    "debug info warning error critical exception log "
    # comparisons
    "isfinite isnan isinf isclose allclose array_equal equal assert_allclose assert_array_equal "
    "assert_almost_equal assert_array_almost_equal assert_equal isinstance type id hash "
    "shape dtype ndim size nbytes itemsize "
    # one number, as `.item()` gives it
    "item len float int bool max min sum mean std var norm any all argmax argmin prod "
    "median".split()
)
"""Calls, and attributes, after which the copy is gone."""
STORES = frozenset(
    "append appendleft extend insert add update setdefault put push writelines frombytes fromlist "
    "setattr setitem __setitem__ __iadd__ heappush insort".split()
)
"""Calls that put an argument into their first one, or into what they are a method of."""
FILES = frozenset(
    "save savez savez_compressed savetxt dump tofile write write_bytes write_text".split()
)
IN_MEMORY = frozenset("BytesIO StringIO bytearray SharedMemory".split())
READERS = frozenset("string_at wstring_at memmove from_address cast".split())
"""Calls that read memory by its address; an address alone is no copy."""
Frames = tuple[Span | ast.expr | None, ...]
"""The functions that are running, the pass first, by their statements. A call at the end stands for
a function that it calls, of which the text alone is followed."""
Later = Callable[[], Sequence[Span | None]]
"""Gives, for each frame, where it runs the first op of a later statement; None if it runs none."""
_END: Position = (10**9, 0)


class _Value(NamedTuple):
    """An expression whose value is the copy, or holds it. An `alias` lies in the memory of a
    tensor: it is no copy yet."""

    node: ast.AST
    alias: bool
    frames: Frames

    def at(self, node: ast.AST, may_alias: bool = True) -> _Value:
        """The same in another expression; a copy there, if that is no alias by itself."""
        return _Value(node, self.alias and may_alias, self.frames)


_Steps = Iterator[_Value | None]
"""Where a value goes next; None for a place that keeps it."""


class Destinations:
    """The ways of copies in one submission::

    destinations = Destinations(submission.units)
    kept = destinations.is_kept("tolist", op.site, statement.spans, later)"""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._trees = [tree_of(unit) for unit in units]
        nodes = [node for tree in self._trees for node in ast.walk(tree)]
        self._parents: dict[ast.AST | None, ast.AST] = {
            child: node for node in nodes for child in ast.iter_child_nodes(node)
        }
        self._functions: dict[str, list[Function]] = {}
        """The functions of the submission, by name."""
        self._buffers: set[str] = set()
        """The names that some statement binds to a buffer in memory."""
        for node in nodes:
            if isinstance(node, FUNCTIONS):
                self._functions.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.Assign) and _called(node.value) in IN_MEMORY:
                self._buffers |= {last_name(target) for target in node.targets} - {""}
        self._later: Later = tuple
        self._seen: set[tuple[ast.AST, bool]] = set()

    def is_kept(
        self, look: str, site: Span, statements: Sequence[Span | None], later: Later
    ) -> bool:
        """Whether what leaves torch by `look` in the expression at `site` is kept; `statements` ran
        then, from the pass inwards."""
        self._later, self._seen = later, set()
        pending = list(self._copies(look, site, tuple(statements)))
        while pending:
            value = pending.pop()
            if value is None:
                return True
            if value[:2] not in self._seen:
                self._seen.add(value[:2])
                pending += self._onwards(value)
        return False

    def _copies(self, look: str, site: Span, frames: Frames) -> _Steps:
        """The expressions that have what left torch at a place."""
        node = self._expression(site)
        name = _called(node)
        if node is None or (look == "pointer" and _called(self._parents[node]) not in READERS):
            return
        value = _Value(node, name in ALIASES, frames)
        if look == "apply" and isinstance(node, ast.Call):
            for argument in node.args:
                for function in self._functions.get(last_name(argument), []):
                    yield from self._into(node, function, 0, value)
        elif isinstance(node, ast.Call) and name not in ALIASES | OWN:
            yield from self._argument(node, node, value)  # of a library, which looks at an argument
        elif not isinstance(node, ast.Compare):
            yield value

    # -- the way outwards --------------------------------------------------------------------

    def _onwards(self, value: _Value) -> _Steps:
        node, parent = value.node, self._parents.get(value.node)
        if isinstance(parent, ast.keyword):
            node, parent = parent, self._parents[parent]
        match parent:
            case ast.Attribute(attr=attr):
                if attr not in ENDS | FILES:
                    yield value._replace(node=parent)
            case ast.Call(func=function) if function is node:
                yield value.at(parent, _called(parent) in ALIASES)
            case ast.Call():
                yield from self._argument(parent, node, value)
            case ast.Compare() | ast.FormattedValue() | ast.UnaryOp(op=ast.Not()) | ast.Lambda():
                pass
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
                pass  # a text
            case ast.BinOp() | ast.UnaryOp():
                yield value.at(parent, False)
            case ast.IfExp(test=part) | ast.Subscript(slice=part) if part is node:
                pass
            case ast.Assign() | ast.AnnAssign() | ast.NamedExpr():
                for target, _ in assignments(parent):
                    yield from self._put(target, value)
                if isinstance(parent, ast.NamedExpr):
                    yield value.at(parent)
            case ast.AugAssign(target=target):
                yield from self._put(target, value.at(node, False))
            case ast.Return() | ast.Yield():
                yield from self._returned(value)
            case ast.expr():
                yield value.at(parent)
        # a statement of another kind branches on it, or throws it away

    def _argument(self, call: ast.Call, part: ast.AST, value: _Value) -> _Steps:
        """What a call does with its argument or keyword `part`; with one that is not known, where
        that is the call itself."""
        name = _called(call)
        receiver = [call.func.value] if isinstance(call.func, ast.Attribute) else []
        functions = self._functions.get(name, []) if part is not call else []
        if name in STORES:
            for place in [*receiver, *call.args][:1]:
                yield from self._put(place, value)
        elif functions:
            at = next((n for n, argument in enumerate(call.args) if argument is part), 0)
            keyword = part.arg if isinstance(part, ast.keyword) else None
            for function in functions:
                yield from self._into(call, function, keyword or at, value)
        elif name in FILES:
            for place in [*receiver, *call.args, *(each.value for each in call.keywords)]:
                if last_name(place) in self._buffers:
                    yield from self._put(place, value.at(call, False))
        elif name not in ENDS:
            yield value.at(call, name in ALIASES)

    def _into(self, call: ast.expr, function: Function, at: int | str, value: _Value) -> _Steps:
        """The reads of the parameter that a function takes an argument as."""
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        names = names[1:] if names[:1] in (["self"], ["cls"]) else names
        rest = function.args.vararg.arg if function.args.vararg else ""
        name = at if isinstance(at, str) else names[at] if at < len(names) else rest
        for read in _names(function, name):
            if isinstance(read.ctx, ast.Load):
                yield _Value(read, value.alias, (*value.frames, call))

    def _returned(self, value: _Value) -> _Steps:
        """The calls whose value it is that a function returns."""
        *outer, last = value.frames or (None,)
        caller = outer[-1] if outer else None
        if isinstance(last, ast.expr):
            yield _Value(last, value.alias, tuple(outer))
        elif isinstance(caller, Span):
            name = getattr(self._around(value.node, FUNCTIONS), "name", None)
            start, end = (caller.line, caller.column), (caller.end_line, caller.end_column)
            for call in ast.walk(self._trees[caller.unit]):
                if not isinstance(call, ast.Call) or _called(call) != name:
                    continue
                if start <= start_of(call) and end_of(call) <= end:
                    yield _Value(call, value.alias, tuple(outer))
        elif len(value.frames) == 1 and not value.alias:
            yield None  # the pass itself returns it

    # -- what it is put into -----------------------------------------------------------------

    def _put(self, place: ast.expr, value: _Value) -> _Steps:
        """Where it goes that is assigned to a target, or put into a container. What is not the
        function's own keeps it."""
        for target, _ in unpacked(place, None):
            while isinstance(target, ast.Subscript | ast.Starred):
                target = target.value
            function = self._around(target, FUNCTIONS)
            if isinstance(target, ast.Name) and function and self._is_local(target, function):
                yield from self._held(target, function, value)
            elif not value.alias:
                yield None

    def _held(self, name: ast.Name, function: Function, value: _Value) -> _Steps:
        """The reads of what a local name holds from here on. With none, it is kept if the pass goes
        on before the name is dropped."""
        self._seen.add((name, value.alias))
        bound = end_of(self._around(name, ast.stmt))
        others = [
            each
            for each in _names(function, name.id)
            if (each, value.alias) not in self._seen and not self._is_receiver(each)
        ]
        binds = [start_of(each) for each in others if self._is_bound_anew(each)]
        dropped = min((start for start in binds if start > bound), default=_END)
        reads = [each for each in others if isinstance(each.ctx, ast.Load)]
        below = [read for read in reads if bound < start_of(read) < dropped]
        if dropped == _END:  # in the next round of a loop, or a function inside
            below = below or reads
        yield from map(value.at, below)
        frames = value.frames
        if not (below or value.alias or not frames or isinstance(frames[-1], ast.expr)):
            later = self._later()[len(frames) - 1]
            if later and (dropped == _END or bound < (later.line, later.column) < dropped):
                yield None

    def _is_bound_anew(self, name: ast.Name) -> bool:
        """Whether a name is bound or deleted, but for `+=`."""
        is_read = isinstance(name.ctx, ast.Load)
        return not is_read and not isinstance(self._parents[name], ast.AugAssign)

    def _is_receiver(self, name: ast.Name) -> bool:
        """Whether something is only put into what a name holds."""
        parent = self._parents[name]
        if isinstance(parent, ast.Subscript):
            return isinstance(parent.ctx, ast.Store)
        return isinstance(parent, ast.Attribute) and parent.attr in STORES

    def _is_local(self, name: ast.Name, function: Function) -> bool:
        """Whether a name is bound in its function, and is none of its parameters."""
        nodes = list(ast.walk(function))
        outer = {
            n for each in nodes if isinstance(each, ast.Global | ast.Nonlocal) for n in each.names
        }
        outer |= {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)}
        return name.id not in outer and any(
            self._is_bound_anew(each) for each in _names(function, name.id)
        )

    # -- the text ----------------------------------------------------------------------------

    def _expression(self, site: Span) -> ast.expr | None:
        """The expression at a place. A call in a chain over several lines is known by its end."""
        end = site.end_line, site.end_column
        nodes = [n for n in ast.walk(self._trees[site.unit]) if isinstance(n, ast.expr)]
        nodes = [node for node in nodes if end_of(node) == end]
        exact = [node for node in nodes if start_of(node) == (site.line, site.column)]
        return next(iter((*exact, *(n for n in nodes if isinstance(n, ast.Call)))), None)

    def _around(self, node: ast.AST | None, kinds: Any) -> Any:
        """The innermost node of some kinds around another; None if there is none."""
        while (node := self._parents.get(node)) is not None and not isinstance(node, kinds):
            pass
        return node


def _called(node: ast.AST | None) -> str:
    """The name of the function or method that a call calls; "" for any other."""
    return last_name(node.func) if isinstance(node, ast.Call) else ""


def _names(function: ast.AST, name: str) -> Iterator[ast.Name]:
    return (n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name)
