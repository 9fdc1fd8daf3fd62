"""Evaluates ONNX models in children that run no student code. No torch.

A model may ask for terabytes or loop for ever: the child's limits, and the grader that watches it,
end that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import onnx.parser
from msgspec.msgpack import Decoder
from onnx.reference import ReferenceEvaluator

from ..messages import say
from ..processes import sandbox
from ..processes.protocol import Broke, Limits
from ..processes.seal import hide_modules
from ..processes.zygote import ForkServer
from .evaluation import (
    BadModel,
    ModelReading,
    Slot,
    numbers_of,
    own_weights,
    read_model,
    with_weights_given,
)
from .protocol import Evaluate, Evaluated, ModelProblem, printable

MAX_OPS = 1000
"""Types of nodes that are told."""


def main(link_fd: int) -> None:
    """Serves requests on the socket `link_fd` until its other end is closed."""
    sandbox.adopt()
    warm_up()
    server = ForkServer(link_fd, Decoder(Evaluate), answer)
    hide_modules()
    server.serve()


def answer(request: Evaluate) -> Evaluated | Broke:
    """What the model gives on the request's points."""
    try:
        return _evaluated(request)
    except BadModel as bad:
        return Evaluated(bad.problem)
    except MemoryError:
        return Evaluated(ModelProblem("cannot-run", "", "MemoryError"))
    except Exception as error:
        return Broke(f"{type(error).__name__}: {error!a}"[:2_000])


def _evaluated(request: Evaluate) -> Evaluated:
    reading = read_model(
        request.model, request.weight_names, request.input_names, request.weight_labels
    )
    values = own_values = None
    no_weights = [()] * len(request.own_inputs)
    if not reading.weights_given:
        own_values = _run(reading, False, no_weights, request.own_inputs)
    if reading.weights:
        values = _run(reading, True, request.weights, request.inputs)
    return Evaluated(
        None,
        values,
        own_values,
        own_weights(reading, len(request.weight_names)),
        numbers_of(reading),
        tuple(printable(node.op_type, 40) for node in reading.model.graph.node[:MAX_OPS]),
    )


def _run(
    reading: ModelReading,
    replaced: bool,
    weights: Sequence[Sequence[float]],
    inputs: Sequence[Sequence[float]],
) -> tuple[float, ...]:
    """The model's value on each point. Raises BadModel if it does not run or gives no number."""
    slots = (*reading.inputs, *reading.weights) if replaced else reading.inputs
    model = with_weights_given(reading) if replaced else reading.model
    values = []
    try:
        with np.errstate(all="ignore"):
            evaluator = ReferenceEvaluator(model)
            for w, x in zip(weights, inputs, strict=True):
                feeds = {slot.name: _tensor(slot, w, x) for slot in slots}
                results: Any = evaluator.run([reading.output], feeds)
                values.append(_number(results[0]))
    except (BadModel, MemoryError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise BadModel("cannot-run", reason=reason) from None
    return tuple(values)


def _tensor(slot: Slot, weights: Sequence[float], inputs: Sequence[float]) -> Any:
    numbers = [(weights if kind == "w" else inputs)[index] for kind, index in slot.elements]
    return np.array(numbers, dtype=slot.dtype).reshape(slot.shape)


def _number(value: Any) -> float:
    if not isinstance(value, np.ndarray | np.generic):
        raise BadModel("wrong-output", reason=type(value).__name__)
    if value.dtype not in (np.float32, np.float64):
        raise BadModel("wrong-output", reason=str(value.dtype))
    if value.size != 1:
        raise BadModel("wrong-output", reason=say("shape {shape}", shape=list(value.shape)))
    number = float(value.reshape(-1)[0])
    return number if math.isfinite(number) else math.nan


WARM_UP = """
<ir_version: 8, opset_import: ["": 17]>
warm (float x1, float x2) => (float y) <float w0 = {0.5}> {
    two = Constant <value: tensor = float {2.0}> ()
    a = Pow (x1, two)
    b = Mul (a, w0)
    y = Div (b, x2)
}
"""


def warm_up() -> None:
    """Evaluates a small model, so that children find onnx's parts loaded."""
    data = onnx.parser.parse_model(WARM_UP).SerializeToString()
    row = ((1.0, 2.0),)
    request = Evaluate(data, ("w0",), ("x1", "x2"), (), ((1.0,),), row, row, Limits(1, 0))
    answered = answer(request)
    if not isinstance(answered, Evaluated) or answered.values != (0.5,):
        raise RuntimeError(f"the warm-up model failed: {answered}")
