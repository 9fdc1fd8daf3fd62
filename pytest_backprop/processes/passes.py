"""Runs what an exercise found in a submission at points, plainly or under the recorder."""

from __future__ import annotations

import functools
import gc
from collections.abc import Sequence

from msgspec.msgpack import encode
from msgspec.structs import replace

from ..exercises.base import Target
from ..exercises.observation import fault_of
from ..model import MethodName, Observation, Recording, Scenario, Span, Unit
from ..submission import Statements
from ..trace.graph import DataFlow
from ..trace.lateness import late_values
from ..trace.record import Recorder, Watched
from ..trace.stack import Positions, StackReader
from ..trace.torch_private import DisableTorchFunctionSubclass
from ..trace.validate import check_recording

MAX_RECORDED = 12 * 2**20
"""Bytes that all different recordings of one method may take; runs beyond that are sent without."""
WITH_HOLDERS = 3
"""Recordings of the pass that tell who holds late values: each takes one more run."""


class Runner:
    """Runs the methods of a target at the points of a scenario."""

    def __init__(self, target: Target, units: Sequence[Unit], scenario: Scenario) -> None:
        self._target = target
        self._scenario = scenario
        self._statements = functools.cache(lambda unit: Statements(units[unit], unit))
        self._positions: Positions = {}

    def runs(
        self, method: MethodName, recorded: int
    ) -> tuple[tuple[Observation, ...], tuple[Recording, ...]]:
        """Runs a method at every point, the first `recorded` of them under the recorder. Equal
        recordings are given once."""
        scenario = self._scenario
        recordings: dict[bytes, int] = {}
        size = 0
        kept: list[Recording] = []
        observations = []
        for index, (w, x) in enumerate(zip(scenario.weights, scenario.inputs, strict=True)):
            if index >= recorded:
                observations.append(self._observe(method, w, x, None))
                continue
            recorder = self._recorder()
            observation = self._observe(method, w, x, recorder)
            recording = recorder.finished
            if recording is not None:
                key = encode(recording)
                number = recordings.get(key)
                if number is None and size + len(key) <= MAX_RECORDED:
                    size += len(key)
                    number = recordings[key] = len(kept)
                    check_recording(recording, len(w), len(x), scenario.outputs)
                    if method == "pass" and len(kept) < WITH_HOLDERS:
                        recording = self._with_holders(recording, w, x)
                    kept.append(recording)
                observation = replace(observation, recording=number)
            observations.append(observation)
        return tuple(observations), tuple(kept)

    def _recorder(self, watch: Watched | None = None) -> Recorder:
        target = self._target
        stack = StackReader(target.codes, self._statement_at, target.forward_codes, self._positions)
        return Recorder(stack, self._name_of, watch)

    def _statement_at(self, unit: int, line: int, column: int) -> Span | None:
        return self._statements(unit).at(line, column)

    def _name_of(self, span: Span) -> str | None:
        return self._statements(span.unit).target_name(span)

    def _observe(
        self,
        method: MethodName,
        weights: Sequence[float],
        inputs: Sequence[float],
        recorder: Recorder | None,
    ) -> Observation:
        """One run. Whatever the student's objects raise, also at being looked at, is its fault."""
        collecting = gc.isenabled()
        if recorder is not None:
            gc.disable()  # a cycle is no release: PyTorch frees by reference count
        try:
            # what the grader itself asks of a tensor is answered by torch, not by a class of theirs
            with DisableTorchFunctionSubclass():
                return self._target.run(method, weights, inputs, recorder)
        except BaseException as error:
            if recorder is not None:
                recorder.abandon()
            return Observation(fault=fault_of(error))
        finally:
            if collecting:
                gc.enable()

    def _with_holders(
        self, recording: Recording, weights: Sequence[float], inputs: Sequence[float]
    ) -> Recording:
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
        self._observe("pass", weights, inputs, recorder)
        again = recorder.finished
        if again is None or len(again.ops) != len(recording.ops):
            return recording
        held = {life.storage: life.holders for life in again.lives}
        lives = tuple(replace(life, holders=held.get(life.storage, ())) for life in recording.lives)
        return replace(recording, lives=lives)
