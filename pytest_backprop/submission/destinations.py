"""Where a copy of a value goes in the student's text: to what keeps it, or nowhere.

A copy is what leaves torch as a whole: the list of `.tolist()`, the array of `.numpy().copy()`, the
bytes of a pickle. Its expression is followed outwards through the statement, by the names that it
is bound to, into functions of the submission and out of those that return it. It ends where it is
printed, made a text, compared, asked for one number, branched on or written to a file. It is kept
where it is put into an attribute, a global, a container that is not the function's own, is returned
by the pass, or stays in a name that nobody reads while the pass goes on. Where the text does not
tell, nothing is kept: nobody is accused on a guess. Nothing is run.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ..model import Span, Unit
from .parse import parse_text

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Position = tuple[int, int]
END = (10**9, 0)

ALIASES = frozenset(
    "numpy __array__ asarray untyped_storage storage typed_storage __dlpack__ to_dlpack "
    "from_dlpack reshape ravel squeeze view transpose".split()
)
"""Calls that give the same memory, which the recorder watches."""
ENDS = frozenset(
    # texts
    "print pprint display str repr ascii format format_map "
    "debug info warning error critical exception log "
    # comparisons
    "isfinite isnan isinf isclose allclose array_equal equal assert_allclose assert_array_equal "
    "assert_almost_equal assert_array_almost_equal assert_equal isinstance type id hash "
    # one number, as `.item()` gives it
    "item len float int bool max min sum mean std var norm any all argmax argmin prod median".split()
)
"""Calls after which the copy is gone."""
ASPECTS = frozenset("shape dtype ndim size nbytes itemsize".split())
STORES = frozenset(
    "append appendleft extend insert add update setdefault put push writelines frombytes fromlist "
    "setattr "
    "setitem __setitem__ __iadd__ heappush insort".split()
)
"""Calls that put an argument into their first one, or into what they are a method of."""
FILES = frozenset(
    "save savez savez_compressed savetxt dump tofile write write_bytes write_text".split()
)
IN_MEMORY = frozenset("BytesIO StringIO bytearray SharedMemory".split())
READERS = frozenset("string_at wstring_at memmove from_address cast".split())
"""Calls that read memory by its address; an address alone is no copy."""
PASSING = frozenset(
    "BoolOp IfExp Subscript Starred Await List Tuple Set Dict "
    "ListComp SetComp GeneratorExp DictComp".split()
)
"""Expressions whose value has that of a part in it, or is that."""


class Frame(NamedTuple):
    """A function that was running, by its place from the pass inwards, and its statement."""

    depth: int
    statement: Span | None


Frames = tuple[Frame | ast.Call, ...]
"""From the pass inwards; a call where a function's text alone was followed."""
Later = Callable[[], Sequence[Span | None]]
"""Gives, for each frame, where it runs the first op of a later statement; None if it runs none."""


