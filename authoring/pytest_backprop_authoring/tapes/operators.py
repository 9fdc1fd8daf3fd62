"""Operators of Variables: what each calculates, and what flows back, in Variables again, so that gradients have
gradients."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class TapeOperator(NamedTuple):
    """A method of Variables. `value` is of tensors; `gradients` are in Variables, `dL_dr` being the adjoint of the
    result `r`, one for each operand. `of_number` is the gradient where `rhs` is a plain number. What is made of
    other operators alone has a `body` instead. `uses` are the methods that it needs, those that it calls with a
    plain number behind a `#`."""

    parameters: str
    value: str = ""
    gradients: tuple[str, ...] = ()
    of_number: str = ""
    body: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()


SUM_TO: Final = "sum_to"
"""The method that undoes a broadcast."""
OPERATORS: Final[Mapping[str, TapeOperator]] = {
    "__mul__": TapeOperator("self, rhs", "self.value * rhs.value", ("dL_dr * rhs", "dL_dr * self"), "dL_dr * rhs"),
    "__add__": TapeOperator("self, rhs", "self.value + rhs.value", ("dL_dr", "dL_dr"), "dL_dr"),
    "__sub__": TapeOperator("self, rhs", "self.value - rhs.value", ("dL_dr", "-dL_dr"), "dL_dr", uses=("__neg__",)),
    "__truediv__": TapeOperator(
        "self, rhs", "self.value / rhs.value", ("dL_dr / rhs", "-(dL_dr * r / rhs)"), "dL_dr / rhs",
        uses=("__mul__", "__neg__"),
    ),
    "__rsub__": TapeOperator("self, lhs", "lhs - self.value", ("-dL_dr",), uses=("__neg__",)),
    "__rtruediv__": TapeOperator(
        "self, lhs", "lhs / self.value", ("-(dL_dr * r / self)",), uses=("__truediv__",)
    ),
    "__pow__": TapeOperator(
        "self, exponent", "self.value ** exponent", ("dL_dr * (self ** (exponent - 1) * exponent)",), uses=("__mul__", "#__mul__",),
    ),
    "__neg__": TapeOperator("self", "-self.value", ("-dL_dr",)),
    "exp": TapeOperator("self", "self.value.exp()", ("dL_dr * r",), uses=("__mul__",)),
    "log": TapeOperator("self", "self.value.log()", ("dL_dr / self",), uses=("__truediv__",)),
    "sqrt": TapeOperator("self", "self.value.sqrt()", ("dL_dr / (r * 2)",), uses=("__truediv__", "#__mul__",)),
    "sin": TapeOperator("self", "self.value.sin()", ("dL_dr * self.cos()",), uses=("__mul__", "cos")),
    "cos": TapeOperator("self", "self.value.cos()", ("-(dL_dr * self.sin())",), uses=("__neg__", "sin")),
    "tanh": TapeOperator("self", "self.value.tanh()", ("dL_dr * (1 - r * r)",), uses=("__rsub__", "__mul__")),
    "sigmoid": TapeOperator("self", "self.value.sigmoid()", ("dL_dr * r * (1 - r)",), uses=("__rsub__", "__mul__")),
    "relu": TapeOperator("self", "self.value.relu()", ("dL_dr * (self.value > 0)",), uses=("#__mul__",)),
    "abs": TapeOperator("self", "self.value.abs()", ("dL_dr * self.value.sign()",), uses=("#__mul__",)),
    "square": TapeOperator("self", "self.value.square()", ("dL_dr * self * 2",), uses=("__mul__", "#__mul__",)),
    "t": TapeOperator("self", "self.value.t()", ("dL_dr.t()",)),
    "reshape": TapeOperator("self, *shape", "self.value.reshape(*shape)", ("dL_dr.reshape(self.value.shape)",)),
    "expand": TapeOperator("self, shape", "self.value.expand(shape)", ("dL_dr.sum_to(self.value.shape)",), uses=(SUM_TO,)),
    SUM_TO: TapeOperator(
        "self, shape", "self.value.sum_to_size(shape)", ("dL_dr.expand(self.value.shape)",), uses=("expand",)
    ),
    "sum": TapeOperator("self, dim=None, keepdim=False", body=(
        "rank = self.value.dim()",
        "dims = range(rank) if dim is None else [at % rank for at in (dim if isinstance(dim, tuple) else (dim,))]",
        "sizes = list(enumerate(self.value.shape))",
        "kept = self.sum_to([1 if at in dims else size for at, size in sizes])",
        "return kept if keepdim else kept.reshape([size for at, size in sizes if at not in dims])",
    ), uses=(SUM_TO, "reshape")),
    "mean": TapeOperator("self, dim=None, keepdim=False", body=(
        "r = self.sum(dim, keepdim)",
        "return r / (self.value.numel() / r.value.numel())",
    ), uses=("sum", "#__truediv__")),
    "__matmul__": TapeOperator(
        "self, rhs", "self.value @ rhs.value", ("dL_dr @ rhs.t()", "self.t() @ dL_dr"), uses=("t",)
    ),
}  # fmt: skip
"""By the name of the method."""
SIMPLE: Final[Mapping[str, TapeOperator]] = {
    "sum": TapeOperator("self", "self.value.sum()", ("dL_dr.expand(self.value.shape)",), uses=("expand",)),
    "expand": TapeOperator("self, shape", "self.value.expand(shape)", ("dL_dr.sum()",), uses=("sum",)),
    "mean": TapeOperator("self", "self.value.mean()",
                         ("(dL_dr * (1 / self.value.numel())).expand(self.value.shape)",), uses=("#__mul__", "expand")),
}  # fmt: skip
"""In their place where nothing is broadcast, and sums and means are of all numbers."""
VECTORS: Final = (
    "if rhs.value.dim() == 1:  # a column",
    "    return (self @ rhs.reshape(-1, 1)).reshape(self.value.shape[:-1])",
    "if self.value.dim() == 1:  # a row",
    "    return (self.reshape(1, -1) @ rhs).reshape(rhs.value.shape[1:])",
)
"""The first lines of `@` where one side may be a vector."""
TURNED: Final[Mapping[str, str]] = {"__radd__": "__add__", "__rmul__": "__mul__"}
"""What does the same with its operands the other way round."""
