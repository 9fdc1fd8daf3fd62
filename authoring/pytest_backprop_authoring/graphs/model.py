"""A variant as an ONNX model, as a student's export of it would be, and easier to read."""

from __future__ import annotations

import onnx
from onnx import TensorProto, helper

from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.exercises.functions.bank.program import Step

OPSET = 17
"""Has all that variants need, and is read by every version of Netron and onnx in use."""
IR_VERSION = 8

OPS = {"add": "Add", "sub": "Sub", "mul": "Mul", "div": "Div", "pow": "Pow", "neg": "Neg",
       "pos": "Identity"}  # fmt: skip
FUNCTIONS = {
    name: name.capitalize()
    for name in ("abs", "cos", "exp", "log", "max", "min", "relu", "sigmoid", "sin", "sqrt", "tan",
                 "tanh")
}  # fmt: skip


def model_of(variant: Variant) -> onnx.ModelProto:
    """The forward graph: float32 scalars in and out, the weights together in the initializer `w`.

    The weights are 0.5, 0.6, ...: any will do, the graph is what counts.
    """
    names = value_names(variant)
    used = {operand for step in variant.program for operand in step.operands}
    count = len(variant.weights)
    numbers = [0.5 + 0.1 * index for index in range(count)]
    held = [helper.make_tensor("w", TensorProto.FLOAT, [count], numbers)]
    nodes = []
    for index, name in enumerate(variant.weights):
        place = f"{name}.index"
        held.append(helper.make_tensor(place, TensorProto.INT64, [], [index]))
        nodes.append(helper.make_node("Gather", ["w", place], [name], f"{name} = w[{index}]"))
    seen: set[str] = set()
    for position, (step, name) in enumerate(zip(variant.program, names, strict=True)):
        if is_node(step):
            op = FUNCTIONS[step.name] if step.code == "call" else OPS[step.code]
            operands = [names[operand] for operand in step.operands]
            nodes.append(helper.make_node(op, operands, [name], f"{name} (line {step.line})"))
        elif step.value is not None and position in used and name not in seen:
            seen.add(name)
            held.append(helper.make_tensor(name, TensorProto.FLOAT, [], [float(step.value)]))
    graph = helper.make_graph(
        nodes,
        variant.name,
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, []) for name in variant.inputs],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [])],
        held,
        doc_string=variant.source,
    )
    made = helper.make_model(
        graph,
        producer_name="pytest-backprop",
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=IR_VERSION,
    )
    onnx.checker.check_model(made, full_check=True)
    return made


def value_names(variant: Variant) -> list[str]:
    """A name for each step: of a load its own, of a number the number, of a node t1, t2, ... in
    order of execution, and y for the last."""
    names: list[str] = []
    count = 0
    last = len(variant.program) - 1
    for position, step in enumerate(variant.program):
        if step.code == "load":
            names.append(step.name)
        elif step.value is not None:
            names.append(f"{step.value:g}" if isinstance(step.value, float) else str(step.value))
        elif position == last:
            names.append("y")
        else:
            count += 1
            names.append(f"t{count}")
    return names


def is_node(step: Step) -> bool:
    """Whether a step calculates, and is no load and no number."""
    return step.code != "load" and step.value is None
