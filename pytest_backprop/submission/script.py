"""The statements of a script that the gradients in it need: a backward slice, in which a training
loop counts as one round. Parses; runs nothing."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import NamedTuple

from ..model import Unit
from .closure import Piece, names_of, split_units
from .parse import ParsedUnit, parse_units


class Training(NamedTuple):
    """What training is in a script: it gives `wanted` names, the `value` one of them, and changes
    `bound` ones, or has the value anew in each round of a loop."""

    wanted: set[str]
    bound: set[str]
    value: str

    def does(self, piece: Piece) -> bool:
        """Whether a statement trains."""
        gives = _gives(piece)
        return bool(gives & self.wanted and (gives & self.bound or self._begins_anew(piece.node)))

    def _begins_anew(self, loop: ast.stmt) -> bool:
        """Whether a loop assigns the value, which is no sum over its rounds."""
        nodes = [*ast.walk(loop)] if isinstance(loop, ast.For | ast.While) else []
        assignments = [node for node in nodes if isinstance(node, ast.Assign)]
        assigned = [n for n in assignments if self.value in set().union(*map(_names, n.targets))]
        added = {_root(n.target) for n in nodes if isinstance(n, ast.AugAssign)}
        reads = set().union(*(_names(node.value) for node in assigned))
        return bool(assigned) and self.value not in reads | added

    def first_round(self, piece: Piece) -> Iterator[Piece]:
        """The statements of a block that trains, but for what changes `bound` names, a loop's as of
        its first round; of any other statement itself."""
        block = piece.node
        is_block = isinstance(block, ast.For | ast.While | ast.With | ast.If)
        if not (is_block and self.does(piece)):
            yield piece
            return
        body: list[ast.stmt] = block.body  # type: ignore[attr-defined]
        if isinstance(block, ast.For):
            iterator = ast.Call(ast.Name("iter", ast.Load()), [block.iter], [])
            first = ast.Call(ast.Name("next", ast.Load()), [iterator], [])
            start = ast.copy_location(ast.Assign([block.target], first), block.iter)
            body = [ast.fix_missing_locations(start), *body]
        for node in body:
            inner = replace(piece, node=node, names=names_of(node, piece.flags))
            if _gives(inner) & self.wanted or not _gives(inner) & self.bound:
                yield from self.first_round(inner)


def slice_script(
    units: tuple[Unit, ...], gradients: Collection[str], value: str, bound: Collection[str]
) -> tuple[list[Piece], list[ParsedUnit]]:
    """The statements of a script that the names of `gradients` and the `value` need, in their
    order, where `bound` names have values already: what would bind one of these, as a loop over
    batches does, is left out. So is `dW = None`, which a template has. Where no other statement
    gives a gradient, or the value, those of the blocks that train count, each once. The second
    result is the units that do not parse.

    It is a backward slice (Weiser, 1981): statements are read from the last to the first, and one
    is taken if it gives a needed name its value, or changes that in place; then the names that it
    reads are needed, too. What only shows, tests or trains gives no needed name a value."""
    parsed = parse_units([unit for unit in units if not unit.module])
    wanted, own = {*gradients, value}, set(bound)
    pieces = split_units(parsed)
    held = own | {name for piece in pieces for name in _holding(piece.node, own)}
    training = Training(wanted, held, value)
    others = set().union(*(_gives(piece) for piece in pieces if not training.does(piece)))
    if value not in others or others.isdisjoint(gradients):
        pieces = [each for piece in pieces for each in training.first_round(piece)]
    needed = set(wanted)
    taken: list[Piece] = []
    for piece in reversed(pieces):
        binds = piece.names.binds
        if needed.isdisjoint(_gives(piece)) or not binds.isdisjoint(own):
            continue
        taken.append(piece)
        if isinstance(piece.node, ast.Assign | ast.AnnAssign | ast.Import | ast.ImportFrom):
            needed -= binds - piece.names.reads
        needed |= {name for name in piece.names.reads if "." not in name}
    return _first_answers(taken[::-1], wanted), [u for u in parsed if u.problem is not None]


def _gives(piece: Piece) -> set[str]:
    """The names that a statement gives a value, or whose objects it changes; none for None."""
    match piece.node:
        case ast.Assign(value=ast.Constant(value=None)):
            return set()
    return piece.names.binds | set(_changed(piece.node))


def _first_answers(pieces: list[Piece], wanted: set[str]) -> list[Piece]:
    """Without what binds a wanted name anew after another, which is bound no more, was computed
    from it: the next exercise of a notebook answers for `dlogits` once more."""
    last = {name: at for at, piece in enumerate(pieces) for name in piece.names.binds}
    used: set[str] = set()
    closed: set[str] = set()
    kept = []
    for at, piece in enumerate(pieces):
        binds, reads = piece.names.binds & wanted, piece.names.reads
        closed |= (binds & used) - reads
        answers = binds | (wanted & set(_changed(piece.node)))
        if answers and answers <= closed:
            continue
        kept.append(piece)
        if any(last[name] == at for name in binds):
            used |= wanted & reads
    return kept


def _holding(statement: ast.stmt, names: Collection[str]) -> Iterator[str]:
    """The names that a statement gives a list, a tuple or a dict in which some `names` are."""
    match statement:
        case ast.Assign(targets, ast.List(parts) | ast.Tuple(parts) | ast.Dict(values=parts)):
            if any(isinstance(part, ast.Name) and part.id in names for part in parts):
                yield from (target.id for target in targets if isinstance(target, ast.Name))


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The names whose objects a statement changes: `d[i] -= 1`, `x.g = …`, `d.add_(e)`; of a loop
    those whose objects it goes through and changes: `for p in (a, b): p -= 1`."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
            yield _root(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name.endswith("_") and not name.endswith("__"):
                yield _root(node.func)
        elif isinstance(node, ast.For):
            inner = [each for part in node.body for each in ast.walk(part)]
            changed = {name for part in node.body for name in _changed(part)}
            changed |= {_root(each.target) for each in inner if isinstance(each, ast.AugAssign)}
            for target, source in _taken_from(node.target, node.iter):
                if not changed.isdisjoint(_names(target)):
                    yield from _names(source)


def _taken_from(target: ast.expr, source: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The targets of a loop, each with what gives it its values."""
    match target, source:
        case ast.Tuple(names), ast.Call(ast.Name("zip"), parts) if len(names) == len(parts):
            for pair in zip(names, parts, strict=True):
                yield from _taken_from(*pair)
        case ast.Tuple(names), ast.Tuple(rows) | ast.List(rows):
            for row in rows:
                own = row.elts if isinstance(row, ast.Tuple | ast.List) else ()
                yield from zip(names, own, strict=False)
        case _:
            yield target, source


def _names(node: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
