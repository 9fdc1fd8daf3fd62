"""pytest's side: looks like the judge of this machine, and has the workers of a Dask cluster grade.

A few submissions for each thread of a worker are with the scheduler at a time: what is sent stays small,
and those that items wait for come first. A worker gets work when it is enrolled, and not before: it then
has a resource that the tasks of this run ask for.
"""

from __future__ import annotations

import contextlib
import hashlib
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from ..errors import GraderFault, UsageProblem
from ..grading.failures import not_judged
from ..grading.judge.protocol import Graded, JudgeFault, Usage
from ..messages import say
from ..model import Grade
from .packing import Packing
from .protocol import (
    Answer,
    ClusterSetup,
    Enrolled,
    Enrolment,
    PrepareVariant,
    Task,
    digest_of,
    fits,
)
from .refusal import refused

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_SECONDS = 20.0
LOOK_SECONDS = 2.0
"""How often the scheduler is asked for its workers."""
WAIT_SECONDS = 0.2
AHEAD = 2
"""Submissions with the scheduler for each thread of a worker: one that runs, and one that it has at hand."""

Place = tuple[Path, str]


class Progress(Protocol):
    """Whoever watches a run."""

    def come(self, graded: int, planned: int, workers: int) -> None:
        """So many submissions are graded, and so many workers may grade."""

    def tell(self, text: str) -> None:
        """There is something else to say."""


