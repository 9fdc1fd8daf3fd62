"""Evaluates ONNX models in children that run no student code. No torch.

A model may ask for terabytes or loop for ever: the child's limits, and the grader that watches it,
end that."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import onnx.parser
from msgspec.msgpack import Decoder
from onnx.reference import ReferenceEvaluator

from ..messages import say
from ..processes.limits import hide_modules
from ..processes.protocol import Broke, Limits
from ..processes.serving import server
from .evaluation import BadModel, ModelReading, read_model
from .protocol import EVALUATION, Evaluate, Evaluated, ModelProblem, printable

MAX_OPS = 1000
"""Types of nodes that are told."""


def main(descriptor: int) -> None:
    """Serves requests that come on a descriptor."""
    warm_up()
    serving = server(descriptor, EVALUATION, Decoder(Evaluate), answer)
    hide_modules()
    serving.serve()


def answer(request: Evaluate) -> Evaluated | Broke:
    """What the model gives on the request's points."""
    try:
        reading = read_model(request)
        values = _run(reading, request.inputs)
        ops = tuple(printable(node.op_type, 40) for node in reading.model.graph.node[:MAX_OPS])
        return Evaluated(None, values, reading.weights, ops)
    except BadModel as bad:
        return Evaluated(bad.problem)
    except MemoryError:
        return Evaluated(ModelProblem("cannot-run", "", "MemoryError"))
    except Exception as error:
        return Broke(f"{type(error).__name__}: {error!a}"[:2_000])


def _run(reading: ModelReading, inputs: tuple[tuple[float, ...], ...]) -> tuple[float, ...]:
    """The model's value on each point. Raises BadModel if it does not run or gives no number."""
    values = []
    try:
        with np.errstate(all="ignore"):
            evaluator = ReferenceEvaluator(reading.model)
            for row in inputs:
                size = len(row) // max(1, len(reading.inputs))
                feeds = {
                    slot.name: slot.filled(row[place * size : (place + 1) * size])
                    for place, slot in enumerate(reading.inputs)
                }
                results: Any = evaluator.run([reading.output], feeds | reading.fed)
                values.append(_number(results[0]))
    except (BadModel, MemoryError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise BadModel("cannot-run", reason=reason) from None
    return tuple(values)


def _number(value: Any) -> float:
    value = np.asarray(value)
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
    request = Evaluate(data, ("w0",), ("x1", "x2"), (), (0.3,), ((1.0, 2.0),), Limits(1, 0))
    answered = answer(request)
    if not isinstance(answered, Evaluated) or answered.values != (0.25,):
        raise RuntimeError(f"the warm-up model failed: {answered}")
