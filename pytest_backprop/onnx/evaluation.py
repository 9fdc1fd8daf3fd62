"""Reads an ONNX model: is it valid, which of its tensors are the variant's inputs and weights.

The model is data of a student's, so this runs in a child; it runs nothing of the model. No torch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import onnx
from onnx import GraphProto, ModelProto, TensorProto, ValueInfoProto, external_data_helper
from onnx.numpy_helper import to_array

from ..messages import say
from .protocol import Evaluate, ModelProblem, printable

FLOATS: dict[int, str] = {TensorProto.FLOAT: "float32", TensorProto.DOUBLE: "float64"}
MAX_REASON = 200


class BadModel(Exception):
    """A model that cannot be run on the variant's points."""

    def __init__(self, kind: str, about: str = "", reason: str = "") -> None:
        super().__init__(reason)
        self.problem = ModelProblem(kind, printable(about, 80), printable(reason, MAX_REASON))


class Slot(NamedTuple):
    """A tensor to feed."""

    name: str
    shape: tuple[int, ...]
    dtype: str

    def filled(self, numbers: Sequence[float]) -> Any:
        """An array for it, row by row."""
        return np.array(numbers, dtype=self.dtype).reshape(self.shape)


class ModelReading(NamedTuple):
    """A valid model. Its `inputs` are the variant's, one each or one for all. `weights` are those
    that it has, None where they cannot be told; `fed` are the inputs that take them."""

    model: ModelProto
    inputs: tuple[Slot, ...]
    weights: tuple[float, ...] | None
    fed: dict[str, Any]
    output: str


def read_model(request: Evaluate) -> ModelReading:
    """Parses, checks and wires up a model. Raises BadModel."""
    try:
        model = onnx.load_model_from_string(request.model)
    except Exception as error:
        raise BadModel("invalid-model", reason=str(error) or type(error).__name__) from None
    try:
        external_data_helper.convert_model_from_external_data(model)
    except ValueError:  # the numbers of a tensor are not in the model
        entries = [entry for tensor in model.graph.initializer for entry in tensor.external_data]
        places = (entry.value for entry in entries if entry.key == "location")
        raise BadModel("external-data", next(places, "")) from None
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        raise BadModel("invalid-model", reason=str(error) or type(error).__name__) from None
    graph = model.graph
    if not graph.output:
        raise BadModel("wrong-output", reason=say("it has no output"))
    # old models list initializers as inputs too
    held = {tensor.name for tensor in graph.initializer}
    inputs = {value.name: value for value in graph.input if value.name not in held}
    weights, fed = _weights(graph, inputs, request)
    free = [value for name, value in inputs.items() if name not in fed]
    slots = _wire(free, request.input_names)
    return ModelReading(model, slots, weights, fed, graph.output[0].name)


def _weights(
    graph: GraphProto, inputs: dict[str, ValueInfoProto], request: Evaluate
) -> tuple[tuple[float, ...] | None, dict[str, Any]]:
    """The weights that stand in the model, None if they cannot be told; and what feeds them where
    they are inputs. They go by the names in the module, by their own, or are one tensor `w`."""
    names = request.weight_names
    held = {tensor.name: tensor for tensor in graph.initializer if tensor.data_type in FLOATS}
    own = [(name, 0) for name in names], [("w", index) for index in range(len(names))]
    for way in (request.weight_labels, *own):
        tensors: dict[str, dict[int, int]] = {}
        for weight, (name, element) in enumerate(way):
            tensors.setdefault(name, {})[element] = weight
        weights, fed = dict[int, float](), dict[str, Any]()
        for name, elements in tensors.items():
            order = [elements[place] for place in sorted(elements)]
            slot = _slot(inputs[name], len(order)) if name in inputs else None
            if slot is not None:
                fed[name] = slot.filled([request.weights[weight] for weight in order])
                weights |= {weight: request.weights[weight] for weight in order}
            elif name in held and math.prod(held[name].dims) == len(order):
                weights |= zip(order, map(float, to_array(held[name]).reshape(-1)), strict=True)
        if len(weights) == len(way) == len(names):
            return tuple(weights[weight] for weight in range(len(names))), fed
    return None, {}


def _wire(free: list[ValueInfoProto], names: Sequence[str]) -> tuple[Slot, ...]:
    """Which inputs are the variant's: one each, by name or else in order, or one tensor of all."""
    by_name = {value.name: value for value in free}
    if len(free) == len(names):
        ordered = [by_name[name] for name in names] if set(by_name) == set(names) else free
        return tuple(_input(value, 1) for value in ordered)
    if len(free) == 1 and _slot(free[0], len(names)) is not None:
        return (_input(free[0], len(names)),)
    shown = ", ".join(by_name) or say("none")
    if len(free) > len(names):
        raise BadModel("wrong-inputs", reason=f"{len(free)} ({shown})")
    missing = [name for name in names if name not in by_name]
    if not set(by_name) <= set(names):
        missing = list(names)
    raise BadModel("baked-in-input", ", ".join(missing), shown)


def _input(value: ValueInfoProto, size: int) -> Slot:
    kind = value.type.tensor_type
    if kind.elem_type not in FLOATS:
        raise BadModel("wrong-inputs", value.name, TensorProto.DataType.Name(kind.elem_type))
    slot = _slot(value, size)
    if slot is None:
        sizes = ", ".join(d.dim_param or str(d.dim_value) for d in kind.shape.dim)
        raise BadModel("wrong-inputs", value.name, say("shape {shape}", shape=f"[{sizes}]"))
    return slot


def _slot(value: ValueInfoProto, size: int) -> Slot | None:
    """An input as a tensor of so many elements; None where it takes none of that size. Of its open
    sizes the last takes all: the first is a batch."""
    kind = value.type.tensor_type
    shape = (size,) if size > 1 else ()
    if kind.HasField("shape"):
        sizes = [d.dim_value if d.HasField("dim_value") else -1 for d in kind.shape.dim]
        for place in [place for place, each in enumerate(sizes) if each == -1][:-1]:
            sizes[place] = 1
        try:
            shape = np.empty(size).reshape(sizes).shape
        except ValueError:
            return None
    return Slot(value.name, shape, FLOATS[kind.elem_type]) if kind.elem_type in FLOATS else None
