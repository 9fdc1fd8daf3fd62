"""What the text of a submission says of names, where no op does: the lines that only give a value
another name, as `dz = da` does where a derivative was forgotten, and what a function could read."""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import torch

from ..model import Span, Submission
from ..submission.parse import node_span, tree_of
from .tensor_names import differentiated


class Alias(NamedTuple):
    """A line `name = of`, or `self.name = of`; without a name one that hands `of` on, as
    `ctx.save_for_backward(x, of)` does; without names the call of a function. `until`: the next
    line that gives the name to something else. `is_returned`: what has the name is the result of
    the function, or one of several."""

    site: Span
    name: str
    of: str
    until: float = math.inf
    is_returned: bool = False


class _Function(NamedTuple):
    """A function of the submission's unit with that index. `reads_all`: it has nothing but what it
    is called with and makes of that, and reads all of it, but for its object."""

    unit: int
    node: ast.FunctionDef
    aliases: list[Alias]
    reads_all: bool


class Aliases:
    """The lines of a submission that only give a value another name, or hand it on. They run no
    op; what reads a value by another name tells of them."""

    def __init__(self, submission: Submission) -> None:
        nodes = [
            (unit, node)
            for unit, tree in enumerate(map(tree_of, submission.units))
            for node in ast.walk(tree)
        ]
        self._functions = [
            _Function(unit, node, _aliases(unit, node), _reads_all(node))
            for unit, node in nodes
            if isinstance(node, ast.FunctionDef)
        ]
        self._lambdas = [
            (node_span(u, node), node) for u, node in nodes if isinstance(node, ast.Lambda)
        ]
        self._all = [alias for function in self._functions for alias in function.aliases]
        self._handed = [
            Alias(node_span(function.unit, statement), name, of)
            for function in self._functions
            for statement in ast.walk(function.node)
            if isinstance(statement, ast.stmt)
            for name, of in {*_handed(statement)}
        ]
        self._names = {
            node_span(function.unit, part): _read(part)
            for function in self._functions
            for part in ast.walk(function.node)
            if isinstance(part, ast.expr | ast.stmt)
        }
        """The names that expressions and statements read, those of attributes and places in dicts,
        too."""
        self._changed = {
            node_span(unit, node): node.func.value.id
            for unit, node in nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
        }
        """The names of what methods are called on."""
        self.unpacked = {
            node_span(unit, value): [ast.unparse(each) for each in targets]
            for unit, node in nodes
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)
            for targets, value in [(node.targets[0].elts, node.value)]
        }
        """The names that several parts of a value get, by its place."""
        constants = (node.value for _, node in nodes if isinstance(node, ast.Constant))
        self.numbers = {each for each in constants if isinstance(each, int | float)}
        """Those that stand in the submission."""

    def after(self, site: Span, name: str | None) -> Alias | None:
        """The line after another, in the same function, that gives what is called so another
        name."""
        aliases = [alias for function in self._around(site)[-1:] for alias in function.aliases]
        return next((a for a in aliases if a.site.line > site.line and a.of == name), None)

    def read_at(self, site: Span, own: str | None, is_sent: bool = False) -> Alias | None:
        """The line that gave a value the name by which an expression reads it, where that is not
        its `own`, or handed it on; what is sent may be called as any parameter is. Of several that
        one which says what it was. None where several may be meant."""
        names = self._names.get(site, frozenset())
        around = self._around(site)[-1:]
        aliases = [alias for function in around for alias in function.aliases]
        own_names = {own}
        if is_sent and own is None:
            own_names = {arg.arg for function in around for arg in function.node.args.args}
        read = [a for a in aliases if a.name in names and a.site.line < site.line <= a.until]
        for among in (read, self._all):  # a name is often the same in `forward` and `backward`
            if exact := [a for a in among if a.name in names and a.of in own_names]:
                read = exact
                break
        is_other = names.isdisjoint(own_names)
        if not read and is_other:  # its name is of what it was taken from
            handed = [each for each in self._handed if each.of == own]
            return _only([each for each in handed if each.name in names] or handed)
        return read[0] if len(read) == 1 and (is_other or read[0].name == read[0].of) else None

    def names_at(self, site: Span | None) -> frozenset[str]:
        """What an expression reads."""
        return frozenset() if site is None else self._names.get(site, frozenset())

    def changed_at(self, site: Span | None) -> str | None:
        """The name of what the method is called on that an expression calls."""
        return None if site is None else self._changed.get(site)

    def of_gradient(self, leaf: str) -> Alias | None:
        """The only line that gives a value a name which says that it is the gradient of a leaf."""
        return _only([a for a in self._all if leaf.lower() in _differentiated(a.name.lower())])

    def of_any(self, names: Collection[str | None]) -> Alias | None:
        """The only line that gives one of these another name."""
        return _only([alias for alias in self._all if alias.of in names])

    @property
    def idle(self) -> Alias | None:
        """The only line that gives a value the name that it has, as `dk = dk` does."""
        return _only([alias for alias in self._all if alias.name == alias.of])

    def reads_all(self, site: Span) -> bool:
        """Whether an expression is of a function, or of a lambda in none, that reads all that it
        has."""
        around = self._around(site)
        if around:
            return len(around) == 1 and around[0].reads_all
        return any(_reads_all(node) for span, node in self._lambdas if span.line == site.line)

    def _around(self, site: Span) -> Sequence[_Function]:
        """The functions of a line, outermost first."""
        return [
            function
            for function in self._functions
            if function.unit == site.unit
            and function.node.lineno <= site.line <= (function.node.end_lineno or 0)
        ]


