"""Reads an ONNX model: is it valid, which of its tensors are the variant's inputs and weights.

The model is data of a student's, so this runs in a child; it runs nothing of the model. No torch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import onnx
from onnx import AttributeProto, GraphProto, ModelProto, NodeProto, TensorProto, numpy_helper

from ..messages import say
from .protocol import ModelProblem, printable

FLOATS: dict[int, str] = {TensorProto.FLOAT: "float32", TensorProto.DOUBLE: "float64"}
WHOLE_NAMES = ("w", "weights", "weight")
"""What one tensor of all weights is called, where the module does not say."""
MAX_REASON = 200
MAX_NUMBERS = 200
MAX_ELEMENTS = 64
"""Elements of the largest constant whose numbers are looked at."""


class BadModel(Exception):
    """A model that cannot be run on the variant's points."""

    def __init__(self, kind: str, about: str = "", reason: str = "") -> None:
        super().__init__(reason)
        self.problem = ModelProblem(kind, printable(about, 80), printable(reason, MAX_REASON))


class Slot(NamedTuple):
    """A tensor to feed: its name, shape and dtype, and for each element, row by row, which weight
    or input it is: `("w", 0)`, `("x", 2)`."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    elements: tuple[tuple[str, int], ...]


class ModelReading(NamedTuple):
    """A valid model. `inputs` feed its inputs, `weights` its weights: these are inputs too, or
    initializers (`weights_given` False), or not to be told (empty)."""

    model: ModelProto
    inputs: tuple[Slot, ...]
    weights: tuple[Slot, ...]
    weights_given: bool
    output: str


def read_model(
    data: bytes,
    weight_names: Sequence[str],
    input_names: Sequence[str],
    weight_labels: Sequence[tuple[str, int]],
) -> ModelReading:
    """Parses, checks and wires up a model. Raises BadModel."""
    try:
        model = onnx.load_model_from_string(data)
    except Exception as error:
        raise BadModel("invalid-model", reason=str(error) or type(error).__name__) from None
    for tensor in _tensors(model):
        if tensor.data_location == TensorProto.EXTERNAL:
            place = {entry.key: entry.value for entry in tensor.external_data}
            raise BadModel("external-data", place.get("location", ""))
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:
        raise BadModel("invalid-model", reason=str(error) or type(error).__name__) from None
    if not model.graph.output:
        raise BadModel("wrong-output", reason=say("it has no output"))
    given = _inputs(model.graph)
    weights, weights_given = _weights(model.graph, given, weight_names, weight_labels)
    fed = {slot.name for slot in weights}
    free = [value for name, value in given.items() if name not in fed]
    inputs = _wire(free, input_names)
    output = model.graph.output[0].name
    reached = _reaching(model.graph, output)
    unused = [
        slot.name if len(slot.elements) > 1 else input_names[slot.elements[0][1]]
        for slot in inputs
        if slot.name not in reached
    ]
    if unused:
        raise BadModel("unused-input", ", ".join(unused))
    return ModelReading(model, inputs, weights, weights_given, output)


def with_weights_given(reading: ModelReading) -> ModelProto:
    """A copy of the model in which the weights are inputs and no initializers."""
    model = ModelProto()
    model.CopyFrom(reading.model)
    wanted = {slot.name for slot in reading.weights}
    declared = {value.name for value in model.graph.input}
    kept = [tensor for tensor in model.graph.initializer if tensor.name not in wanted]
    for tensor in model.graph.initializer:
        if tensor.name in wanted - declared:
            made = onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            model.graph.input.append(made)
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    return model


def own_weights(reading: ModelReading, count: int) -> tuple[float, ...] | None:
    """The weights that stand in the model as initializers."""
    if reading.weights_given or not reading.weights:
        return None
    found = [math.nan] * count
    held = {tensor.name: tensor for tensor in reading.model.graph.initializer}
    for slot in reading.weights:
        flat = numpy_helper.to_array(held[slot.name]).reshape(-1).tolist()
        for (_, index), number in zip(slot.elements, flat, strict=True):
            found[index] = float(number)
    return tuple(found)


def numbers_of(reading: ModelReading) -> tuple[float, ...]:
    """The finite numbers in the small constants of a floating-point type, each once, without those
    that are known to be weights."""
    found: dict[float, None] = {}
    known = {slot.name for slot in reading.weights}
    for tensor in _tensors(reading.model):
        if tensor.name in known:
            continue
        if tensor.data_type in FLOATS and math.prod(tensor.dims) <= MAX_ELEMENTS:
            flat = numpy_helper.to_array(tensor).reshape(-1).tolist()
            found.update((float(n), None) for n in flat if math.isfinite(n))
        if len(found) > MAX_NUMBERS:
            break
    return tuple(found)[:MAX_NUMBERS]


# -- inputs and weights ---------------------------------------------------------------------


def _inputs(graph: GraphProto) -> dict[str, onnx.ValueInfoProto]:
    """What must be fed: old models list initializers as inputs too."""
    held = {tensor.name for tensor in graph.initializer}
    return {value.name: value for value in graph.input if value.name not in held}


def _weights(
    graph: GraphProto,
    given: dict[str, onnx.ValueInfoProto],
    names: Sequence[str],
    labels: Sequence[tuple[str, int]],
) -> tuple[tuple[Slot, ...], bool]:
    """Where the weights are, by the names in the module, by their own, or in one tensor `w`."""
    held: dict[str, tuple[tuple[int, ...], str]] = {}
    for tensor in graph.initializer:
        if tensor.data_type in FLOATS:
            held[tensor.name] = (tuple(tensor.dims), FLOATS[tensor.data_type])
    for name, value in given.items():
        kind = value.type.tensor_type
        shape = _shape(value, None)
        if kind.elem_type in FLOATS and shape is not None:
            held[name] = (shape, FLOATS[kind.elem_type])
    ways = [list(labels), [(name, 0) for name in names]]
    ways += [[(whole, index) for index in range(len(names))] for whole in WHOLE_NAMES]
    for way in ways:
        slots = _slots(way, held) if len(way) == len(names) else None
        if slots:
            inside = {slot.name in given for slot in slots}
            if len(inside) == 1:  # not half of them inputs
                return slots, inside.pop()
    return (), False


def _slots(
    way: list[tuple[str, int]], held: dict[str, tuple[tuple[int, ...], str]]
) -> tuple[Slot, ...] | None:
    """The tensors of one way to label the weights; None if the model does not have all of them."""
    by_name: dict[str, dict[int, int]] = {}
    for weight, (name, element) in enumerate(way):
        by_name.setdefault(name, {})[element] = weight
    slots = []
    for name, elements in by_name.items():
        if name not in held or sorted(elements) != list(range(math.prod(held[name][0]))):
            return None
        order = tuple(("w", elements[place]) for place in range(len(elements)))
        slots.append(Slot(name, *held[name], order))
    return tuple(slots)


def _wire(free: list[onnx.ValueInfoProto], names: Sequence[str]) -> tuple[Slot, ...]:
    """Which inputs are the variant's: one each, by name or else in order, or one tensor of all."""
    by_name = {value.name: value for value in free}
    if len(free) == len(names):
        ordered = [by_name[n] for n in names] if set(by_name) == set(names) else free
        return tuple(_slot(value, (("x", i),)) for i, value in enumerate(ordered))
    if len(free) == 1 and (len(names) == 1 or _shape(free[0], len(names)) is not None):
        return (_slot(free[0], tuple(("x", i) for i in range(len(names)))),)
    shown = ", ".join(by_name) or say("none")
    if len(free) < len(names):
        missing = (
            names if not set(by_name) <= set(names) else [n for n in names if n not in by_name]
        )
        raise BadModel("baked-in-input", ", ".join(missing), shown)
    raise BadModel("wrong-inputs", reason=f"{len(free)} ({shown})")


