"""What flows back through each op: vector-Jacobian products, as ops on tensors.

An adjoint may have fewer numbers than its value, where they are the same along a dimension: torch broadcasts
them where they are multiplied, and they are expanded where that is not enough.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from pytest_backprop.errors import UsageProblem
from pytest_backprop.messages import say

from .graph import TensorGraph

Flow = Callable[["Derivation", int, int], Mapping[int, int]]
"""From a node and its adjoint to what that contributes to the adjoint of each operand."""


class Derivation:
    """Adjoints of a graph's floats, which are added to the graph."""

    def __init__(self, graph: TensorGraph, result: int, grad_output: int, asked: list[int]) -> None:
        self.graph = graph
        ahead = graph.above([result])
        depends = {
            node
            for node in ahead
            if graph.is_floating(node) and not set(asked).isdisjoint(graph.above([node]))
        }
        adjoints: dict[int, int] = {result: grad_output}
        for node in reversed(ahead):
            if node not in adjoints or not graph.nodes[node].operands:
                continue
            for operand, part in flow_of(graph.nodes[node].kind)(
                self, node, adjoints[node]
            ).items():
                if operand in depends:
                    part = self.narrowed(part, operand, node)
                    known = adjoints.get(operand)
                    adjoints[operand] = part if known is None else graph.add("add", known, part)
        self.gradients = {leaf: self.full(adjoints[leaf], leaf) for leaf in asked}

    # -- the shapes of adjoints ------------------------------------------------------------

    def full(self, adjoint: int, like: int) -> int:
        """An adjoint with all numbers that a node has."""
        shape = self.graph.shape(like)
        if self.graph.shape(adjoint) == shape:
            return adjoint
        return self.graph.add("expand", adjoint, parameters=self._texts(shape))

    def narrowed(self, part: int, operand: int, node: int) -> int:
        """A contribution, summed over the dimensions along which the operand was broadcast."""
        graph = self.graph
        whole, wanted = graph.shape(node), graph.shape(operand)
        if graph.nodes[node].kind not in ELEMENTWISE:
            return part
        missing = len(whole) - len(wanted)
        lost = [*range(missing)] + [
            at for at in range(missing, len(whole)) if wanted[at - missing] == 1 != whole[at]
        ]
        if not lost:
            return part
        held = (1,) * (len(whole) - len(graph.shape(part))) + graph.shape(part)
        if any(held[at] != whole[at] for at in lost) or len(graph.shape(part)) < len(whole):
            part = self.full(part, node)
        kept = [at for at in lost if at >= missing]
        if kept:
            part = graph.add("sum", part, parameters=(_dims(kept), "keepdim=True"))
        if missing:
            part = graph.add("sum", part, parameters=(_dims([*range(missing)]),))
        return part

    def count(self, node: int) -> int:
        """How many numbers of the operand a number of a mean is of, as a number."""
        (operand,) = self.graph.nodes[node].operands
        parameters = self.graph.nodes[node].parameters
        shape = self.graph.shape(operand)
        dims = range(len(shape)) if not parameters else _read_dims(parameters[0], len(shape))
        return self.graph.number(" * ".join(self.graph.size_text(shape[at]) for at in dims))

    def _texts(self, shape: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(map(self.graph.size_text, shape))


def _dims(dims: list[int]) -> str:
    return str(dims[0]) if len(dims) == 1 else str(tuple(dims))


def _read_dims(text: str, rank: int) -> list[int]:
    read = eval(text, {})  # numbers, which `reading` has put there
    return sorted(dim % rank for dim in ((read,) if isinstance(read, int) else read))


ELEMENTWISE: Final = frozenset({"add", "sub", "mul", "div", "pow", "where"})
"""Kinds that broadcast their operands."""


def flow_of(kind: str) -> Flow:
    """The rule of a kind. Raises UsageProblem where there is none."""
    if kind not in FLOWS:
        raise UsageProblem(
            say("there is no rule here for the derivative of {op}", op=kind),
            say("write the task with other operations, or write the key by hand"),
        )
    return FLOWS[kind]


def _slope(slope: Callable[[TensorGraph, int, int], int]) -> Flow:
    """The rule of a function of each number: `slope` from the graph, the operand and the value."""

    def flow(d: Derivation, node: int, g: int) -> Mapping[int, int]:
        operand = d.graph.nodes[node].operands[0]
        return {operand: d.graph.add("mul", g, slope(d.graph, operand, node))}

    return flow


def _sum_of(d: Derivation, pairs: list[tuple[int, int]], node: int) -> Mapping[int, int]:
    """Contributions, of which two may go to one operand."""
    made: dict[int, int] = {}
    for operand, part in pairs:
        if operand in made:
            made[operand] = d.graph.add("add", made[operand], part)
        else:
            made[operand] = part
    return made


def _mul(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    a, b = d.graph.nodes[node].operands
    add = d.graph.add
    if a == b:
        return {a: add("mul", add("mul", g, d.graph.number("2")), a)}
    return {a: add("mul", g, b), b: add("mul", g, a)}


def _div(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    a, b = d.graph.nodes[node].operands
    part = d.graph.add("div", g, b)
    back = d.graph.add("neg", d.graph.add("mul", part, node))
    return _sum_of(d, [(a, part), (b, back)], node)


def _pow(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    base, power = d.graph.nodes[node].operands
    graph = d.graph
    if not graph.is_number(power):
        return flow_of("pow with a tensor as exponent")(d, node, g)
    (text,) = graph.nodes[power].parameters
    if text == "2":
        below = base
    else:
        less = str(int(text) - 1) if text.isdigit() else f"({text} - 1)"
        below = graph.add("pow", base, graph.number(less))
    return {base: graph.add("mul", graph.add("mul", g, power), below)}


def _where(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    mask, one, other = d.graph.nodes[node].operands
    pairs = [(one, d.graph.add("mul", g, mask)),
             (other, d.graph.add("mul", g, d.graph.add("not", mask)))]  # fmt: skip
    return _sum_of(d, pairs, node)


def _clamp(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    (x,) = d.graph.nodes[node].operands
    masks = []
    for parameter in d.graph.nodes[node].parameters:
        side, _, text = parameter.partition("=")
        if text != "None":
            comparison = "ge" if side == "min" else "le"
            masks.append(d.graph.add(comparison, x, d.graph.number(text)))
    mask = masks[0] if len(masks) == 1 else d.graph.add("both", *masks)
    return {x: d.graph.add("mul", g, mask)}


def _leaky_relu(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    x, slope = d.graph.nodes[node].operands
    add = d.graph.add
    return {x: add("where", add("gt", x, d.graph.number("0")), g, add("mul", g, slope))}


def _sum(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    (x,) = d.graph.nodes[node].operands
    parameters = d.graph.nodes[node].parameters
    if parameters and "keepdim=True" not in parameters:
        g = d.full(g, node)
        for dim in _read_dims(parameters[0], len(d.graph.shape(x))):
            g = d.graph.add("unsqueeze", g, parameters=(str(dim),))
    return {x: g}


def _mean(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    return _sum(d, node, d.graph.add("div", g, d.count(node)))


def _matmul(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    graph = d.graph
    a, b = graph.nodes[node].operands
    g = d.full(g, node)
    ranks = len(graph.shape(a)), len(graph.shape(b))
    if ranks == (2, 2):
        pairs = [(a, graph.add("matmul", g, graph.add("T", b))),
                 (b, graph.add("matmul", graph.add("T", a), g))]  # fmt: skip
    elif ranks == (2, 1):
        column = graph.add("unsqueeze", g, parameters=("1",))
        pairs = [(a, graph.add("mul", column, b)),
                 (b, graph.add("matmul", graph.add("T", a), g))]  # fmt: skip
    elif ranks == (1, 2):
        column = graph.add("unsqueeze", a, parameters=("1",))
        pairs = [(a, graph.add("matmul", b, g)), (b, graph.add("mul", column, g))]
    elif ranks == (1, 1):
        pairs = [(a, graph.add("mul", g, b)), (b, graph.add("mul", g, a))]
    else:
        return flow_of("a product of more than two dimensions")(d, node, g)
    return _sum_of(d, pairs, node)


def _softmax(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    (x,) = d.graph.nodes[node].operands
    g = d.full(g, node)
    add, dim = d.graph.add, d.graph.nodes[node].parameters[0]
    along = add("sum", add("mul", g, node), parameters=(dim, "keepdim=True"))
    return {x: add("mul", node, add("sub", g, along))}


def _log_softmax(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    (x,) = d.graph.nodes[node].operands
    g = d.full(g, node)
    add, dim = d.graph.add, d.graph.nodes[node].parameters[0]
    along = add("sum", g, parameters=(dim, "keepdim=True"))
    return {x: add("sub", g, add("mul", add("exp", node), along))}


def _view(undo: Callable[[Derivation, int, int], int]) -> Flow:
    def flow(d: Derivation, node: int, g: int) -> Mapping[int, int]:
        return {d.graph.nodes[node].operands[0]: undo(d, node, d.full(g, node))}

    return flow


def _reshape(d: Derivation, node: int, g: int) -> int:
    shape = d.graph.shape(d.graph.nodes[node].operands[0])
    return d.graph.add("reshape", g, parameters=tuple(map(d.graph.size_text, shape)))


def _index(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    table, index = d.graph.nodes[node].operands
    g = d.full(g, node)
    sizes = tuple(map(d.graph.size_text, d.graph.shape(table)))
    zeros = d.graph.add("new_zeros", g, parameters=(f"({', '.join(sizes)},)",))
    return {table: d.graph.add("index_add", zeros, index, g, parameters=("0",))}


def _index_add(d: Derivation, node: int, g: int) -> Mapping[int, int]:
    table, index, rows = d.graph.nodes[node].operands
    g = d.full(g, node)
    return _sum_of(d, [(table, g), (rows, d.graph.add("index", g, index))], node)


FLOWS: Final[Mapping[str, Flow]] = {
    "add": lambda d, node, g: _sum_of(d, [(a, g) for a in d.graph.nodes[node].operands], node),
    "sub": lambda d, node, g: _sum_of(
        d, [*zip(d.graph.nodes[node].operands, (g, d.graph.add("neg", g)), strict=True)], node
    ),
    "neg": lambda d, node, g: {d.graph.nodes[node].operands[0]: d.graph.add("neg", g)},
    "mul": _mul,
    "div": _div,
    "pow": _pow,
    "exp": _slope(lambda graph, x, y: y),
    "log": lambda d, node, g: {
        d.graph.nodes[node].operands[0]: d.graph.add("div", g, d.graph.nodes[node].operands[0])
    },
    "sqrt": lambda d, node, g: {
        d.graph.nodes[node].operands[0]: d.graph.add(
            "div", g, d.graph.add("mul", d.graph.number("2"), node)
        )
    },
    "sin": _slope(lambda graph, x, y: graph.add("cos", x)),
    "cos": _slope(lambda graph, x, y: graph.add("neg", graph.add("sin", x))),
    "tanh": _slope(lambda graph, x, y: graph.add("sub", graph.number("1"), graph.add("mul", y, y))),
    "sigmoid": _slope(
        lambda graph, x, y: graph.add("mul", y, graph.add("sub", graph.number("1"), y))
    ),
    "abs": _slope(lambda graph, x, y: graph.add("sign", x)),
    "relu": _slope(lambda graph, x, y: graph.add("gt", x, graph.number("0"))),
    "where": _where,
    "clamp": _clamp,
    "leaky_relu": _leaky_relu,
    "sum": _sum,
    "mean": _mean,
    "matmul": _matmul,
    "softmax": _softmax,
    "log_softmax": _log_softmax,
    "T": _view(lambda d, node, g: d.graph.add("T", g)),
    "transpose": _view(
        lambda d, node, g: d.graph.add("transpose", g, parameters=d.graph.nodes[node].parameters)
    ),
    "unsqueeze": _view(
        lambda d, node, g: d.graph.add("squeeze", g, parameters=d.graph.nodes[node].parameters)
    ),
    "reshape": _view(_reshape),
    "index": _index,
    "index_add": _index_add,
}  # fmt: skip
"""By kind of op. At a kink each gives what torch gives: `clamp` passes a gradient on there (up to torch 2.13),
`relu` does not."""
