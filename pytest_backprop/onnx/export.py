"""Exports a submission's `forward` through torch.onnx: student code runs here, in a child.

torch.onnx and what it needs take seconds to import, so they are imported once, by a zygote that is
started only when a submission comes without a model."""

from __future__ import annotations

import logging
import random
import warnings

import torch
from msgspec.msgpack import Decoder

from ..errors import SubmissionProblem
from ..exercises.adapt import Caller
from ..exercises.base import Source
from ..exercises.modules import load_model
from ..messages import say, say_count
from ..model import Fault, Unit, scalars
from ..processes.limits import hide_modules
from ..processes.protocol import Broke, Limits, LoadProblem
from ..processes.serving import server
from ..submission import fault_of
from .protocol import EXPORT, MAX_MODEL, Export, Exported


def main(descriptor: int) -> None:
    """Serves requests that come on a descriptor."""
    torch.set_num_threads(1)
    logging.disable(logging.CRITICAL)  # torch.onnx tells about packages that nobody needs
    warm_up()
    serving = server(descriptor, EXPORT, Decoder(Export), answer)
    hide_modules()
    serving.serve()


def answer(request: Export) -> Exported | LoadProblem | Broke:
    """The exported model, or why `forward` cannot be exported."""
    try:
        return Exported(_exported(request))
    except SubmissionProblem as problem:
        return LoadProblem(problem.kind, problem.message, problem.way_out, problem.span)
    except MemoryError:
        raise
    except Exception as error:
        return Broke(f"{type(error).__name__}: {error!a}"[:2_000])


def _exported(request: Export) -> bytes:
    torch.manual_seed(0)
    random.seed(0)
    names = [leaf.name for leaf in request.leaves if leaf.kind == "input"]
    loaded = load_model(Source(request.units, request.class_name, request.pass_names, False))
    model = loaded.built
    if not isinstance(model, torch.nn.Module):
        name = loaded.cls.__name__
        raise SubmissionProblem("not-a-module", say("{name} is not an `nn.Module`", name=name))
    caller = Caller(model.forward, "forward", request.leaves)
    if caller.way == "named":
        raise SubmissionProblem("signature", say("forward takes the weights as arguments"))
    arguments = tuple(caller.arguments(request.point))
    model.eval()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # not optimized: that would fold what depends on the weights alone into constants
            program = torch.onnx.export(
                model,
                arguments,
                input_names=names if len(arguments) == len(names) else None,
                dynamo=True,
                optimize=False,
                verbose=False,
            )
            if program is None:
                raise RuntimeError("torch.onnx.export returned nothing")
            data: bytes = program.model_proto.SerializeToString()
    except BaseException as error:
        fault = _innermost(error)
        message = f"{fault.kind}: {fault.message}"
        raise SubmissionProblem("cannot-export", message, "", fault.site) from None
    if len(data) > MAX_MODEL:
        message = say_count("the model has {count} byte", "the model has {count} bytes", len(data))
        raise SubmissionProblem("cannot-export", message)
    return data


def _innermost(error: BaseException) -> Fault:
    """The first cause of an error, with its first line of text and the student's line."""
    fault = fault_of(error)
    cause: BaseException | None = error
    for _ in range(20):  # a student's exceptions may go round in circles
        cause = cause.__cause__ if cause is not None else None
        if cause is None:
            break
        inner = fault_of(cause)
        lines = inner.message.strip().splitlines()
        fault = Fault(inner.kind, lines[0] if lines else "", inner.site or fault.site)
    return fault


WARM_UP = """
import torch
from torch import nn
class Warm(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.95, 0.288]))
    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        w0 = self.w[0]
        a = (x1 * w0 + 2 * x2 - w1 / x3) ** 2 - 1.0 / (w1 - 3)
        b = torch.exp(-a) + torch.log(a * a + 1) + torch.sqrt(a * a) + torch.sigmoid(a)
        c = torch.sin(a) + torch.cos(a) + torch.tanh(b) + torch.relu(b) + torch.abs(a)
        return a + b + torch.maximum(c, a) + torch.minimum(b, c)
    def my_forward_backward(self, x1, x2, x3):
        return x1
"""


def warm_up() -> None:
    """Exports a small module, so that children find torch.onnx imported and its parts looked up."""
    unit, passes = Unit(WARM_UP, None, WARM_UP), ("my_forward_backward",)
    leaves = scalars(("w0", "w1"), ("x1", "x2", "x3"))
    point = (0.5, 0.25, 0.3, 0.7, 0.2)
    answered = answer(Export((unit,), None, leaves, point, Limits(1, 0), passes))
    if not isinstance(answered, Exported):
        raise RuntimeError(f"the warm-up export failed: {answered}")
