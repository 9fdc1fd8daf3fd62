"""A recorded pass as scalars: one node for each number that an op makes.

Data movement (stack, view, copy, index) disappears. What Python does without an op appears: a
second name for a value, and arithmetic on plain numbers, both read from the student's text.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Sequence

from ..model import Arg, Items, Op, Recording, Ref
from ..trace.graph import DataFlow, elements, fill_of, op_name
from ..trace.op_table import row_of
from .aliases import DEPTH, Aliases, Expressions, Frames, is_half, plain
from .arithmetic import Code, ScalarNode
from .text import Text, TypedIn

MAX_NODES = 4_000
BINARY: dict[str, Code] = {"add": "add", "sub": "sub", "mul": "mul", "div": "div",
                           "rsub": "sub"}  # fmt: skip


class TooManyScalars(Exception):
    """More nodes than a pass of the course's has."""


class Scalars:
    """The nodes of a recording, in an order in which each comes after its operands.

    `outputs` are the nodes of the result and of each gradient, None where there is none. Raises
    TooLarge. A recording is not trusted: one that no run can have made may raise LookupError,
    ValueError, TypeError or AssertionError.
    """

    def __init__(self, recording: Recording, flow: DataFlow, text: Text, names: Sequence[str],
                 inputs: Sequence[str]) -> None:  # fmt: skip
        self.weights = tuple(names)
        self.nodes: list[ScalarNode] = []
        self.outputs: list[int | None] = []
        self._recording = recording
        self._text = text
        self._space: dict[tuple[int, int], int] = {}
        self._leaves: dict[tuple[str, int], int] = {}
        self.typed: list[TypedIn] = []
        """Numbers that the pass gives a name to, and where."""
        self.expressions: Expressions = {}
        """For a node, the student's expressions for its operands."""
        self._aliases = Aliases(text, self.nodes, self.expressions, self._add)
        for origin, labels in (("weight", names), ("input", inputs)):
            for index, label in enumerate(labels):
                self._leaves[origin, index] = self._add(ScalarNode("leaf", name=label))
        self._leaf_values()
        for position, op in enumerate(recording.ops):
            if not op.target.startswith("python::") and position not in flow.views:
                self._run(position, op)
        self._collect(len(names))

    def _add(self, node: ScalarNode) -> int:
        if len(self.nodes) >= MAX_NODES:
            raise TooManyScalars
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _leaf_values(self) -> None:
        for value in self._recording.values:
            if math.prod(value.shape) > MAX_NODES:
                raise TooManyScalars
            places = elements(value)
            if value.origin in ("weight", "input"):
                for place, leaf in zip(places, value.leaf, strict=True):
                    self._space[value.storage, place] = self._leaves[value.origin, leaf]
            elif value.origin == "foreign" and len(value.data) == math.prod(value.shape):
                for place, item in zip(places, value.data, strict=True):
                    self._space[value.storage, place] = self._add(ScalarNode("number", number=item))

    # -- ops -------------------------------------------------------------------------------

    def _run(self, position: int, op: Op) -> None:
        raw = op_name(op)
        name, rule = raw.rstrip("_"), row_of(raw).scalar
        values = self._recording.values
        frames = self._recording.statements[op.statement].spans
        made = ScalarNode("number", op=position, site=op.site, place=self._place(op, frames),
                    bound=op.name)  # fmt: skip
        if op.target == "torch::constant":
            value = values[op.outputs[0]]
            data = [self._add(made._replace(number=item)) for item in value.data]
            self._write(op.outputs[0], data)
            return
        if not (op.writes or op.outputs):
            return
        target = op.writes[0] if op.writes else op.outputs[0]
        count = math.prod(values[target].shape)
        if rule == "fill":
            number = fill_of(op)
            if isinstance(number, int | float):
                self._write(target, [self._add(made._replace(number=number))
                                     for _ in range(count)])  # fmt: skip
                return
        if rule in ("copy", "parts", "element"):
            self._copy(op, made, target, frames)
            return
        asts = self._asts(op, frames)
        columns = self._columns(op, values[target].shape, asts, frames)
        results = [self._point(op, name, made, column, asts) for column in columns]
        if len(results) != count:
            opaque = self._opaque(op, made)
            results = [self._add(made._replace(code="call", operands=opaque, name=f"{op.target}|{i}"))
                       for i in range(count)]  # fmt: skip
        self._write(target, results)

    def _place(self, op: Op, frames: Frames) -> tuple[object, ...]:
        """The statement, and the execution of it."""
        return (frames[-1] if frames else None, self._recording.statements[op.statement].path)

    def _point(self, op: Op, name: str, made: ScalarNode, column: Sequence[int],
               asts: Sequence[ast.expr | None]) -> int:  # fmt: skip
        """One element of a pointwise op."""
        nodes = self.nodes
        args, rule = list(column), row_of(name).scalar
        if rule == "binary" and len(args) >= 2:
            alpha = op.kwargs.get("alpha", op.args[2] if name == "rsub" and len(op.args) > 2 else 1)
            texts: tuple[ast.expr | None, ...] = tuple(asts)
            if name == "rsub":
                args[:2] = args[1::-1]
            if isinstance(alpha, int | float) and alpha != 1:
                factor = self._add(ScalarNode("number", number=alpha))
                at = 0 if name == "rsub" else 1
                args[at] = self._add(made._replace(code="mul", operands=(args[at], factor)))
                texts = (None, None)
            code = BINARY[name]
            before = nodes[args[0]]
            if (
                code == "mul"
                and before.code == "div"
                and before.site == made.site
                and (nodes[before.operands[0]].op == before.op and before.op >= 0)
            ):  # `c / t` runs as reciprocal(t) * c
                nodes[args[0]] = before._replace(bound=None)
                under = self.expressions.get(args[0], (None, None))[1]
                texts = (asts[1] if len(asts) == 2 else None, under)
                code, args = "div", [args[1], before.operands[1]]
            found = self._add(made._replace(code=code, operands=tuple(args[:2])))
            if len(texts) == 2:
                self.expressions[found] = texts
            return found
        if rule == "negative":
            found = self._add(made._replace(code="neg", operands=(args[0],)))
        elif rule == "reciprocal":
            one = self._add(made._replace(number=1, bound=None))
            found = self._add(made._replace(code="div", operands=(one, args[0])))
            self.expressions[found] = (None, asts[0] if asts else None)
            return found
        elif rule == "power" and (name == "square" or is_half(op.args[1])):
            number = 2 if name == "square" else plain(op.args[1])
            found = self._add(made._replace(code="pow", operands=(args[0],), number=number))
        elif rule == "fused" and not op.kwargs:
            inner = self._add(made._replace(code="mul" if name == "addcmul" else "div",
                                            operands=(args[1], args[2])))  # fmt: skip
            found = self._add(made._replace(code="add", operands=(args[0], inner)))
        elif rule == "piecewise" and not op.kwargs:
            found = self._add(made._replace(code="call", operands=tuple(args), name=name))
            if len(asts) == len(args):
                self.expressions[found] = tuple(asts)
        else:
            rest = [repr(a) for a in op.args if not isinstance(a, Ref)]
            rest += [f"{k}={v!r}" for k, v in sorted(op.kwargs.items())]
            label = "|".join([name, *rest])
            refs = tuple(n for n, a in zip(args, op.args, strict=False) if isinstance(a, Ref))
            found = self._add(made._replace(code="call", operands=refs, name=label))
        if asts and len(nodes[found].operands) == 1:
            self.expressions[found] = (asts[0],)
        return found

    def _opaque(self, op: Op, made: ScalarNode) -> tuple[int, ...]:
        del made
        return tuple(node for value in op.reads for node in self._read(value))

    def _columns(self, op: Op, shape: Sequence[int], asts: Sequence[ast.expr | None],
                 frames: Frames) -> list[tuple[int, ...]]:  # fmt: skip
        """The operand nodes for each element of the result."""
        values = self._recording.values
        operands: list[list[int]] = []
        for index, arg in enumerate(op.args):
            expression = asts[index] if index < len(asts) else None
            if op_name(op).startswith("rsub") and len(asts) == 2 and index < 2:
                expression = asts[1 - index]
            if isinstance(arg, Ref):
                data = self._read(arg.value)
                data = [self._aliases.through(node, expression, frames) for node in data]
                spread = _spread(data, values[arg.value].shape, shape)
                if spread is None:
                    return []
                operands.append(spread)
            elif isinstance(arg, bool | str | Items) or arg is None:
                return []
            elif isinstance(arg, int | float):
                node = self._number_node(arg, expression, frames)
                operands.append([node] * math.prod(shape))
        return list(zip(*operands, strict=True)) if operands else []

    def _number_node(self, number: float, expression: ast.expr | None, frames: Frames) -> int:
        if expression is not None:
            found = self._aliases.folded(expression, frames, DEPTH)
            if found is not None and found[1] == number:
                return found[0]
        return self._add(ScalarNode("number", number=number))

    def _asts(self, op: Op, frames: Frames) -> list[ast.expr | None]:
        """The student's expressions for the arguments of an op, as far as they can be told."""
        del frames
        node = self._text.at(op.site)
        given = self._text.operands(node)
        if given is None:
            return []
        args = [a for a in op.args if isinstance(a, Ref | int | float)][:2]
        reflected = op_name(op) in ("rsub", "reciprocal")
        if len(args) == 1:
            return [given[-1] if reflected else given[0]]
        if len(given) != 2:
            return [given[0], None]
        if op_name(op) == "rsub":
            return [given[0], given[1]]
        refs = [isinstance(a, Ref) for a in args]
        if refs == [True, False] and isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Div) and op_name(op) == "mul":
                return [None, given[0]]  # the tensor is the reciprocal, which has no text
            # torch puts the tensor first in `2 * t`
            left = self._aliases.folded(given[0], (), DEPTH)
            if left is not None and left[1] == args[1]:
                return [given[1], given[0]]
        return [given[0], given[1]]

    # -- data movement ---------------------------------------------------------------------

    def _copy(self, op: Op, made: ScalarNode, target: int, frames: Frames) -> None:
        name = op_name(op)
        rule = row_of(name).scalar
        values = self._recording.values
        shape = values[target].shape
        if rule == "element":
            source, index = op.args
            assert isinstance(source, Ref)
            assert isinstance(index, int)
            self._write(target, [self._read(source.value)[index]])
            return
        node = self._text.at(op.site)
        if rule == "parts":
            parts = op.args[0].items if isinstance(op.args[0], Items) else (op.args[0],)
            given = self._text.operands(node) or []
            data: list[int] = []
            for index, part in enumerate(parts):
                text = given[index] if len(given) == len(parts) else None
                data += self._flat(part, _bare(text), frames, made)
            self._write(target, data)
            return
        source = op.args[1] if name == "copy_" else op.args[0]
        assert isinstance(source, Ref)
        expression = None
        if name == "copy_" and node is not None:
            expression = self._text.assigned(node)
        data = [
            self._aliases.through(n, _bare(expression), frames) for n in self._read(source.value)
        ]
        spread = _spread(data, values[source.value].shape, shape)
        self._write(target, [self._hold(n, made) for n in (spread or data)])

    def _flat(self, part: Arg, expression: ast.expr | None, frames: Frames, made: ScalarNode) -> list[int]:  # fmt: skip
        if isinstance(part, Ref):
            return [self._hold(self._aliases.through(node, expression, frames), made)
                    for node in self._read(part.value)]  # fmt: skip
        if isinstance(part, Items):
            return [n for item in part.items for n in self._flat(item, None, frames, made)]
        assert isinstance(part, int | float)
        return [self._add(made._replace(number=part))]

    def _hold(self, node: int, made: ScalarNode) -> int:
        """A number put into a tensor together with others: it could be another one."""
        return self._add(made._replace(code="copy", operands=(node,), bound=None))

    def _read(self, value: int) -> list[int]:
        known = self._recording.values[value]
        return [self._space[known.storage, place] for place in elements(known)]

    def _write(self, value: int, data: Sequence[int]) -> None:
        known = self._recording.values[value]
        for place, node in zip(elements(known), data, strict=True):
            self._space[known.storage, place] = node

    def _collect(self, weights: int) -> None:
        recording = self._recording
        sites = [op.site for op in recording.ops if op.site is not None and op.context == "student"]
        outer = [s.spans[0] for s in recording.statements if s.spans and s.spans[0] is not None]
        first = self._text.at(outer[-1] if outer else sites[-1] if sites else None)
        function = None if first is None else self._text.function(first)
        self.typed = self._text.typed_in(function)
        handed = self._text.handed_over(function, weights)
        entries = [None if recording.result is None else (recording.result, 0),
                   *(recording.gradients or (None,) * weights)]  # fmt: skip
        for index, entry in enumerate(entries):
            if entry is None:
                self.outputs.append(None)
                continue
            data = self._read(entry[0])
            node = data[entry[1]]
            expression = handed[index] if index < len(handed) else None
            if len(data) == 1 and expression is not None:
                node = self._aliases.through(node, _bare(expression), ())
                statement = self._text.statement(expression)
                assert isinstance(statement, ast.stmt)
                place = self._text.span(statement)
                node = self._add(ScalarNode("copy", (node,), site=place, place=(place, "end")))
            self.outputs.append(node)


def _bare(expression: ast.expr | None) -> ast.expr | None:
    """`dw0` of `dw0.view(1)`."""
    while isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        expression = expression.func.value
    return expression


def _spread(data: list[int], shape: Sequence[int], to: Sequence[int]) -> list[int] | None:
    """Row-major data of `shape` stretched to `to`, by torch's rules; None where it does not fit."""
    if len(data) == 1:
        return data * math.prod(to)
    if tuple(shape) == tuple(to):
        return data
    if len(shape) > len(to):
        return None
    padded = (1,) * (len(to) - len(shape)) + tuple(shape)
    if any(size not in (1, wide) for size, wide in zip(padded, to, strict=True)):
        return None
    steps = [math.prod(padded[i + 1 :]) * (size > 1) for i, size in enumerate(padded)]
    return [data[sum(i * step for i, step in zip(index, steps, strict=True))]
            for index in itertools.product(*map(range, to))]  # fmt: skip
