"""The student's side: loads one submission, runs it on the points, and tells what it saw.

Everything here happens in a forked process that belongs to one submission. What it says is
evidence, not a verdict.
"""

from __future__ import annotations

import functools
import random
from typing import Any, NamedTuple

import torch
from msgspec.structs import replace

from ..errors import SubmissionProblem
from ..messages import say
from ..model import Breach, Evidence, Recording, Span, Unit
from ..submission import Slice, Statements
from ..trace.codes import Codes
from ..trace.load_watch import watched
from ..trace.watch import stand_guard
from .adapt import Caller, Weights, find_weights, needed_arguments
from .adapt_tensors import TensorCaller, find_tensors
from .loading import load_model
from .passes import Runner, fault_of
from .protocol import Answer, Broke, Limits, LoadProblem, Ran, Request, Weighed
from .seal import Seal
from .vectors import run_on_vectors, stopper

_seal: Seal | None = None
"""Made by `warm_up`, when all of our code that a child runs is there."""


def answer(request: Request) -> Answer:
    """What the submission did on the request's points."""
    return _told_on(_answer(request))


def _answer(request: Request) -> Answer:
    try:
        return _weighed(request) if request.vector else Ran(_evidence(request))
    except SubmissionProblem as problem:
        return LoadProblem(problem.kind, problem.message, problem.way_out, problem.span)
    except MemoryError:
        raise
    except Exception as error:
        return Broke(f"{type(error).__name__}: {error}"[:2_000])


def _told_on(reply: Answer) -> Answer:
    """The answer, with a breach if the submission replaced code of ours."""
    changed = None if _seal is None else _seal.broken()
    if changed is None:
        return reply
    what = say("it replaces the grader's own {name}", name=changed)
    if isinstance(reply, Weighed):
        return Weighed(what)
    if not isinstance(reply, Ran) or not reply.evidence.pass_recordings:
        return reply
    breach = Breach("tampering", what, None)
    recordings = _with_breaches(reply.evidence.pass_recordings, (breach,))
    return Ran(replace(reply.evidence, pass_recordings=recordings))


def _with_breaches(
    recordings: tuple[Recording, ...], breaches: tuple[Breach, ...]
) -> tuple[Recording, ...]:
    """The recordings of a pass with what was seen outside of its runs, told with the first."""
    if not recordings or not breaches:
        return recordings
    first, *others = recordings
    return (replace(first, breaches=(*breaches, *first.breaches)), *others)


class _Loaded(NamedTuple):
    """A submission's model with its two methods, ready to be called."""

    model: Any
    cls: type
    chosen: Slice
    found: Weights
    forward: Caller
    manual: Caller
    notes: list[str]
    codes: Codes
    breaches: tuple[Breach, ...]


def _load(request: Request) -> _Loaded:
    torch.manual_seed(0)
    random.seed(0)
    chosen, cls, model, notes, codes, breaches = load_model(
        request.units,
        request.class_name,
        request.weight_names,
        request.weights[0],
        loops=not request.vector,
        pass_names=request.pass_names,
    )
    # what a model answers about its weights is the student's code, too
    leaves = request.leaves
    found, more = watched(
        lambda: (
            find_tensors(model, leaves) if leaves else find_weights(model, request.weight_names)
        ),
        codes,
    )
    breaches += more
    notes += found.notes
    callers = []
    for method, shown in ((model, "forward"), (getattr(model, chosen.pass_name), "")):
        target: Any = model.forward if shown else method
        name = shown or chosen.pass_name
        caller = (
            TensorCaller(target, name, leaves)
            if leaves
            else Caller(target, name, request.weight_names, request.input_names)
        )
        if shown and callable(model):
            caller.method = model  # through __call__, as the assignment does
        callers.append(caller)
        notes += caller.notes
    forward, manual = callers
    return _Loaded(model, cls, chosen, found, forward, manual, notes, codes, breaches)


def _weighed(request: Request) -> Weighed:
    stop = stopper(request.stops)
    loaded = _load(request)
    try:
        ops = run_on_vectors(loaded.model, loaded.manual, loaded.found.slots, request.weights[0],
                             request.inputs[0], request.vector, stop)  # fmt: skip
    except BaseException as error:
        fault = fault_of(error)
        return Weighed(f"{fault.kind}: {fault.message}")
    return Weighed(ops=ops)


def _evidence(request: Request) -> Evidence:
    _, cls, chosen, found, forward, manual, notes, codes, breaches = _load(request)

    @functools.cache
    def statements(unit: int) -> Statements:
        return Statements(request.units[unit], unit)

    def statement_at(unit: int, line: int, column: int) -> Span | None:
        found = statements(unit).at(line, column)
        return None if found is None else found.span

    def name_of(span: Span) -> str | None:
        return statements(span.unit).target_name(span)

    forward_code = getattr(getattr(cls, "forward", None), "__code__", None)
    runner = Runner(found.slots, request.weight_names, statement_at, name_of, forward_code, codes)
    # the pass first, on a fresh model: it may not lean on what forward leaves behind
    passes, pass_recordings = runner.runs(
        manual, request.weights, request.inputs, request.recorded, True
    )
    forwards, forward_recordings = runner.runs(
        forward, request.weights, request.inputs, request.recorded, False
    )
    pass_recordings = _with_breaches(pass_recordings, breaches)
    return Evidence(
        chosen.class_name,
        chosen.pass_name,
        str(found.slots[0][0].dtype).removeprefix("torch."),
        forwards,
        passes,
        forward_recordings,
        pass_recordings,
        tuple(dict.fromkeys([*notes, *runner.notes])),
        tuple(runner.mutations),
        tuple(runner.gradient_problems),
        chosen.forward,
        chosen.manual_pass,
        found.piece_shape,
        tuple(found.labels),
        manual.way,
        forward.way,
        runner.returned_gradients,
        needed_arguments(cls),
    )


WARM_UP = """
import torch
from torch import nn
class Warm(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.95, 0.288], dtype=torch.float32))
    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        w0 = self.w[0]
        return (x1 * w0 + 2 * x2 - w1 / x3) ** 2 - 1.0 / (w1 - 3)
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w[0], self.w[1]
        for factor in (1.0, 2.0):
            t = (x1 * w0 + 2 * x2 - w1 / x3) ** 2 * factor
        g = -t + 1 - t * t / 2.0 + 3.0 * w0
        t = torch.ones_like(t)
        self.w.grad = torch.tensor([g, t])
        self.w.grad = torch.stack([g, t])
        return t
"""


def warm_up() -> None:
    """Runs a small pass in this process, so that children find torch's ops looked up."""
    stand_guard()
    points = ((0.3, 0.7), (0.2, 0.4))
    inputs = ((0.3, 0.7, 0.2), (0.2, 0.4, 0.9))
    request = Request((Unit(WARM_UP, None, WARM_UP),), None, ("w0", "w1"), ("x1", "x2", "x3"),
                      points, inputs, 1, Limits(1, 0))  # fmt: skip
    ran = answer(request)
    if not isinstance(ran, Ran) or ran.evidence.pass_runs[0].fault is not None:
        raise RuntimeError(f"the warm-up pass failed: {ran}")
    global _seal
    _seal = Seal()