class Cluster:
    """Grades submissions on the workers of one Dask scheduler. `close` it when done."""

    def __init__(
        self,
        address: str,
        setup: ClusterSetup,
        packing: Packing,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
        progress: Progress,
    ) -> None:
        """`reads` is told of each submission right before its file is read, `came` of each grade when it
        comes, in any order, from the thread that calls this object."""
        self._address = address
        self._setup = setup
        self._data = msgspec.msgpack.encode(setup)
        self._digest = digest_of(self._data)
        self._packing = packing
        self._reads = reads
        self._came = came
        self._progress = progress
        self._resource = f"backprop-{uuid.uuid4().hex[:12]}"
        self._client: Client | None = None
        self._shared: Future[bytes] | None = None
        self._done: queue.SimpleQueue[Future[bytes]] = queue.SimpleQueue()
        self._waiting: deque[Place] = deque()
        self._running: dict[str, Place] = {}
        self._futures: dict[str, Future[bytes]] = {}
        self._variants: set[str] = set()
        self._enrolling: dict[str, str] = {}
        self._members: dict[str, int] = {}
        self._refused: dict[str, str] = {}
        self._started = False
        self._look_at = 0.0
        self._planned = 0
        self._grades: dict[str, Grade] = {}
        self._graded = 0
        self.sandbox = ""
        """The level that children reach on each worker."""

    # -- as a judge -------------------------------------------------------------------------

    def start(self) -> None:
        """Connects, and waits until each worker that is there has a judge, and for the first if there is
        none. Raises UsageProblem if the scheduler does not answer, or a worker may not grade."""
        if self._client is not None:
            return
        self._client = self._connected()
        # a task, not `scatter`: it is worked out again if the worker that has it dies
        self._shared = self._client.submit(bytes, self._data, key=f"{self._resource}-setup")
        first = True
        while not self.sandbox:
            self._turn()
            if first and not self._enrolling:
                self._progress.tell(
                    say("waiting for a worker of the Dask cluster {address}", address=self._address)
                )
            first = False
        self._look_at = 0.0
        self._look()
        present = set(self._enrolling)
        while present & set(self._enrolling):
            self._turn()
        self._started = True

    def prepare(self, submissions: Iterable[Place]) -> None:
        """Makes ready every variant that roster, option or file names ask for, and has the submissions
        graded from here on. Raises UsageProblem for a variant that cannot be graded on with these points
        and tolerances."""
        self.start()
        waiting = list(submissions)
        for name in self._packing.variants(waiting):
            future = self._submit(f"variant-{name}", PrepareVariant(name))
            self._variants.add(future.key)
        while self._variants:
            self._turn()
        self._waiting.extend(waiting)
        self._planned += len(waiting)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission, when it has come. Raises UsageProblem if the scheduler is gone."""
        self.start()
        place = (path, shown)
        self._turn(seconds=0)
        if shown not in self._grades and place not in self._running.values():
            if place in self._waiting:
                self._waiting.remove(place)
            else:
                self._planned += 1
            self._waiting.appendleft(place)
        while shown not in self._grades:
            self._turn()
        return self._grades.pop(shown)

    def close(self) -> None:
        """Takes back what was not graded, and leaves the cluster as it was."""
        client, self._client = self._client, None
        if client is None:
            return
        with contextlib.suppress(Exception):  # it may be gone
            client.cancel(list(self._futures.values()))
            client.close(timeout=CONNECT_SECONDS)

    # -- steps ------------------------------------------------------------------------------

    def _connected(self) -> Client:
        try:
            from distributed import Client
        except ImportError:
            raise UsageProblem(
                say(
                    "--backprop-executor dask needs the package distributed, which is not installed"
                ),
                say("install it: pip install {name}", name="distributed"),
            ) from None
        try:
            return Client(
                self._address, timeout=CONNECT_SECONDS, set_as_default=False, name="pytest-backprop"
            )
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageProblem(
                say("--backprop-executor: no Dask scheduler answers at {address}: {reason}",
                    address=self._address, reason=error),
                say("start one with `dask scheduler`, and give the address that it prints, as "
                    "dask:tcp://HOST:8786"),
            ) from None  # fmt: skip

    def _turn(self, seconds: float = WAIT_SECONDS) -> None:
        """Looks after the workers, sends what they have room for, and takes in what has come."""
        if time.monotonic() >= self._look_at:
            self._look()
        room = AHEAD * sum(self._members.values()) - len(self._running)
        while self._waiting and room > 0:
            self._send(*self._waiting.popleft())
            room -= 1
        self._receive(seconds)
        self._progress.come(self._graded, self._planned, len(self._members))

    def _look(self) -> None:
        """Has workers enrolled that are new, and forgets those that are gone."""
        client = self._alive()
        begin = time.monotonic()
        try:
            workers: dict[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
        except OSError:
            raise self._gone() from None
        self._look_at = time.monotonic() + max(LOOK_SECONDS, 20 * (time.monotonic() - begin))
        self._members = {
            address: worker["nthreads"]
            for address, worker in workers.items()
            if worker["resources"].get(self._resource)
        }
        for key in [key for key, address in self._enrolling.items() if address not in workers]:
            self._forget(key)
        known = {*self._members, *self._refused, *self._enrolling.values()}
        for address in [address for address in workers if address not in known]:
            if not self.sandbox and self._enrolling:
                return  # the first worker says what sandbox all have
            self._enrol(address)

    def _enrol(self, address: str) -> None:
        from . import tasks

        key = f"{self._resource}-enrol-{uuid.uuid4().hex[:12]}"
        self._enrolling[key] = address
        self._watch(
            self._alive().submit(
                tasks.enrol, self._shared, self._resource, self.sandbox, key=key,
                # another may answer for one that died meanwhile; it has no more of it than that
                workers=[address], allow_other_workers=True, pure=False, priority=1,
            )
        )  # fmt: skip

    def _send(self, path: Path, shown: str) -> None:
        self._reads(path, shown)
        try:
            task = self._packing.task(path, shown)
        except UsageProblem as problem:
            self._take((path, shown), self._spoilt(shown, problem))
            return
        name = hashlib.sha256(shown.encode("utf-8", "surrogateescape")).hexdigest()[:16]
        self._running[self._submit(name, task).key] = (path, shown)

    def _submit(self, name: str, message: PrepareVariant | Task) -> Future[bytes]:
        from . import tasks

        future: Future[bytes] = self._alive().submit(
            tasks.ask, self._digest, msgspec.msgpack.encode(message), key=f"{self._resource}-{name}",
            resources={self._resource: 1}, pure=False,
        )  # fmt: skip
        self._watch(future)
        return future

    def _watch(self, future: Future[bytes]) -> None:
        self._futures[future.key] = future
        future.add_done_callback(self._done.put)

    def _forget(self, key: str) -> None:
        self._enrolling.pop(key, None)
        self._futures.pop(key, None)  # without a reference the scheduler lets go of it

    def _receive(self, seconds: float) -> None:
        """Takes in what has come, and waits for it at most so long."""
        done = []
        with contextlib.suppress(queue.Empty):
            done.append(self._done.get(timeout=seconds) if seconds else self._done.get_nowait())
            while True:
                done.append(self._done.get_nowait())
        done = [future for future in done if future.key in self._futures]
        if any(future.status == "cancelled" for future in done):  # nobody here did that
            raise self._gone()
        finished = [future for future in done if future.status == "finished"]
        try:
            answers: list[bytes] = self._alive().gather(finished)
        except Exception:  # who had an answer died, and others on what was to make it again
            for future in finished:
                self._done.put(future)
            return
        for future, answer in zip(finished, answers, strict=True):
            self._answered(future.key, answer)
        for future in done:
            if future.status == "error":
                self._failed(future.key, future.exception())

    def _answered(self, key: str, data: bytes) -> None:
        if key in self._enrolling:
            enrolment = msgspec.msgpack.decode(data, type=Enrolment)
            self._enrolled(key, enrolment.address, enrolment.threads, enrolment.answer)
            return
        answer: Answer = msgspec.msgpack.decode(data, type=Answer)
        self._forget(key)
        if key in self._variants:
            self._variants.remove(key)
            if isinstance(answer, Usage):
                raise UsageProblem(answer.message, answer.way_out)
            return  # a fault is told with each grade
        self._graded_by(key, answer)

    def _failed(self, key: str, error: BaseException | None) -> None:
        """A task that no worker could do: of a submission, as workers died on it again and again."""
        fault = JudgeFault(f"{type(error).__name__}: {error}")
        if type(error).__name__ == "KilledWorker":
            fault = JudgeFault(say("the Dask workers that had it died, one after another"))
        if key in self._enrolling:
            self._enrolled(key, self._enrolling[key], 0, fault)
            return
        self._forget(key)
        if key in self._variants:
            self._variants.remove(key)
            return
        self._graded_by(key, fault)

    def _graded_by(self, key: str, answer: Answer) -> None:
        place = self._running.pop(key)
        if isinstance(answer, Graded):
            self._take(place, msgspec.json.decode(answer.grade, type=Grade))
            return
        reason: UsageProblem | GraderFault
        if isinstance(answer, Usage):
            reason = UsageProblem(answer.message, answer.way_out)
        else:
            told = answer.message if isinstance(answer, JudgeFault) else type(answer).__name__
            reason = GraderFault(told)
        self._take(place, self._spoilt(place[1], reason))

    def _take(self, place: Place, grade: Grade) -> None:
        self._graded += 1
        self._grades[grade.path] = grade
        self._came(*place, grade)

    def _spoilt(self, shown: str, reason: UsageProblem | GraderFault) -> Grade:
        """A grade that is not judged, for no fault of the student's."""
        return not_judged(self._setup.rubric, None, shown, reason, 0.0)

    def _enrolled(self, key: str, address: str, threads: int, answer: Answer) -> None:
        self._forget(key)
        if fits(answer, self._setup, self.sandbox):
            assert isinstance(answer, Enrolled)
            self._members[address] = threads
            self.sandbox = answer.sandbox
            return
        problem = refused(address, answer, self._setup, self.sandbox)
        self._refused[address] = problem.message
        if not self._started:
            raise problem
        self._progress.tell(f"{problem.message}; {problem.way_out}")

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
