"""ONNX models as students hand them in, and as nobody should: each is bytes, made on the spot."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from typing import Any

import onnx
import torch
from onnx import TensorProto, helper
from onnx.helper import make_node, make_tensor

F = TensorProto.FLOAT
INPUTS = ("x1", "x2", "x3")
SUBMISSION = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.95, 0.288]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = x3 * (w0 ** 2 + w1 ** 2)
        r2 = (x3 + w0 / w1) * (3 * w0 + x3 * w1)
        r3 = x3 - (w1 - x2) ** 2 / w0
        return r1 + r2 + r3 / (x1 - x2 - r1)

    def my_forward_backward(self, x1, x2, x3):
        return x1
"""
"""v8 of the course; its pass does nothing, which the check `onnx` does not mind."""

FORWARD = SUBMISSION.partition("x1, x2, x3):\n")[2].partition("\n    def my")[0]
WRONG = SUBMISSION.replace("3 * w0", "2 * w0")
STACKED = SUBMISSION.replace(
    "def forward(self, x1, x2, x3):\n", "def forward(self, X):\n        x1, x2, x3 = X\n"
)


def module(text: str = SUBMISSION) -> Any:
    """An instance of the class in a submission's text."""
    names: dict[str, Any] = {}
    exec(text, names)
    return names["Net"]().eval()


def dynamo(text: str = SUBMISSION, stacked: bool = False, **how: Any) -> bytes:
    """As `torch.onnx.export` does it by default: what depends on weights alone is folded."""
    how = {"input_names": None if stacked else list(INPUTS), "verbose": False} | how
    given = (torch.rand(3),) if stacked else tuple(torch.rand(3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = torch.onnx.export(module(text), how.pop("args", given), **how)
    assert made is not None
    return bytes(made.model_proto.SerializeToString())


def script(text: str = SUBMISSION, stacked: bool = False, **how: Any) -> bytes:
    """As the older exporter does it: the parameter `w` stands in the model."""
    how = {"input_names": None if stacked else list(INPUTS)} | how
    given = (torch.rand(3),) if stacked else tuple(torch.rand(3))
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(module(text), how.pop("args", given), file, dynamo=False, **how)
    return file.getvalue()


def graph(
    nodes: list[Any],
    held: list[Any] | None = None,
    inputs: tuple[str, ...] = INPUTS,
    output: str = "y",
    kind: int = F,
    domains: tuple[str, ...] = ("",),
    **how: Any,
) -> bytes:
    """A model of scalar inputs and one scalar output."""
    made = helper.make_graph(
        nodes,
        "by hand",
        [helper.make_tensor_value_info(name, kind, []) for name in inputs],
        [helper.make_tensor_value_info(output, kind, how.pop("shape", []))],
        held or [],
    )
    opsets = [helper.make_opsetid(domain, 1 if domain else 17) for domain in domains]
    return bytes(helper.make_model(made, opset_imports=opsets, ir_version=8).SerializeToString())


def changed(data: bytes, change: Callable[[onnx.ModelProto], object]) -> bytes:
    """A model after `change` was at it."""
    model = onnx.load_model_from_string(data)
    change(model)
    return bytes(model.SerializeToString())


SUM = [make_node("Add", ["x1", "x2"], ["a"]), make_node("Add", ["a", "x3"], ["s"])]
"""Uses all inputs, so that what comes after is what is looked at."""


def scalar(name: str, number: float) -> Any:
    return make_tensor(name, F, [], [number])


def endless() -> bytes:
    """A loop of 2**62 rounds."""
    body = helper.make_graph(
        [make_node("Identity", ["go"], ["go on"]), make_node("Identity", ["v"], ["v next"])],
        "body",
        [
            helper.make_tensor_value_info("i", TensorProto.INT64, []),
            helper.make_tensor_value_info("go", TensorProto.BOOL, []),
            helper.make_tensor_value_info("v", F, []),
        ],
        [
            helper.make_tensor_value_info("go on", TensorProto.BOOL, []),
            helper.make_tensor_value_info("v next", F, []),
        ],
    )
    rounds = make_tensor("rounds", TensorProto.INT64, [], [2**62])
    yes = make_tensor("yes", TensorProto.BOOL, [], [True])
    loop = make_node("Loop", ["rounds", "yes", "s"], ["y"], body=body)
    return graph([*SUM, loop], [rounds, yes])


def bomb(elements: int) -> bytes:
    """So many zeros, summed up into the result."""
    shape = make_tensor("shape", TensorProto.INT64, [1], [elements])
    return graph(
        [
            *SUM,
            make_node("ConstantOfShape", ["shape"], ["zeros"]),
            make_node("Exp", ["zeros"], ["ones"]),
            make_node("ReduceSum", ["ones"], ["b"], keepdims=0),
            make_node("Add", ["s", "b"], ["y"]),
        ],
        [shape],
    )


def nested(depth: int) -> bytes:
    """Graphs within graphs, deeper than protobuf reads, so written byte by byte."""

    def field(number: int, content: bytes) -> bytes:
        size, left = b"", len(content)
        while left > 127:
            size, left = size + bytes([left % 128 + 128]), left // 128
        return bytes([number * 8 + 2]) + size + bytes([left]) + content

    inner = b""
    for _ in range(depth):
        inner = field(1, field(5, field(6, inner)))  # graph: a node: an attribute: a graph
    return field(7, inner)


def external(location: str) -> bytes:
    """Its weights are said to lie in another file."""

    def move(model: onnx.ModelProto) -> None:
        tensor = model.graph.initializer[0]
        tensor.ClearField("raw_data")
        tensor.ClearField("float_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", "0"), ("length", "8")):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, value

    return changed(script(), move)


def renamed(data: bytes, names: dict[str, str]) -> bytes:
    """The model with other names for its inputs."""

    def rename(model: onnx.ModelProto) -> None:
        for value in model.graph.input:
            value.name = names.get(value.name, value.name)
        for node in model.graph.node:
            for place, name in enumerate(node.input):
                node.input[place] = names.get(name, name)

    return changed(data, rename)


def baked(data: bytes, name: str) -> bytes:
    """The model with one input turned into an initializer."""

    def bake(model: onnx.ModelProto) -> None:
        kept = [value for value in model.graph.input if value.name != name]
        del model.graph.input[:]
        model.graph.input.extend(kept)
        model.graph.initializer.append(scalar(name, 0.25))

    return changed(data, bake)