def _only(aliases: Sequence[Alias]) -> Alias | None:
    return aliases[0] if len(aliases) == 1 else None


def _own(function: ast.FunctionDef | ast.Lambda) -> frozenset[str]:
    arguments = (part.arg for part in ast.walk(function) if isinstance(part, ast.arg))
    return _names(function, ast.Store).union(arguments)


def _reads_all(function: ast.FunctionDef | ast.Lambda) -> bool:
    own, nodes = _own(function), [*ast.walk(function)]
    made = (each for each in nodes if isinstance(each, ast.Assign))
    calculated = {
        ast.unparse(each.targets[0]) for each in made if isinstance(each.value, ast.BinOp)
    }
    # `logits[0]` of what is calculated here is no part of an object or a dict
    is_closed = (own - calculated).isdisjoint(map(_holder, nodes))
    return is_closed and own - {"cls", "self"} <= _names(function, ast.Load)


def _aliases(unit: int, function: ast.FunctionDef) -> list[Alias]:
    """Those of a function, in order, of what it is called with or makes: a constant of the module
    is no value of the pass. Where a way is taken, `else: h = h` is none."""
    nodes = [*ast.walk(function)]
    inner = {part for node in nodes if isinstance(node, ast.If) for part in ast.walk(node)}
    own, bound, returned = _own(function), dict[str, list[int]](), set[str]()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            bound.setdefault(node.id, []).append(node.lineno)
        elif isinstance(node, ast.Return) and node.value is not None:
            returned |= {ast.unparse(each) for each in getattr(node.value, "elts", [node.value])}
    aliases: list[Alias] = []
    for node in nodes:
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            for target, value in _pairs(node.targets[0], node.value):
                name, of = ast.unparse(target), ast.unparse(value)
                has_name = isinstance(target, ast.Name | ast.Attribute)
                is_alias = has_name and (_is_place(value, name) or name == of)
                is_alias = is_alias and not own.isdisjoint(_names(value, ast.Load))
                if is_alias and (name != of or node not in inner):
                    later = (line for line in bound.get(name, ()) if line > node.lineno)
                    until = min(later, default=math.inf)
                    site = node_span(unit, node)
                    aliases.append(Alias(site, name, of, until, name in returned))
    return sorted(aliases, key=lambda alias: alias.site.line)


def _handed(statement: ast.stmt) -> Iterator[tuple[str, str]]:
    """The names of what a statement puts into a tuple, a list or a dict, or keeps by a call, each
    behind the name that it has there, if any."""
    parts: Sequence[ast.expr] = ()
    named: Sequence[tuple[str, ast.expr]] = ()
    match statement:
        case (
            ast.Expr(ast.Call(ast.Attribute(), args, keywords))
            | ast.Assign(value=ast.Call(ast.Name("dict"), args, keywords))
        ):
            parts, named = args, [(each.arg or "", each.value) for each in keywords]
        case ast.Assign(value=ast.Tuple(parts) | ast.List(parts)):
            pass
        case ast.Assign(value=ast.Dict(keys, values)):
            names = (str(getattr(key, "value", "")) for key in keys)
            named = [*zip(names, values, strict=True)]
        case ast.Return(ast.Tuple(values)):  # what is returned beside the value
            parts = [value for value in values if hasattr(value, "elts")]
    parts = [inner for part in parts for inner in getattr(part, "elts", (part,))]
    of_parts = [("", part) for part in parts]
    yield from ((name, of.id) for name, of in (*of_parts, *named) if isinstance(of, ast.Name))


def _differentiated(name: str) -> set[str]:
    """What a name, or an attribute as in `self.w.grad`, may say that it is the gradient of."""
    *_, holder, last = ("", *name.split("."))
    return {holder} if last in ("g", "grad") else {*differentiated(last)}


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    match target, value:
        case ast.Tuple(targets), ast.Tuple(values):
            yield from zip(targets, values, strict=False)
        case _:
            yield target, value


def _is_place(value: ast.expr, name: str) -> bool:
    """Whether it is a name, or a place of something that has one, `h[-1]`, unless that place is
    called by the name, too: `x = cache["x"]`."""
    match value:
        case ast.Subscript(ast.Name(), ast.Constant(str(place))) | ast.Attribute(ast.Name(), place):
            return place != name
        case ast.Name() | ast.Subscript(ast.Name(), ast.Constant() | ast.UnaryOp()):
            return True
    return False


def _names(node: ast.AST, context: type[ast.expr_context]) -> frozenset[str]:
    """Those that are read, or get something."""
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return frozenset(each.id for each in names if isinstance(each.ctx, context))


def _read(node: ast.AST) -> frozenset[str]:
    """What an expression reads: names, and those of parts in the place of what has them."""
    names, holders = {*_names(node, ast.Load)}, set[str | None]()
    for each in ast.walk(node):
        match each:
            case ast.Attribute(attr=name) | ast.Subscript(slice=ast.Constant(str(name))):
                names.add(name)
                holders.add(_holder(each))
    return frozenset(names - holders)


def _holder(node: ast.AST) -> str | None:
    """The name of an object or a dict, where a node reads a part of it."""
    match node:
        case ast.Attribute(ast.Name(name), attribute) if not hasattr(torch.Tensor, attribute):
            return name
        case ast.Subscript(ast.Name(name), ast.Constant()):
            return name
    return None
