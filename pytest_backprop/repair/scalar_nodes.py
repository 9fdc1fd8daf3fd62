"""Numbers as nodes of a program, and tensors of them: each tensor is taken for a tensor of the
positions of its nodes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple

import torch

from ..model import Span
from .field import is_half

Code = Literal["leaf", "number", "copy", "add", "sub", "mul", "div", "neg", "pow", "call"]


MAX_NODES = 4_000
"""More than a pass of the course's has."""
AS_OP = {"max": "maximum", "min": "minimum"}


class NotLowered(ValueError):
    """A recording of too many numbers, or with an op that a rule does not know; the message names
    it."""


class Node(NamedTuple):
    """One number. `operands` are earlier nodes.

    `number` is a constant or an exponent; `name` a leaf's or the function of a `call`. `op` is the
    recorded op that made it, -1 for what Python made; `site` the expression; `place` groups what
    stands in one statement; `bound` is the name it was assigned to, if any.
    """

    code: Code
    operands: tuple[int, ...] = ()
    number: int | float = 0
    name: str = ""
    op: int = -1
    site: Span | None = None
    place: tuple[object, ...] = ()
    bound: str | None = None


class Numbers(NamedTuple):
    """A tensor of numbers among operands that are nodes. `nodes`: those of it that are there
    already."""

    tensor: torch.Tensor
    nodes: torch.Tensor | None = None


class NodeTable:
    """Nodes in an order in which each comes after its operands."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._made = Node("number")
        """What nodes of the present op have in common."""

    def node(
        self, code: Code, operands: Sequence[int] = (), number: float = 0, name: str = ""
    ) -> int:
        """A new node, with what is known of the op that makes it. Raises NotLowered for too
        many."""
        if code == "mul" and self._is_reciprocal(operands[0]):  # `c / t` runs as reciprocal(t) * c
            first, other = operands
            before = self.nodes[first]
            self.nodes[first] = before._replace(bound=None)
            code, operands = "div", (other, before.operands[1])
        elif code == "pow" and not is_half(number):
            code, name = "call", f"pow|{number}"
        name = AS_OP.get(name, name)
        return self._add(
            self._made._replace(code=code, operands=tuple(operands), number=number, name=name)
        )

    def _add(self, node: Node) -> int:
        if len(self.nodes) >= MAX_NODES:
            raise NotLowered("too many numbers")
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _is_reciprocal(self, n: int) -> bool:
        """Whether a node is one that the same expression has made, out of a one of its own."""
        node = self.nodes[n]
        return (
            node.code == "div"
            and node.site == self._made.site
            and self.nodes[node.operands[0]].op == node.op >= 0
        )

    def numbers(self, tensor: torch.Tensor) -> torch.Tensor:
        """Nodes for the numbers of a tensor."""
        flat = [self.node("number", number=n) for n in tensor.flatten().tolist()]
        return torch.tensor(flat, dtype=torch.long).reshape(tensor.shape)

    def each(
        self, code: Code, *operands: torch.Tensor, number: float = 0, name: str = ""
    ) -> torch.Tensor:
        """A node for each element of the operands, spread to one shape."""
        if not any(operand.dim() for operand in operands):  # most are single numbers
            row = [int(operand) for operand in operands]
            return torch.tensor(self.node(code, row, number, name))
        spread = torch.broadcast_tensors(*operands)  # type: ignore[no-untyped-call]
        rows = zip(*(tensor.flatten().tolist() for tensor in spread), strict=True)
        flat = [self.node(code, row, number, name) for row in rows]
        return torch.tensor(flat, dtype=torch.long).reshape(spread[0].shape)

    def call(self, name: str, *operands: torch.Tensor) -> torch.Tensor:
        """A function of each element."""
        return self.each("call", *operands, name=name)

    def folded(
        self,
        join: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
        tensor: torch.Tensor,
        dims: Sequence[int] | None,
        keep: bool,
    ) -> torch.Tensor:
        """The elements along some dimensions, all without any, joined one after another."""
        shape = list(tensor.shape)
        along = sorted({d % max(1, tensor.dim()) for d in dims or range(tensor.dim())})
        if not tensor.dim():
            return tensor
        rest = [d for d in range(tensor.dim()) if d not in along]
        rows = tensor.permute(*rest, *along).reshape(*(shape[d] for d in rest), -1).unbind(-1)
        joined = functools.reduce(join, rows)
        return (
            joined.reshape([1 if d in along else shape[d] for d in range(len(shape))])
            if keep
            else joined
        )

    def nodes_for(self, operand: Any) -> torch.Tensor:
        """Nodes of an operand that may be a number."""
        if isinstance(operand, Numbers):
            return self.numbers(operand.tensor) if operand.nodes is None else operand.nodes
        if isinstance(operand, torch.Tensor):
            return operand
        number = operand if isinstance(operand, int) else float(operand)
        return torch.tensor(self.node("number", number=number))