def _slot(value: onnx.ValueInfoProto, elements: tuple[tuple[str, int], ...]) -> Slot:
    kind = value.type.tensor_type
    if not value.type.HasField("tensor_type"):
        raise BadModel("wrong-inputs", value.name, say("it is not a tensor"))
    if kind.elem_type not in FLOATS:
        raise BadModel("wrong-dtype", value.name, TensorProto.DataType.Name(kind.elem_type).lower())
    shape = _shape(value, len(elements))
    if shape is None:
        sizes = ", ".join(d.dim_param or str(d.dim_value) for d in kind.shape.dim)
        raise BadModel("wrong-inputs", value.name, say("shape {shape}", shape=f"[{sizes}]"))
    return Slot(value.name, shape, FLOATS[kind.elem_type], elements)


def _shape(value: onnx.ValueInfoProto, count: int | None) -> tuple[int, ...] | None:
    """A shape of `count` elements that the input takes, None if there is none; any number of
    elements, all sizes known, when `count` is None."""
    kind = value.type.tensor_type
    if not kind.HasField("shape"):
        return None if count is None else () if count == 1 else (count,)
    sizes = [d.dim_value if d.HasField("dim_value") else None for d in kind.shape.dim]
    known = math.prod(size for size in sizes if size is not None)
    if count is None:
        return None if None in sizes else tuple(size or 0 for size in sizes)
    if known == 0 or count % known:
        return None
    left = count // known
    shape = []
    for size in reversed(sizes):  # the last open size takes it all: the first is a batch
        shape.append(left if size is None else size)
        left = 1 if size is None else left
    return tuple(reversed(shape)) if left == 1 else None


# -- the graph ------------------------------------------------------------------------------


def _reaching(graph: GraphProto, output: str) -> set[str]:
    """Names of all values that `output` depends on."""
    makers = {name: node for node in graph.node for name in node.output if name}
    seen: set[str] = set()
    todo = [output]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in makers:
            todo += _reads(makers[name])
    return seen


def _reads(node: NodeProto) -> list[str]:
    """The values a node reads, also in its bodies, which see those around them."""
    return [
        *node.input,
        *(
            name
            for graph in _graphs(node.attribute)
            for name in [
                *(name for inner in graph.node for name in _reads(inner)),
                *(value.name for value in graph.output),
            ]
        ),
    ]


def _graphs(attributes: Iterable[AttributeProto]) -> Iterator[GraphProto]:
    for attribute in attributes:
        if attribute.HasField("g"):
            yield attribute.g
        yield from attribute.graphs


def _tensors(model: ModelProto) -> Iterator[TensorProto]:
    """Every tensor in the model, wherever it hides."""
    yield from _tensors_in(model.graph)
    for function in model.functions:
        yield from _tensors_of(function.node)


def _tensors_in(graph: GraphProto) -> Iterator[TensorProto]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    yield from _tensors_of(graph.node)


def _tensors_of(nodes: Iterable[Any]) -> Iterator[TensorProto]:
    for node in nodes:
        for attribute in node.attribute:
            if attribute.HasField("t"):
                yield attribute.t
            yield from attribute.tensors
            if attribute.HasField("sparse_tensor"):
                yield from (attribute.sparse_tensor.values, attribute.sparse_tensor.indices)
        for graph in _graphs(node.attribute):
            yield from _tensors_in(graph)
