"""The student's side: loads one submission, runs it on the points, answers once, exits.

Everything here happens in a forked process that belongs to one submission. What it says is
evidence, not a verdict.
"""

from __future__ import annotations

import functools
import os
import random
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import msgspec
import torch
from msgspec import to_builtins
from msgspec.structs import replace

from ..errors import SubmissionProblem
from ..model import Breach, Evidence, Span, Unit
from ..submission import Statements, load, slice_model
from ..trace.stack import LOOP_MARK, loop_mark, mark_loops
from . import sandbox
from .adapt import Caller, build_model, find_weights
from .passes import Runner, fault_of
from .protocol import Answer, Broke, Limits, Problem, Ran, Request
from .seal import Seal, hide_modules

EXIT_BROKE = 70
"""Exit status of a child that died in our own code."""

ADDRESS_SPACE_FACTOR = 4
"""Address space a child may reserve, as a multiple of its memory limit: a backstop only."""


def main(request: bytes, answer_fd: int, output_fd: int, reserved: int, level: str) -> NoReturn:
    """Runs the request in this process, writes one framed answer to `answer_fd`, and exits.

    `reserved` is the address space in bytes that the process had before, `level` the sandbox that
    it must reach: with less, nothing of the student's runs.
    """
    sandbox.leave_group()
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(output_fd, 1)
    os.dup2(output_fd, 2)
    for fd in (null, output_fd):
        if fd > 2:
            os.close(fd)
    asked = msgspec.msgpack.decode(request, type=Request)
    missing = ""
    if asked.limits.sandbox:
        reached = " + ".join([*sandbox.confine(), "limits"])
        if reached != level:
            missing = f"the sandbox reached {reached!r}, not {level!r}"
        address_space = reserved + ADDRESS_SPACE_FACTOR * asked.limits.memory
        sandbox.limit(asked.limits.seconds, address_space)
    sandbox.close_descriptors(keep=answer_fd)
    hide_modules()
    encode, write = msgspec.msgpack.encode, os.write  # before the student's code replaces them
    reply = _encoded(Broke(missing) if missing else _told_on(answer(asked)), encode)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:  # the student may have closed or replaced it
            continue
    reply = len(reply).to_bytes(4, "big") + reply
    while reply:
        reply = reply[write(answer_fd, reply) :]
    os._exit(0)


def _encoded(reply: Answer, encode: Callable[[Any], bytes]) -> bytes:
    try:
        return encode(reply)
    except (UnicodeEncodeError, ValueError, OverflowError):
        pass
    try:  # what a student names may hold half characters, which no encoder takes
        return encode(_sendable(to_builtins(reply)))
    except (UnicodeEncodeError, ValueError, OverflowError) as error:
        return encode(Broke(f"an answer that cannot be sent: {error!a}"[:500]))


def _sendable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, dict):
        return {_sendable(key): _sendable(item) for key, item in value.items()}
    return [_sendable(item) for item in value] if isinstance(value, list | tuple) else value


def _told_on(reply: Answer) -> Answer:
    """The answer, with a breach if the submission replaced code of ours."""
    changed = None if _seal is None else _seal.broken()
    if changed is None or not isinstance(reply, Ran) or not reply.evidence.pass_recordings:
        return reply
    first, *others = reply.evidence.pass_recordings
    breach = Breach("tampering", f"it replaces the grader's own {changed}", None)
    first = replace(first, breaches=(breach, *first.breaches))
    return Ran(replace(reply.evidence, pass_recordings=(first, *others)))


_seal: Seal | None = None
"""Made by `warm_up`, when all of our code that a child runs is there."""


def answer(request: Request) -> Answer:
    """What the submission did on the request's points."""
    try:
        return Ran(_evidence(request))
    except SubmissionProblem as problem:
        return Problem(problem.kind, problem.message, problem.way_out, problem.span)
    except MemoryError:
        raise
    except Exception as error:
        return Broke(f"{type(error).__name__}: {error}"[:2_000])


def _evidence(request: Request) -> Evidence:
    torch.manual_seed(0)
    random.seed(0)
    chosen = slice_model(request.units, request.class_name)
    for sliced in chosen.statements:
        mark_loops(sliced.node)
    cls = load(chosen, {LOOP_MARK: loop_mark})
    notes = list(chosen.notes)
    try:
        model, built = build_model(cls, request.weight_names, request.weights[0])
    except BaseException as error:
        fault = fault_of(error)
        raise SubmissionProblem(
            "constructor",
            f"{cls.__name__}() fails: {fault.kind}: {fault.message}",
            "make sure that the class can be built without arguments, as the assignment does",
            fault.site,
        ) from error
    notes += built
    found = find_weights(model, request.weight_names)
    notes += found.notes
    callers = []
    for method, shown in ((model, "forward"), (getattr(model, chosen.pass_name), "")):
        target: Any = model.forward if shown else method
        caller = Caller(target, shown or chosen.pass_name, request.weight_names,
                        request.input_names)  # fmt: skip
        if shown and callable(model):
            caller.method = model  # through __call__, as the assignment does
        callers.append(caller)
        notes += caller.notes
    forward, manual = callers

    @functools.cache
    def statements(unit: int) -> Statements:
        return Statements(request.units[unit], unit)

    def statement_at(unit: int, line: int, column: int) -> Span | None:
        found = statements(unit).at(line, column)
        return None if found is None else found.span

    def name_of(span: Span) -> str | None:
        return statements(span.unit).target_name(span)

    forward_code = getattr(getattr(cls, "forward", None), "__code__", None)
    runner = Runner(model, found.slots, request.weight_names, statement_at, name_of, forward_code)
    # the pass first, on a fresh model: it may not lean on what forward leaves behind
    passes, pass_recordings = runner.runs(
        manual, request.weights, request.inputs, request.recorded, True
    )
    forwards, forward_recordings = runner.runs(
        forward, request.weights, request.inputs, min(request.recorded, 1), False
    )
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
    points = ((0.3, 0.7), (0.2, 0.4))
    inputs = ((0.3, 0.7, 0.2), (0.2, 0.4, 0.9))
    request = Request((Unit(WARM_UP, None, WARM_UP),), None, ("w0", "w1"), ("x1", "x2", "x3"),
                      points, inputs, 1, Limits(1, 0))  # fmt: skip
    ran = answer(request)
    if not isinstance(ran, Ran) or ran.evidence.pass_runs[0].fault is not None:
        raise RuntimeError(f"the warm-up pass failed: {ran}")
    global _seal
    _seal = Seal()