class Destinations:
    """The ways of copies in one submission::

    destinations = Destinations(submission.units)
    kept = destinations.is_kept("tolist", op.site, statement.spans, later)
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        self._trees = [_parsed(unit) for unit in units]
        self._later: Later = tuple
        self._visited: set[tuple[ast.expr, bool]] = set()

    def is_kept(
        self, look: str, site: Span, statements: Sequence[Span | None], later: Later
    ) -> bool:
        """Whether what leaves torch by `look` in the expression at `site` is kept; `statements` ran
        then, from the pass inwards."""
        self._later, self._visited = later, set()
        frames = tuple(Frame(depth, statement) for depth, statement in enumerate(statements))
        try:
            node = self._expression(site)
            return node is not None and self._is_look_kept(look, node, frames)
        except RecursionError:
            return False

    def _is_look_kept(self, look: str, node: ast.expr, frames: Frames) -> bool:
        name = _called(node)
        if look == "apply":
            return isinstance(node, ast.Call) and any(
                self._function_keeps(node, each, 0, False, frames) for each in node.args
            )
        if look == "pointer":
            reader = self._parents.get(node)
            return _called(reader) in READERS and self._is_value_kept(node, False, frames)
        if name in ALIASES or name in ("tolist", "tobytes"):
            return self._is_value_kept(node, name in ALIASES, frames)
        if isinstance(node, ast.Call):  # of a library, which looks at one of its arguments
            return self._call_keeps(node, None, False, frames)
        return not isinstance(node, ast.Compare) and self._is_value_kept(node, False, frames)

    # -- the way outwards --------------------------------------------------------------------

    def _is_value_kept(self, node: ast.expr, alias: bool, frames: Frames) -> bool:
        """Whether the value of an expression is kept; `alias` for one in the memory of a tensor,
        which is no copy yet."""
        parent = self._parents.get(node)
        if parent is None or (node, alias) in self._visited:
            return False
        self._visited.add((node, alias))
        match parent:
            case ast.Attribute(attr=attr):
                call = self._parents[parent]
                if not isinstance(call, ast.Call) or call.func is not parent:
                    return attr not in ASPECTS and self._is_value_kept(parent, alias, frames)
                if attr in ENDS | FILES:
                    return False
                return self._is_value_kept(call, alias and attr in ALIASES, frames)
            case ast.Call():
                return self._call_keeps(parent, node, alias, frames)
            case ast.keyword():
                call = self._parents[parent]
                return isinstance(call, ast.Call) and self._call_keeps(call, node, alias, frames)
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
                return False
            case ast.BinOp() | ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
                return self._is_value_kept(parent, False, frames)
            case ast.IfExp(test=test) if test is node:
                return False
            case ast.Subscript(slice=index) if index is node:
                return False
            case ast.expr() if type(parent).__name__ in PASSING:
                return self._is_value_kept(parent, alias, frames)
            case ast.NamedExpr(target=target):
                return self._target_keeps(target, alias, frames) or self._is_value_kept(
                    parent, alias, frames
                )
            case ast.Assign(targets=targets):
                return any(self._target_keeps(target, alias, frames) for target in targets)
            case ast.AnnAssign(target=target):
                return self._target_keeps(target, alias, frames)
            case ast.AugAssign(target=target):
                return self._place_keeps(target, False, frames)
            case ast.Return() | ast.Lambda() | ast.Yield():
                return self._caller_keeps(node, alias, frames)
        return False  # a comparison, a text, a branch; or it is thrown away

    def _call_keeps(
        self, call: ast.Call, node: ast.expr | None, alias: bool, frames: Frames
    ) -> bool:
        """Whether a call keeps its argument `node`; None for one that is not known."""
        name = _called(call)
        if name in STORES:
            place = _receiver(call) or next(iter(call.args), None)
            return place is not None and self._place_keeps(place, alias, frames)
        if name in self._functions and node is not None:
            argument: int | str | None = next(
                (keyword.arg for keyword in call.keywords if keyword.value is node), None
            )
            if argument is None:
                argument = next((at for at, arg in enumerate(call.args) if arg is node), -1)
            return any(
                self._function_keeps(call, function, argument, alias, frames)
                for function in self._functions[name]
            )
        if name in ENDS:
            return False
        if name in FILES:
            parts = [_receiver(call), *call.args, *(keyword.value for keyword in call.keywords)]
            buffers = [part for part in parts if part is not None and _name(part) in self._buffers]
            return any(self._place_keeps(buffer, False, frames) for buffer in buffers)
        return self._is_value_kept(call, alias and name in ALIASES, frames)

    def _function_keeps(
        self, call: ast.Call, function: ast.AST, argument: int | str, alias: bool, frames: Frames
    ) -> bool:
        """Whether a function keeps what it is called with as one of its parameters."""
        if isinstance(function, ast.Name) and function.id in self._functions:
            function = self._functions[function.id][0]
        if not isinstance(function, FUNCTIONS):
            return False
        names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
        if isinstance(argument, int):
            argument += names[:1] == ["self"]
            if not 0 <= argument < len(names):
                return False
            argument = names[argument]
        reads = [n for n in _names(function, argument) if isinstance(n.ctx, ast.Load)]
        return any(self._is_value_kept(read, alias, (*frames, call)) for read in reads)

    def _caller_keeps(self, node: ast.AST, alias: bool, frames: Frames) -> bool:
        """Whether the caller of the function around a node keeps what that returns."""
        if not frames:
            return False
        *outer, last = frames
        if isinstance(last, ast.Call):
            return self._is_value_kept(last, alias, tuple(outer))
        if not outer:  # the pass itself returns it
            return not alias
        caller = outer[-1]
        if not isinstance(caller, Frame) or caller.statement is None:
            return False
        function = self._function(node)
        names = {name for name, functions in self._functions.items() if function in functions}
        calls = [
            each
            for each in ast.walk(self._trees[caller.statement.unit])
            if isinstance(each, ast.Call)
            and _called(each) in names
            and _is_in(each, caller.statement)
        ]
        return any(self._is_value_kept(each, alias, tuple(outer)) for each in calls)

    # -- what it is put into -----------------------------------------------------------------

    def _target_keeps(self, target: ast.expr, alias: bool, frames: Frames) -> bool:
        """Whether what is assigned to a target is kept there."""
        if isinstance(target, ast.Tuple | ast.List):
            return any(self._target_keeps(each, alias, frames) for each in target.elts)
        if isinstance(target, ast.Starred):
            return self._target_keeps(target.value, alias, frames)
        if isinstance(target, ast.Name) and self._is_local(target):
            return self._name_keeps(target, alias, frames)
        return self._place_keeps(target, alias, frames)

    def _place_keeps(self, place: ast.expr, alias: bool, frames: Frames) -> bool:
        """Whether what is put into an attribute, an entry or a container is kept there. One of the
        function's own is followed as a name."""
        while isinstance(place, ast.Subscript):
            place = place.value
        if isinstance(place, ast.Name) and self._is_local(place):
            return self._name_keeps(place, alias, frames)
        return not alias

    def _name_keeps(self, name: ast.Name, alias: bool, frames: Frames) -> bool:
        """Whether a local name keeps what it holds from here on: a reader of it does, or there is
        none, and the pass goes on before the name is dropped."""
        function = self._function(name)
        assert function is not None
        bound = self._statement_end(name)
        self._visited.add((name, alias))
        others = [
            each
            for each in _names(function, name.id)
            if (each, alias) not in self._visited and not self._is_receiver(each)
        ]
        reads = [each for each in others if isinstance(each.ctx, ast.Load)]
        drops = [each for each in others if self._is_bound_anew(each) and _start(each) > bound]
        dropped = min(map(_start, drops), default=None)
        below = [read for read in reads if bound < _start(read) < (dropped or END)]
        if dropped is None:  # in the next round of a loop, or a function inside
            below = below or reads
        if below or alias:
            return any(self._is_value_kept(read, alias, frames) for read in below)
        frame = frames[-1] if frames else None
        later = self._later()[frame.depth] if isinstance(frame, Frame) else None
        if later is None:
            return False
        return dropped is None or bound < (later.line, later.column) < dropped

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

    def _is_local(self, name: ast.Name) -> bool:
        """Whether a name is bound in its function, and is none of its parameters."""
        function = self._function(name)
        if function is None:
            return False
        nodes = list(ast.walk(function))
        outer = [n.names for n in nodes if isinstance(n, ast.Global | ast.Nonlocal)]
        parameters = [n.arg for n in ast.walk(function.args) if isinstance(n, ast.arg)]
        return name.id not in itertools.chain(parameters, *outer) and any(
            self._is_bound_anew(each) for each in _names(function, name.id)
        )

    # -- the text ----------------------------------------------------------------------------

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {
            child: node
            for tree in self._trees
            for node in ast.walk(tree)
            for child in ast.iter_child_nodes(node)
        }

    @cached_property
    def _functions(self) -> dict[str, list[ast.AST]]:
        """The functions of the submission, by name."""
        functions: dict[str, list[ast.AST]] = {}
        for node in self._parents.values():
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if node not in functions.setdefault(node.name, []):
                    functions[node.name].append(node)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                for target in node.targets:
                    if isinstance(target, ast.Name):
                        functions.setdefault(target.id, [node.value])
        return functions

    @cached_property
    def _buffers(self) -> set[str]:
        """The names that some statement binds to a buffer in memory."""
        return {
            _name(target)
            for node in self._parents.values()
            if isinstance(node, ast.Assign) and _called(node.value) in IN_MEMORY
            for target in node.targets
        } - {""}

    @cached_property
    def _expressions(self) -> dict[tuple[int, int, int], list[ast.expr]]:
        """By unit and end."""
        expressions: dict[tuple[int, int, int], list[ast.expr]] = {}
        for unit, tree in enumerate(self._trees):
            for node in ast.walk(tree):
                if isinstance(node, ast.expr):
                    end = node.end_lineno or 0, node.end_col_offset or 0
                    expressions.setdefault((unit, *end), []).append(node)
        return expressions

    def _expression(self, site: Span) -> ast.expr | None:
        """The expression at a place. A call in a chain over several lines is known by its end."""
        nodes = self._expressions.get((site.unit, site.end_line, site.end_column), [])
        exact = [node for node in nodes if _start(node) == (site.line, site.column)]
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        return next(iter((*exact, *calls)), None)

    def _function(self, node: ast.AST) -> Function | None:
        while (around := self._parents.get(node)) is not None:
            if isinstance(around, FUNCTIONS):
                return around
            node = around
        return None

    def _statement_end(self, node: ast.AST) -> Position:
        while not isinstance(node, ast.stmt):
            node = self._parents[node]
        return node.end_lineno or 0, node.end_col_offset or 0


def _parsed(unit: Unit) -> ast.Module:
    try:
        return parse_text(unit.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])


def _called(node: ast.AST | None) -> str:
    """The name of the function or method that a call calls; "" for any other."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def _receiver(call: ast.Call) -> ast.expr | None:
    """What a method is called on; None for a function, as far as its text says."""
    return call.func.value if isinstance(call.func, ast.Attribute) else None


def _name(node: ast.expr) -> str:
    """The last part of a name: `buffer` of `self.buffer`."""
    return str(getattr(node, "attr", getattr(node, "id", "")))


def _names(function: ast.AST, name: str) -> Iterator[ast.Name]:
    return (n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name)


def _start(node: ast.expr) -> Position:
    return node.lineno, node.col_offset


def _is_in(node: ast.expr, span: Span) -> bool:
    end = node.end_lineno or 0, node.end_col_offset or 0
    return (span.line, span.column) <= _start(node) and end <= (span.end_line, span.end_column)
