"""A recorded pass as scalars (`lowering`), with what the student's text says of them.

Every number that an op makes is a node of its own, with the expression that made it and the name it
was given. What Python does without an op appears: a second name for a value, and a number with a
name, both read from the text. A number that is put together with others is a copy of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

import torch

from ..model import VALUE, Arg, Items, Op, Recording, Ref, gradient_of
from ..trace.graph import op_name
from ..trace.op_table import row_of
from .lowering import Lowering
from .scalar_nodes import Node, Numbers
from .text import MODULES, Binding, Text, key_of

CLONES = frozenset({"clone", "_to_copy", "contiguous", "lift"})
DEPTH = 40
"""Names that are followed, one behind the other."""


class Scalars(Lowering):
    """The nodes of a recording, in an order in which each comes after its operands.

    `outputs` are the nodes of the result and of each gradient, None where there is none. Raises
    NotLowered for too many. A recording is not trusted: one that no run can have made may raise
    LookupError, ValueError, TypeError or AssertionError.
    """

    def __init__(
        self, recording: Recording, text: Text, names: Sequence[str], inputs: Sequence[str]
    ) -> None:
        super().__init__(recording, [*names, *inputs])
        self.weights = tuple(names)
        self._text = text
        self._aliases: dict[object, int] = {}
        """The nodes of second names, by where each is given, and to what."""
        self._numbers: dict[ast.expr, int] = {}
        """The nodes of numbers in the text."""
        self._op: Op | None = None
        self._looks = self._holds = False
        """Whether it only looks at its operands, or puts them together."""
        self._texts: list[ast.expr | None] = []
        """The student's expressions for its operands, by their positions."""
        self._whole: dict[int, torch.Tensor] = {}
        """The nodes of tensors of whole numbers that the student typed in."""
        self.walk()
        ends = self.ends()
        self.outputs = [ends.get(name) for name in (VALUE, *map(gradient_of, names))]
        outer = [s.spans[0] for s in recording.statements if s.spans and s.spans[0] is not None]
        self.typed = list(text.typed_in(outer[-1] if outer else None))
        """The names that the pass gives to numbers, and where these stand."""

    # -- nodes -----------------------------------------------------------------------------

    def nodes_for(self, operand: Any) -> torch.Tensor:
        """Nodes of an operand that may be a number: one in the text is what it says there."""
        op = self._op
        if self._holds or op is None or isinstance(operand, torch.Tensor | Numbers):
            return super().nodes_for(operand)
        if operand not in (*op.args, *op.kwargs.values()):
            return super().nodes_for(operand)
        expression = self._expression(op.args.index(operand)) if operand in op.args else None
        typed = None if expression is None else self._typed(expression)
        if typed is None or typed[1] != operand:
            return torch.tensor(self._add(Node("number", number=operand)))
        return torch.tensor(typed[0])

    def read(self, value: int, at: int) -> torch.Tensor:
        """The nodes of an operand as the text names it. What is put together with others is a copy:
        it could be another one."""
        nodes = self._whole.get(value, self._values[value])
        if self._looks:
            return nodes
        before = nodes.flatten().tolist()
        flat = [self._through(n, self._expression(at)) for n in before]
        if self._holds:
            flat = [self.node("copy", (n,)) for n in flat]
        if flat == before:
            return nodes
        return torch.tensor(flat, dtype=torch.long).reshape(nodes.shape)

    def _operand(self, arg: Arg, at: int = 0) -> Any:
        operand = super()._operand(arg, at)
        if isinstance(operand, Numbers) and isinstance(arg, Ref) and arg.value in self._whole:
            return operand._replace(nodes=self.read(arg.value, at))
        return operand

    # -- ops -------------------------------------------------------------------------------

    def _run(self, op: Op, position: int) -> None:
        if not (op.writes or op.outputs):
            return
        statement = self._recording.statements[op.statement]
        place = (statement.spans[-1] if statement.spans else None, statement.path)
        name = op_name(op)
        kind = row_of(name).kind
        self._op = op
        self._made = Node("number", op=position, site=op.site, place=place)
        self._looks = kind in ("view", "pick") or op.target == "torch::element"
        self._holds = kind in ("copy", "own", "overwrite") and not self._looks
        self._texts = self._operand_texts(op, name)
        super()._run(op, position)

    def _put(self, op: Op, results: Sequence[torch.Tensor], plain: bool = False) -> None:
        super()._put(op, results, plain)
        nodes = results[0]
        if plain:
            if op.reads:
                return
            nodes = self._whole[op.outputs[0]] = self.numbers(nodes)
        for n in nodes.flatten().tolist():
            if self.nodes[n].op == self._made.op and self.nodes[n].code != "copy":
                self.nodes[n] = self.nodes[n]._replace(bound=op.name)

    # -- the text --------------------------------------------------------------------------

    def _through(self, node: int, expression: ast.expr | None, depth: int = DEPTH) -> int:
        """The node as the expression names it: behind every second name on the way, one copy
        each."""
        bound = None if expression is None or not depth else self._text.binding(expression)
        source = None if bound is None or bound.value is None else key_of(bound.value)
        if bound is None or source is None:
            return node
        if source.startswith("self.") and self.nodes[node].code == "leaf":
            return node
        return self._alias(bound, self._through(node, bound.value, depth - 1))

    def _alias(self, bound: Binding, inner: int) -> int:
        """The node of a second name."""
        place = self._text.span(bound.statement)
        alias = (place, bound.key, inner)
        if alias not in self._aliases:
            copy = Node("copy", (inner,), site=place, place=(place,), bound=bound.key)
            self._aliases[alias] = self._add(copy)
        return self._aliases[alias]

    def _typed(self, expression: ast.expr, depth: int = DEPTH) -> tuple[int, float] | None:
        """The node and the number of an expression that is one: as it stands, with a minus, or
        behind names."""
        if isinstance(expression, ast.Constant) and type(expression.value) in (int, float):
            number = expression.value
            assert isinstance(number, int | float)
            return self._literal(expression, Node("number", number=number)), number
        if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
            inner = self._typed(expression.operand, depth - 1) if depth else None
            if inner is None:
                return None
            return self._literal(expression, Node("neg", (inner[0],))), -inner[1]
        bound = self._text.binding(expression) if depth else None
        if bound is None or bound.value is None:
            return None
        inner = self._typed(bound.value, depth - 1)
        if inner is None:
            return None
        if key_of(bound.value) is not None:
            return self._alias(bound, inner[0]), inner[1]
        node = self.nodes[inner[0]]
        self.nodes[inner[0]] = node._replace(bound=node.bound or bound.key)
        return inner

    def _literal(self, expression: ast.expr, node: Node) -> int:
        """The node of what stands in the text without an op."""
        if expression not in self._numbers:
            statement = self._text.statement(expression)
            assert isinstance(statement, ast.stmt)
            place = (self._text.span(statement), "python")
            node = node._replace(site=self._text.span(expression), place=place)
            self._numbers[expression] = self._add(node)
        return self._numbers[expression]

    def _expression(self, at: int) -> ast.expr | None:
        return self._texts[at] if at < len(self._texts) else None

    def _operand_texts(self, op: Op, name: str) -> list[ast.expr | None]:
        """The student's expressions for the operands of an op, as far as they can be told."""
        node = self._text.at(op.site)
        if name == "copy_":
            return [None, None if node is None else _bare(self._text.assigned(node))]
        texts = self._text.operands(node)
        if not texts or name in CLONES:  # `torch.zeros(())` has none
            return []
        if self._holds:
            parts = op.args[0].items if isinstance(op.args[0], Items) else op.args
            return [_bare(text) for text in texts] if len(texts) == len(parts) else []
        args = [a for a in op.args if isinstance(a, Ref | int | float)][:2]
        if len(args) == 1:
            return [texts[-1] if name == "reciprocal" else texts[0]]
        if len(texts) != 2:
            return [texts[0]]
        if name == "rsub":
            return [texts[1], texts[0]]
        refs = [isinstance(a, Ref) for a in args]
        if refs == [True, False] and isinstance(node, ast.BinOp):
            if isinstance(node.op, ast.Div) and name == "mul":
                return [None, texts[0]]  # the tensor is the reciprocal, which has no text
            # torch puts the tensor first in `2 * t`
            left = self._typed(texts[0])
            if left is not None and left[1] == args[1]:
                return [texts[1], texts[0]]
        return [*texts]


def _bare(expression: ast.expr | None) -> ast.expr | None:
    """`dw0` of `dw0.view(1)`."""
    while isinstance(expression, ast.Call) and isinstance(expression.func, ast.Attribute):
        if key_of(expression.func.value) in MODULES:
            return expression
        expression = expression.func.value
    return expression
