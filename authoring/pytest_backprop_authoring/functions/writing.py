"""The Function of a task as Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from pytest_backprop.exercises.functions.typed_task import MatrixVariant

from .graph import TIGHT, TensorGraph, written
from .program import FunctionProgram, program
from .reading import GRAD_OUTPUT

WIDTH = 40
"""Of what becomes part of another line."""


def class_text(variant: MatrixVariant, explain: bool = False) -> str:
    """The Function of a task; with `explain` one op a line. Raises UsageProblem where it cannot be derived."""
    return "\n".join(_Writer(program(variant), explain).lines())


class _Writer:
    def __init__(self, made: FunctionProgram, apart: bool) -> None:
        self._made = made
        names = FreshNames({*made.arguments, *made.names.values(), GRAD_OUTPUT, "ctx"})
        self._result = names.fresh("value" if "y" in made.arguments else "y")
        given = {leaf: name for name, leaf in made.leaves.items()}
        self._ahead = MethodLines(made.graph, names, dict(given), self._size, apart)
        self._back = MethodLines(
            made.graph, names, {made.grad_output: GRAD_OUTPUT}, self._kept, apart
        )
        self._read: set[str] = set()
        """The dimensions and plain numbers that backward reads."""

    def lines(self) -> list[str]:
        """The class."""
        made = self._made
        called = {made.result: self._result, **made.names}
        ahead = [*self._ahead.lines(made.forward, {*made.saved, made.result}, called)]
        names = [self._ahead.names[node] for node in made.saved]
        self._back.names.update(zip(made.saved, names, strict=True))
        back = [*self._backward()]
        context = [f"{self._attribute(n)} = {made.dims.get(n, n)}" for n in sorted(self._read)]
        context += [f"ctx.save_for_backward({', '.join(names)})"] if names else []
        taken = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
        back = [*([f"{taken} = ctx.saved_tensors"] if names else []), *back]
        ahead = [*ahead, *context, f"return {self._ahead.names[made.result]}"]
        return [
            "class Function(torch.autograd.Function):",
            "    @staticmethod",
            f"    def forward(ctx, {', '.join(made.arguments)}):",
            *(f"        {line}" for line in ahead),
            "",
            "    @staticmethod",
            f"    def backward(ctx, {GRAD_OUTPUT}):",
            *(f"        {line}" for line in back),
        ]

    def _backward(self) -> Iterator[str]:
        made = self._made
        results = {name: f"grad_{name}" for name in made.asked}
        if len(made.asked) > 1:
            yield f"{' = '.join(results.values())} = None"
        groups: dict[frozenset[str], list[int]] = {}
        for node in made.backward:
            groups.setdefault(made.wanted[node], []).append(node)
        for name in made.asked:
            groups.setdefault(frozenset([name]), [])
        read = {
            operand
            for node in made.backward
            for operand in made.graph.nodes[node].operands
            if made.wanted.get(operand) != made.wanted[node]
        }
        read |= set(made.gradients.values())
        order = sorted(groups, key=lambda wanted: (-len(wanted), made.places(wanted)))
        for wanted in order:
            nodes = groups[wanted]
            own = [name for name in made.asked if wanted == {name}]
            called = {made.gradients[name]: results[name] for name in own}
            lines = [*self._back.lines(nodes, read, called)]
            for name in own:
                root = made.gradients[name]
                if root not in nodes:
                    lines.append(f"{results[name]} = {self._back.names[root]}")
            guard = self._guard(wanted)
            yield from [guard, *(f"    {line}" for line in lines)] if guard and lines else lines
        yield f"return {', '.join(results.get(name, 'None') for name in made.arguments)}"

    def _guard(self, wanted: frozenset[str]) -> str:
        if len(wanted) == len(self._made.asked):
            return ""
        places = [at for at, name in enumerate(self._made.arguments) if name in wanted]
        return f"if {' or '.join(f'ctx.needs_input_grad[{at}]' for at in places)}:"

    def _size(self, name: str) -> str:
        return self._made.dims.get(name, name)

    def _kept(self, name: str) -> str:
        self._read.add(name)
        return self._attribute(name)

    def _attribute(self, name: str) -> str:
        is_dim = name in self._made.dims and name in self._made.arguments
        return f"ctx.size_{name}" if is_dim else f"ctx.{name}"


class FreshNames:
    """FreshNames that nothing else has."""

    def __init__(self, used: set[str]) -> None:
        self._used = used

    def fresh(self, stem: str) -> str:
        """`stem`, or with a number behind it."""
        name, count = stem, 1
        while name in self._used:
            count += 1
            name = f"{stem}{count}"
        self._used.add(name)
        return name


class MethodLines:
    """Nodes as lines of one method. `names` has what there is already; `number` writes a dimension or a plain
    number of the task."""

    def __init__(
        self, graph: TensorGraph, used: FreshNames, names: dict[int, str], number: Callable[[str], str],
        apart: bool,
    ) -> None:  # fmt: skip
        self._graph = graph
        self._used = used
        self.names = names
        self._number = number
        self._apart = apart
        self._inside: dict[int, tuple[str, int]] = {}

    def lines(
        self, nodes: Sequence[int], kept: set[int], called: Mapping[int, str]
    ) -> Iterator[str]:
        """What computes the nodes: a line for each that is `kept`, `called` something, read more than once or
        long; the others are part of the line that reads them."""
        operands = [operand for node in nodes for operand in self._graph.nodes[node].operands]
        for node in nodes:
            text = self._text(node)
            if (
                node in kept or node in called or operands.count(node) != 1
                or len(text[0]) > WIDTH or self._apart
            ):  # fmt: skip
                self.names[node] = called.get(node) or self._used.fresh("t")
                yield f"{self.names[node]} = {text[0]}"
            else:
                self._inside[node] = text

    def _text(self, node: int) -> tuple[str, int]:
        operands = [
            (self.names[operand], TIGHT)
            if operand in self.names
            else self._inside.get(operand) or self._text(operand)
            for operand in self._graph.nodes[node].operands
        ]
        text, binds = written(self._graph.nodes[node], operands)
        return re.sub(r"\$(\w+)", lambda found: self._number(found[1]), text), binds
