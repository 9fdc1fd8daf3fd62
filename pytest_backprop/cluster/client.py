"""pytest's side: has the workers of a Dask cluster grade, in place of the judges of this machine.

As many submissions are sent as the workers have threads, so that what is sent stays small and those
that items wait for come first; which worker has which, and who has it when that one dies, is Dask's
business. A worker gets work when it is enrolled: a grade must not depend on which worker it came
from.
"""

from __future__ import annotations

import contextlib
import os
import time
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from ..classroom.hand_in import HandInProblem
from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..grading.brief import Brief, Briefs
from ..grading.failures import not_judged
from ..grading.judge.pool import Place, Queue
from ..messages import say, say_count
from ..model import Grade
from ..submission import read_bytes
from . import workers
from .workers import ClusterSetup, Task

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS = 20.0
LOOK_SECONDS = 3.0
"""From one look at the scheduler's workers to the next; then the terminal is told how far it is."""

MAX_LOSSES = 3
"""So often may all workers that had a submission go."""


class Cluster(Queue):
    """Grades submissions on the workers of one Dask scheduler. `close` it when done."""

    def __init__(
        self,
        address: str,
        setup: ClusterSetup,
        briefs: Briefs,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
        tell: Callable[[str], None],
    ) -> None:
        """`tell` writes a line on the terminal; for the others see `Queue`."""
        super().__init__(briefs, setup.judge.rubric, reads, came)
        self._address = address
        self._data = msgspec.msgpack.encode(setup)
        self._tell = tell
        self._run = f"backprop-{uuid.uuid4().hex[:12]}"
        self._client: Client | None = None
        self._members: dict[str, int] = {}
        """Enrolled workers by their addresses, and how many threads they have."""
        self._refused: set[str] = set()
        self._allowed: dict[Any, set[str]] = {}
        """By the futures of what is being graded: the workers that may have it."""
        self._losses: Counter[Place] = Counter()
        self._graded = 0
        self._look_at = 0.0
        self._progress = (0, 0, -1)
        self.sandbox = ""
        """The level that children reach on each worker."""

    def start(self) -> None:
        """Connects, and enrols the workers that are there; waits for the first if there is none.

        Raises UsageProblem if the scheduler does not answer, or a worker may not grade.
        """
        if self._client is not None:
            return
        self._client = self._connected()
        text = say("waiting for a worker of the Dask cluster {address}", address=self._address)
        while not self._members:
            for problem in self._enrolled():
                raise problem
            if not self._members:
                self._tell(text) if text else time.sleep(LOOK_SECONDS)
                text = ""

    def close(self) -> None:
        """Takes back what was not graded, and leaves the cluster as it was."""
        client, self._client = self._client, None
        if client is None:
            return
        with contextlib.suppress(Exception):  # it may be gone
            client.cancel(list(self._running))
            client.close(timeout=CONNECT_SECONDS)

    def _connected(self) -> Client:
        try:
            from distributed import Client

            return Client(
                self._address, timeout=CONNECT_SECONDS, set_as_default=False, name="pytest-backprop"
            )
        except ImportError:
            raise UsageProblem(
                say(
                    "--backprop-executor dask needs the package distributed, which is not installed"
                ),
                say("install it: pip install {name}", name="distributed"),
            ) from None
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageProblem(
                say(
                    "--backprop-executor: no Dask scheduler answers at {address}: {reason}",
                    address=self._address,
                    reason=error,
                ),
                say(
                    "start one with `dask scheduler`, and give the address that it prints, as "
                    "dask:tcp://HOST:8786"
                ),
            ) from None

    def _alive(self) -> Client:
        """The client. Raises UsageProblem if its scheduler is gone."""
        if self._client is None or self._client.status != "running":
            raise self._gone()
        return self._client

    def _gone(self) -> UsageProblem:
        return UsageProblem(
            say("the Dask scheduler {address} is gone", address=self._address),
            say("start it again; the same command with --backprop-resume grades nothing twice"),
        )

    # -- workers ----------------------------------------------------------------------------------

    def _enrolled(self) -> list[UsageProblem]:
        """Makes members of workers that are new, forgets those that are gone, and says who may not
        grade."""
        client, problems = self._alive(), []
        try:
            present = set(client.scheduler_info(n_workers=-1)["workers"])
        except OSError:
            raise self._gone() from None
        self._members = {a: threads for a, threads in self._members.items() if a in present}
        for address in sorted(present - self._members.keys() - self._refused):
            arguments = self._run, self._data, self.sandbox
            answers = client.run(workers.enrol, *arguments, workers=[address], on_error="return")
            answer = answers.get(address, OSError())
            if isinstance(answer, tuple):
                self._members[address], self.sandbox = answer
            elif not isinstance(answer, OSError):  # that one went as it came
                self._refused.add(address)
                if not isinstance(answer, UsageProblem):
                    answer = UsageProblem(
                        f"{type(answer).__name__}: {answer}",
                        say("install pytest-backprop where it runs, as here, and start it again"),
                    )
                text = say(
                    "the Dask worker {address} cannot grade: {reason}",
                    address=address,
                    reason=answer.message,
                )
                problems.append(UsageProblem(text, answer.way_out))
        return problems

    def _turn(self, seconds: float) -> None:
        """Looks after the workers besides."""
        if is_due := time.monotonic() >= self._look_at:
            for problem in self._enrolled():
                self._tell(f"{problem.message}; {problem.way_out}")
            self._look_at = time.monotonic() + LOOK_SECONDS
            for future in [f for f, a in self._allowed.items() if not a & self._members.keys()]:
                self._allowed.pop(future)
                self._alive().cancel([future])
                self._lose(self._running.pop(future))
        super()._turn(seconds)
        planned = self._graded + len(self._running) + len(self._waiting)
        progress = self._graded, planned, len(self._members)
        if progress != self._progress and (is_due or self._graded == planned):
            self._progress = progress
            self._tell(
                say_count(
                    "{graded} of {planned} graded, {count} worker",
                    "{graded} of {planned} graded, {count} workers",
                    len(self._members),
                    graded=self._graded,
                    planned=planned,
                )
            )

    # -- submissions ------------------------------------------------------------------------------

    def _make_ready(self, variants: list[str]) -> None:
        self.start()
        runs = [self._run] * len(variants)
        members = list(self._members)
        for future in self._alive().map(
            workers.prepare, runs, variants, workers=members, pure=False
        ):
            if isinstance(problem := future.exception(), UsageProblem):
                raise problem  # a fault is told with each grade

    def _room(self) -> int:
        return sum(self._members.values())

    def _hand_out(self, place: Place, brief: Brief) -> Any:
        message = msgspec.msgpack.encode(_task(*place, brief))
        members = list(self._members)
        arguments = workers.grade, self._run, message
        future = self._alive().submit(*arguments, workers=members, pure=False)
        self._allowed[future] = set(members)
        return future

    def _take_in(self, place: Place, future: Any) -> None:
        self._allowed.pop(future)
        self._alive()
        if future.status == "cancelled":  # nobody here did that
            raise self._gone()
        try:
            grade = msgspec.json.decode(future.result(timeout=CONNECT_SECONDS), type=Grade)
        except TimeoutError:  # a worker went with it
            self._lose(place)
            return
        except Exception as error:
            if type(error).__name__ == "KilledWorker":  # Dask has tried several
                self._losses[place] = MAX_LOSSES
                self._lose(place)
                return
            fault = GraderFault(f"{type(error).__name__}: {error}")
            grade = not_judged(self._rubric, place[1], fault, 0.0)
        self._finish(place, grade)

    def _lose(self, place: Place) -> None:
        """Has a submission graded again whose workers are gone, unless that happens too often."""
        self._losses[place] += 1
        if self._losses[place] < MAX_LOSSES:
            self._waiting.appendleft(place)
            return
        fault = GraderFault(say("the Dask workers that had it died, one after another"))
        self._finish(place, not_judged(self._rubric, place[1], fault, 0.0))

    def _finish(self, place: Place, grade: Grade) -> None:
        self._graded += 1
        super()._finish(place, grade)


def _task(path: Path, shown: str, brief: Brief) -> Task:
    """A submission as it is now."""
    content = b""
    if brief.problem is None:
        try:
            content = read_bytes(path, shown)
        except SubmissionProblem as reason:
            problem = HandInProblem(reason.kind, reason.message, reason.way_out)
            brief = msgspec.structs.replace(brief, problem=problem)
    folder = os.path.basename(os.path.abspath(path.parent))
    return Task(os.fsencode(path.name), os.fsencode(folder or "_"), content, shown, brief)
