"""Ops on tensors, as a graph in which what is the same is one node.

A node is text with places for its operands, so that what is written and what is tried are one. Each is tried
at sizes that are all different, which tells its shape in the task's own dimensions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import torch

SIZES: Final = (101, 103, 107, 109, 113, 127, 131, 137)
"""Of the dimensions with names; primes, so that no number in a task is one of them."""
LOOSE, BITS, SUM, PRODUCT, SIGN, POWER, TIGHT = range(7)
"""How tightly Python binds a text."""


class Form(NamedTuple):
    """How a kind of op is written: `{0}`, `{1}` are its operands, which have to bind at least as tightly as
    `needs` says; the text itself binds as tightly as `binds`."""

    text: str
    binds: int = TIGHT
    needs: tuple[int, ...] = (LOOSE,) * 4


FORMS: Final[Mapping[str, Form]] = {
    "add": Form("{0} + {1}", SUM, (SUM, PRODUCT)),
    "sub": Form("{0} - {1}", SUM, (SUM, PRODUCT)),
    "mul": Form("{0} * {1}", PRODUCT, (PRODUCT, SIGN)),
    "div": Form("{0} / {1}", PRODUCT, (PRODUCT, SIGN)),
    "matmul": Form("{0} @ {1}", PRODUCT, (PRODUCT, SIGN)),
    "neg": Form("-{0}", SIGN, (SIGN,)),
    "pow": Form("{0} ** {1}", POWER, (TIGHT, TIGHT)),
    **{
        name: Form(f"{{0}} {sign} {{1}}", LOOSE, (BITS, BITS))
        for name, sign in {"gt": ">", "ge": ">=", "lt": "<", "le": "<=", "eq": "=="}.items()
    },
    "both": Form("{0} & {1}", BITS, (SUM, SUM)),
    "not": Form("~{0}", SIGN, (SIGN,)),
    "where": Form("torch.where({0}, {1}, {2})"),
    "leaky_relu": Form("nn.functional.leaky_relu({0}, {1})"),
    "T": Form("{0}.T", needs=(TIGHT,)),
}
METHODS: Final = frozenset(
    {
        "sum", "mean", "amax", "expand", "unsqueeze", "squeeze", "transpose", "softmax", "log_softmax",
        "clamp", "index_add", "index_select", "new_zeros", "reshape",
    }
)  # fmt: skip
"""Kinds that are written as methods of their first operand, with `parameters` first in the brackets."""
VIEWS: Final = frozenset({"T", "transpose", "unsqueeze", "squeeze", "expand", "reshape", "index"})
"""Kinds that calculate nothing: there is no reason to save what they give."""
SIGNED: Final = frozenset({"mul", "div", "sum", "expand", "unsqueeze"})
"""Kinds that are odd in each of their operands."""


class TensorNode(NamedTuple):
    """`parameters` are texts that are no tensors; in them `$n` is a dimension or a plain number by name."""

    kind: str
    operands: tuple[int, ...] = ()
    parameters: tuple[str, ...] = ()


class TensorGraph:
    """Nodes, each after its operands. `shape` has that of each in sizes of `SIZES`, None for a number."""

    def __init__(self, numbers: Mapping[str, float | int]) -> None:
        self.numbers = dict(numbers)
        """The dimensions and plain numbers of the task, by name, as they are tried."""
        self.nodes: list[TensorNode] = []
        self._tried: list[Any] = []
        self._at: dict[TensorNode, int] = {}

    def leaf(self, name: str, tried: torch.Tensor) -> int:
        """A tensor that is given."""
        return self._put(TensorNode("leaf", (), (name,)), tried)

    def number(self, text: str) -> int:
        """A plain number: a text without tensors."""
        tried = eval(
            self._with_numbers(text), {"math": math}
        )  # of the task's file, the instructor's
        return self._put(TensorNode("number", (), (text,)), tried)

    def add(self, kind: str, *operands: int, parameters: tuple[str, ...] = ()) -> int:
        """The op of a kind. Raises what torch raises if it cannot be."""
        made = self._simpler(kind, operands, parameters)
        if made is not None:
            return made
        node = TensorNode(kind, operands, parameters)
        if node in self._at:
            return self._at[node]
        names = {f"a{at}": self._tried[operand] for at, operand in enumerate(operands)}
        text = self._with_numbers(written(node, [(name, TIGHT) for name in names])[0])
        tried = eval(text, {"torch": torch, "nn": torch.nn, "math": math, **names})
        return self._put(node, tried)

    def tried(self, node: int) -> Any:
        """What it is at the sizes that are tried: a tensor or a number."""
        return self._tried[node]

    def shape(self, node: int) -> tuple[int, ...]:
        """Of a tensor."""
        return tuple(self._tried[node].shape)

    def is_number(self, node: int) -> bool:
        """Whether it is no tensor."""
        return not isinstance(self._tried[node], torch.Tensor)

    def is_floating(self, node: int) -> bool:
        """Whether it is a tensor that could have a gradient."""
        return not self.is_number(node) and bool(self._tried[node].is_floating_point())

    def size_text(self, size: int) -> str:
        """The dimension that has a size among those tried, or the size itself."""
        named = [n for n, number in self.numbers.items() if number == size and size in SIZES]
        return f"${named[0]}" if named else str(size)

    def above(self, roots: list[int], stop: Callable[[int], bool] = lambda _: False) -> list[int]:
        """Nodes that lead to these, themselves with them, in order; not beyond those at which to stop."""
        seen: set[int] = set()
        waiting = list(roots)
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += [] if stop(node) else self.nodes[node].operands
        return sorted(seen)

    def _simpler(
        self, kind: str, operands: tuple[int, ...], parameters: tuple[str, ...]
    ) -> int | None:
        """What is the same with less work: a sign goes outwards, and two of them, as two transpositions, are
        none."""
        nodes = [self.nodes[operand] for operand in operands]
        if kind in ("neg", "T") and nodes[0].kind == kind:
            return nodes[0].operands[0]
        if kind == "T" and nodes[0].kind == "matmul":
            one, other = nodes[0].operands
            if self.nodes[one].kind == "T" and len(self.shape(other)) == 2:
                return self.add("matmul", self.add("T", other), self.nodes[one].operands[0])
        if kind == "add" and nodes[1].kind == "neg":
            return self.add("sub", operands[0], nodes[1].operands[0])
        if kind == "add" and nodes[0].kind == "neg":
            return self.add("sub", operands[1], nodes[0].operands[0])
        for at, node in enumerate(nodes if kind in SIGNED else ()):
            if node.kind == "neg":
                plain = (*operands[:at], node.operands[0], *operands[at + 1 :])
                return self.add("neg", self.add(kind, *plain, parameters=parameters))
        return None

    def _put(self, node: TensorNode, tried: Any) -> int:
        if node not in self._at:
            self._at[node] = len(self.nodes)
            self.nodes.append(node)
            self._tried.append(tried)
        return self._at[node]

    def _with_numbers(self, text: str) -> str:
        return re.sub(r"\$(\w+)", lambda found: repr(self.numbers[found[1]]), text)


def written(node: TensorNode, operands: list[tuple[str, int]]) -> tuple[str, int]:
    """The text of a node, from those of its operands, and how tightly it binds."""
    if node.kind in ("leaf", "number"):
        (text,) = node.parameters
        return text, TIGHT if re.fullmatch(
            r"[\w$.]+(?:e-\d+)?", text
        ) or node.kind == "leaf" else LOOSE
    if node.kind == "index":
        return f"{bound(operands[0], TIGHT)}[{operands[1][0]}]", TIGHT
    if node.kind == "getitem":
        return f"{bound(operands[0], TIGHT)}[{node.parameters[0]}]", TIGHT
    if node.kind in METHODS:
        inside = ", ".join([*node.parameters, *(text for text, _ in operands[1:])])
        return f"{bound(operands[0], TIGHT)}.{node.kind}({inside})", TIGHT
    form = FORMS.get(node.kind, Form(f"torch.{node.kind}({{0}})"))
    texts = [bound(operand, need) for operand, need in zip(operands, form.needs, strict=False)]
    return form.text.format(*texts), form.binds


def bound(operand: tuple[str, int], need: int) -> str:
    """A text, in brackets where it would be torn apart."""
    text, binds = operand
    return text if binds >= need else f"({text})"
