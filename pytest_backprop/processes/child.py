"""The student's side: loads one submission, runs it on the points, and tells what it saw.

Everything here happens in a process that belongs to one submission, but for what is done before its
request comes, in the zygote of one that is forked. What it says is evidence, not a verdict."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import random
import sys
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

import torch
from msgspec.msgpack import Decoder, encode
from msgspec.structs import replace

from ..errors import SubmissionProblem
from ..exercises.base import ChildHalf, Source, Target
from ..messages import say
from ..model import Evidence, MethodName, Observation, Recording, Scenario, Unit
from ..submission import LOADS_ANEW, Statements, describe_line, fault_of
from ..trace.codes import trust
from ..trace.devices import GPU, OnTheCpu
from ..trace.forks import decides
from ..trace.graph import DataFlow
from ..trace.lateness import late_values
from ..trace.record import Recorder, Watched
from ..trace.stack import Positions, StackReader
from ..trace.torch_private import DisableTorchFunctionSubclass
from ..trace.validate import check_recording
from ..trace.watch import stand_guard
from .limits import hide_modules, stopper
from .protocol import SUBMISSION, USUAL_CHILD, Answer, Broke, Limits, LoadProblem, Ran, Request
from .serving import server

_halves: dict[str, ChildHalf] = {}
"""By the names of their modules. Students' code finds none of these: they are hidden."""

MAX_RECORDED = 12 * 2**20
"""Bytes that all different recordings of one method may take; runs beyond that are sent without."""
WITH_HOLDERS = 3
"""Recordings of the pass that tell who holds late values: each takes one more run."""


def main(descriptor: int) -> NoReturn:
    """Serves requests that come on a descriptor. In a process that was started for it, the
    children's halves of exercises that it imports are named as arguments."""
    torch.set_num_threads(1)  # others would not be there after a fork
    halves = sys.argv[2:] or [USUAL_CHILD]
    del sys.argv[1:]  # says nothing to a student, and differs from run to run
    warm_up(halves)
    serving = server(descriptor, SUBMISSION, Decoder(Request), answer)
    # here, as a child that does it copies a page of memory for nearly every module
    hide_modules(halves)
    serving.serve()


def answer(request: Request) -> Answer:
    """What the submission did in the request's scenarios."""
    devices = OnTheCpu()
    asks = any(GPU in unit.text for unit in request.units)
    try:
        with devices if asks else contextlib.nullcontext():
            evidences = _evidences(request)
        if devices.asked:
            note = say("what asks for a GPU (`.cuda()`, `device='cuda'`) ran on the CPU")
            evidences = tuple(replace(each, notes=(*each.notes, note)) for each in evidences)
        return Ran(evidences)
    except SubmissionProblem as problem:
        return LoadProblem(problem.kind, problem.message, problem.way_out, problem.span)
    except MemoryError:
        raise
    except Exception as error:
        return Broke(f"{type(error).__name__}: {error}")


def _evidences(request: Request) -> tuple[Evidence, ...]:
    if request.stops:
        # what is called is taken here, before code of the student's can replace it
        stop = stopper()
        targets = (_target(request, scenario) for scenario in request.scenarios)
        return tuple(target.trial(stop) for target in targets)
    places = Places(request.units)
    return tuple(_evidence(request, scenario, places) for scenario in request.scenarios)


def _target(request: Request, scenario: Scenario) -> Any:
    # all there is here: `torch.manual_seed` looks for devices, too, which takes 2 % of a child's
    # time
    torch.default_generator.manual_seed(0)
    random.seed(0)
    half = _halves.get(request.child) or _imported(request.child)
    names = request.pass_names or half.PASS_NAMES
    try:
        return half.find(Source(request.units, request.class_name, names, True), scenario)
    except (SubmissionProblem, MemoryError):
        raise
    except BaseException as error:  # `named_parameters` or `__signature__` of theirs
        fault = fault_of(error)
        if fault.site is None:
            raise
        raise SubmissionProblem(
            "load-error",
            say(
                "{place} raises {error}",
                place=describe_line(request.units[fault.site.unit], fault.site.line),
                error=": ".join(filter(None, (fault.kind, fault.message))),
            ),
            say(LOADS_ANEW),
            fault.site,
        ) from None


def _evidence(request: Request, scenario: Scenario, places: Places) -> Evidence:
    target: Target = _target(request, scenario)
    recorded = request.recorded if scenario.is_recorded else 0
    manual, forward = (
        Runner(method, target, scenario, places, recorded) for method in ("pass", "forward")
    )
    # the pass first, on a fresh model: it may not lean on what forward leaves behind, nor be
    # changed by it, which the last run tells
    *others, last = range(len(scenario.points))
    manual.run([*others, last] if request.one_call or not others else others)
    if not (request.one_call and _gives_value(manual.observations, recorded, manual.recordings)):
        forward.run([last, *others])
    if last not in manual.by_point:
        manual.run([last])
    for first in manual.recordings[:1]:  # it carries what was seen outside of the runs
        breaches = (*target.breaches, *first.breaches)
        manual.recordings[0] = replace(first, breaches=breaches)
    return replace(
        target.evidence(),
        forward_runs=forward.observations,
        pass_runs=manual.observations,
        forward_recordings=tuple(forward.recordings),
        pass_recordings=tuple(manual.recordings),
    )


