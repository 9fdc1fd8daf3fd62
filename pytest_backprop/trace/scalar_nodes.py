"""Numbers as nodes of a program, and tensors of them: each tensor is taken for a tensor of the
positions of its nodes. Nodes that are the same are one."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch

MAX_NODES = 20_000


class NotLowered(Exception):
    """A recording with an op that has no rule; the message names it."""


class Node(NamedTuple):
    """One number. `code`: `leaf` (`name` is `weight` or `input`, `number` which), `number`, `add`,
    `sub`, `mul`, `div`, `neg`, `pow` (`number` is the exponent), or `call` of the function `name`."""

    code: str
    operands: tuple[int, ...] = ()
    number: float = 0
    name: str = ""


class Numbers(NamedTuple):
    """A tensor of numbers among operands that are nodes."""

    tensor: torch.Tensor


class NodeTable:
    """Nodes in an order in which each comes after its operands."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._known: dict[Node, int] = {}

    def node(
        self, code: str, operands: Sequence[int] = (), number: float = 0, name: str = ""
    ) -> int:
        """The position of a node, which is new unless there is the same. Raises NotLowered for more than
        MAX_NODES."""
        made = Node(code, tuple(operands), number, name)
        at = self._known.get(made)
        if at is None:
            if len(self.nodes) >= MAX_NODES:
                raise NotLowered("too many numbers")
            at = self._known[made] = len(self.nodes)
            self.nodes.append(made)
        return at

    def numbers(self, tensor: torch.Tensor) -> torch.Tensor:
        """Nodes for the numbers of a tensor."""
        flat = [self.node("number", number=float(n)) for n in tensor.flatten().tolist()]
        return torch.tensor(flat, dtype=torch.long).reshape(tensor.shape)

    def each(
        self, code: str, *operands: torch.Tensor, number: float = 0, name: str = ""
    ) -> torch.Tensor:
        """A node for each element of the operands, spread to one shape."""
        spread = torch.broadcast_tensors(*operands)  # type: ignore[no-untyped-call]
        rows = zip(*(tensor.flatten().tolist() for tensor in spread), strict=True)
        flat = [self.node(code, row, number, name) for row in rows]
        return torch.tensor(flat, dtype=torch.long).reshape(spread[0].shape)

    def call(self, name: str, *operands: torch.Tensor) -> torch.Tensor:
        """A function of each element."""
        return self.each("call", *operands, name=name)

    def folded(
        self, join: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], tensor: torch.Tensor,
        dims: Sequence[int] | None, keep: bool,
    ) -> torch.Tensor:  # fmt: skip
        """The elements along some dimensions, all without any, joined one after another."""
        shape = list(tensor.shape)
        along = sorted({d % max(1, tensor.dim()) for d in dims or range(tensor.dim())})
        if not tensor.dim():
            return tensor
        rest = [d for d in range(tensor.dim()) if d not in along]
        rows = tensor.permute(*rest, *along).reshape(*(shape[d] for d in rest), -1).unbind(-1)
        joined = functools.reduce(join, rows)
        return joined.reshape([1 if d in along else shape[d] for d in range(len(shape))]) if keep \
            else joined  # fmt: skip

    def nodes_for(self, operand: Any) -> torch.Tensor:
        """Nodes of an operand that may be a number."""
        if isinstance(operand, Numbers):
            return self.numbers(operand.tensor)
        if isinstance(operand, torch.Tensor):
            return operand
        return torch.tensor(self.node("number", number=float(operand)))
