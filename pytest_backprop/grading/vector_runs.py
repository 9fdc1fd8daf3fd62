"""Runs passes on long vectors in children of their own: autograd's, and a second time one that is suspect."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any

from ..errors import GraderFault
from ..exercises.functions.bank import Variant
from ..exercises.functions.scenarios import Points, scenario
from ..model import Recording, Unit
from ..worker.child_watch import Outcome
from ..worker.client import Worker
from ..worker.protocol import Limits, Request
from .outside_memory import (
    AUTOGRAD_PASS,
    LENGTH,
    TIMES,
    NotMeasured,
    Outside,
    autograd_text,
    grown,
    is_suspect,
    outside,
)

WEIGHT, INPUT = 0.5, 0.3
"""What the vectors are filled with, a little apart for each, where no points are given."""


def stop_secrets(count: int = 2) -> tuple[bytes, ...]:
    """What authenticates the stops of a child; a pass on vectors makes two."""
    return tuple(secrets.token_bytes(16) for _ in range(count))


class Scales:
    """A second zygote, forked from the worker's, with a thread of its own."""

    def __init__(
        self,
        worker: Worker,
        limits: Limits,
        class_name: str | None,
        pass_names: tuple[str, ...],
    ) -> None:
        self._worker = Worker(elder=worker)
        self._limits = limits
        self._class_name = class_name
        self._pass_names = pass_names
        self._pool = ThreadPoolExecutor(1, "backprop-scales")
        self._autograd: dict[str, Future[Outcome | None]] = {}

    def result(self, weighed: Future[Outcome | None]) -> Outcome | None:
        """What a run gave."""
        try:
            return weighed.result()
        except CancelledError:
            return None

    def close(self) -> None:
        """Ends it."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._worker.close()

    def weigh(
        self,
        units: Sequence[Unit],
        variant: Variant,
        length: int = LENGTH,
        given: Points | None = None,
    ) -> Future[Outcome | None]:
        """Runs the pass of a submission, on the first of the given points; None if that failed for
        a reason of ours. Not beside the elder's `run`."""
        return self._submitted(
            tuple(units), variant, self._class_name, length, self._pass_names, given
        )

    def weigh_autograd(self, variant: Variant) -> Future[Outcome | None]:
        """The same for torch's own run of a variant; measured once, or again if it failed."""
        known = self._autograd.get(variant.source)
        failed = known is not None and known.done() and known.result() is None
        if known is None or failed:
            unit = autograd_text(variant)
            known = self._submitted((unit,), variant, None, LENGTH, (AUTOGRAD_PASS,))
            self._autograd[variant.source] = known
        return known

    def measured(
        self,
        recording: Recording,
        dtype: str,
        variant: Variant,
        weighed: Outcome | None,
        again: Callable[[int], Outcome | None],
    ) -> Outside | NotMeasured:
        """The pass that was recorded, with weights of `dtype`, on vectors from outside. Values are hidden only if
        they grow with the vectors, which two more runs tell (`again`, with their length): in a run behind the
        recorded ones a library may have been used for the first time. If they cannot be had, the first counts."""
        # what killed its worker may have come from outside
        once = weighed or again(LENGTH)
        autograd = self.result(self._autograd[variant.source])
        measured = outside(recording, dtype, once, autograd)
        if not isinstance(measured, Outside):
            return measured
        if not is_suspect(measured):
            return measured._replace(hidden=0)
        longer = outside(recording, dtype, grown(again(LENGTH), again(TIMES * LENGTH)), autograd)
        return longer if isinstance(longer, Outside) or longer.ours else measured

    def _submitted(self, *given: Any) -> Future[Outcome | None]:
        with contextlib.suppress(GraderFault, OSError):
            self._worker.start()
        return self._pool.submit(self._run, *given)

    def _run(
        self,
        units: tuple[Unit, ...],
        variant: Variant,
        class_name: str | None,
        length: int,
        pass_names: tuple[str, ...],
        given: Points | None = None,
    ) -> Outcome | None:
        if given is None:
            weights = tuple(WEIGHT + 0.1 * i for i in range(len(variant.weights)))
            inputs = tuple(INPUT + 0.2 * i for i in range(len(variant.inputs)))
            given = Points((weights,), (inputs,), ("",))
        at = scenario(variant, given.first(1))
        request = Request(
            units, class_name, (at,), 0, self._limits, length, stop_secrets(), pass_names
        )
        try:
            return self._worker.run(request)
        except GraderFault:
            return None