def _gives_value(
    runs: Sequence[Observation], recorded: int, recordings: Sequence[Recording]
) -> bool:
    """Whether the runs of a pass tell of its value what runs of forward would: they came to their
    end, and the backward that follows, if one does, took one way and wrote nothing into it."""

    def is_kept(recording: Recording) -> bool:
        value = recording.of_value()
        backward = recording.ops[len(value.ops) :]
        written = {recording.values[v].storage for op in backward for v in op.writes}
        outputs = {v for op in backward for v in op.outputs}  # `out.data = …` is no write
        is_new = any(slot.value in outputs for slot in value.outputs.values())
        return not (is_new or written & value.storages_of() or (backward and decides([recording])))

    return (
        all(run.fault is None for run in runs)
        and all(run.recording is not None for run in runs[:recorded])
        and all(map(is_kept, recordings))
    )


def _imported(name: str) -> ChildHalf:
    """The child's half of an exercise, once and for all."""
    trust(name)
    half: ChildHalf = importlib.import_module(name)
    _halves[name] = half
    return half


def warm_up(halves: Iterable[str]) -> None:
    """Imports the children's halves of exercises, and runs a small pass in this process, so that
    children find torch's ops looked up. Raises what a half raises that this torch cannot have."""
    for name in halves:
        _imported(name)
    gc.freeze()  # a half that looks for garbage would go through all of torch
    stand_guard()
    for name, half in _halves.items():
        if half.WARM_UP is None:
            continue  # its module has done what can be done before
        text, *scenarios = half.WARM_UP
        unit = Unit(text, None, text)
        request = Request((unit,), None, tuple(scenarios), 1, Limits(1, 0), child=name)
        with OnTheCpu():  # so that its code is known, which children cannot read
            ran = answer(request)
        if not isinstance(ran, Ran) or any(each.pass_runs[0].fault for each in ran.evidences):
            raise RuntimeError(f"the warm-up pass of {name} failed: {ran}")


# -- the runs ------------------------------------------------------------------------------------


class Places:
    """The statements of a submission's units, by index, and the positions of instructions that
    ran: the same in all scenarios."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.statements = functools.cache(lambda unit: Statements(units[unit], unit))
        self.positions: Positions = {}
        self.name_of = functools.cache(lambda span: self.statements(span.unit).target_name(span))
        """What the expression with exactly a span is assigned to, which is asked at each op."""
        self.statement_at = lambda unit, line, column: self.statements(unit).at(line, column)


class Runner:
    """Runs a method of a target at points of a scenario, the first `recorded` of them under the
    recorder. `by_point` are its runs, and `recordings` theirs, equal ones once."""

    def __init__(
        self, method: MethodName, target: Target, scenario: Scenario, places: Places, recorded: int
    ) -> None:
        self._method: MethodName = method
        self._target = target
        self._scenario = scenario
        self._places = places
        self._recorded = recorded
        self.by_point: dict[int, Observation] = {}
        self.recordings: list[Recording] = []
        self._numbers: dict[bytes, int] = {}
        self._size = 0

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The runs, in the order of points."""
        return tuple(self.by_point[at] for at in sorted(self.by_point))

    def run(self, at: Sequence[int]) -> None:
        """Runs at the points of some positions."""
        scenario, numbers = self._scenario, self._numbers
        for index in at:
            point = scenario.points[index]
            recorder = self._recorder() if index < self._recorded else None
            observation = self._observe(point, recorder)
            recording = None if recorder is None else recorder.finished
            if recording is not None:
                key = encode(recording)
                if key not in numbers and self._size + len(key) <= MAX_RECORDED:
                    self._size += len(key)
                    numbers[key] = len(self.recordings)
                    check_recording(recording, len(point), scenario.outputs)
                    if self._method == "pass" and len(self.recordings) < WITH_HOLDERS:
                        recording = self._with_holders(recording, point)
                    self.recordings.append(recording)
                observation = replace(observation, recording=numbers.get(key))
            self.by_point[index] = observation

    def _recorder(self, watch: Watched | None = None) -> Recorder:
        target, places = self._target, self._places
        stack = StackReader(
            target.codes, places.statement_at, target.forward_codes, places.positions
        )
        return Recorder(stack, places.name_of, watch)

    def _observe(self, point: Sequence[float], recorder: Recorder | None) -> Observation:
        """One run. Whatever the student's objects raise, also at being looked at, is its fault."""
        collecting = gc.isenabled()
        if recorder is not None:
            gc.disable()  # a cycle is no release: PyTorch frees by reference count
        try:
            # what the grader itself asks of a tensor is answered by torch, not by a class of theirs
            with DisableTorchFunctionSubclass():
                return self._target.run(self._method, point, recorder)
        except BaseException as error:
            if recorder is not None:
                recorder.abandon()
            return Observation(fault=fault_of(error))
        finally:
            if collecting:
                gc.enable()

    def _with_holders(self, recording: Recording, point: Sequence[float]) -> Recording:
        """The recording of a pass with the names that hold its late values, from one more run."""
        if recording.phases:
            return recording  # what must be gone when is no matter of statements there
        late = late_values(DataFlow(recording))
        if not late:
            return recording
        watch: dict[int, list[tuple[int, int]]] = {}
        for value in late:
            watch.setdefault(value.first_op, []).append((value.life.storage, value.frames))
        recorder = self._recorder(watch)
        self._observe(point, recorder)
        again = recorder.finished
        if again is None or len(again.ops) != len(recording.ops):
            return recording
        held = {life.storage: life.holders for life in again.lives}
        lives = tuple(replace(life, holders=held.get(life.storage, ())) for life in recording.lives)
        return replace(recording, lives=lives)
