"""pytest's side: stands in for the judges of this machine, and has the workers of a Dask cluster grade.

A few submissions for each thread of a worker are with the scheduler at a time: what is sent stays small, and those
that items wait for come first. A worker gets work when it is enrolled: a grade must not depend on which it came from.
"""

from __future__ import annotations

import contextlib
import os
import queue
import time
import uuid
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from ..classroom.hand_in import HandInProblem
from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..grading.brief import Briefs
from ..grading.failures import not_judged
from ..grading.judge.protocol import Usage
from ..messages import say
from ..model import Grade
from ..processes.sandbox import is_full
from ..submission import read_bytes
from . import workers
from .workers import ClusterSetup, Enrolled, Task

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


class _Sent(NamedTuple):
    """A future, what came of it goes to, and the workers that may do it."""

    future: Future[bytes]
    take: Callable[[bytes | Exception], None]
    workers: frozenset[str]


class Cluster:
    """Grades submissions on the workers of one Dask scheduler. `close` it when done."""

    def __init__(
        self,
        address: str,
        setup: ClusterSetup,
        versions: dict[str, str | None],
        required: bool,
        briefs: Briefs,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
        progress: Progress,
    ) -> None:
        """A worker must have these `versions`, and with `required` the whole sandbox. `reads` is told of each
        submission right before its file is read, `came` of each grade when it comes, in any order, from the thread
        that calls this object."""
        self._address = address
        self._setup = setup
        self._versions = versions
        self._required = required
        self._briefs = briefs
        self._reads = reads
        self._came = came
        self._progress = progress
        self._run = f"backprop-{uuid.uuid4().hex[:12]}"
        self._client: Client | None = None
        self._data: Future[bytes] | None = None
        self._done: queue.SimpleQueue[Future[bytes]] = queue.SimpleQueue()
        self._sent: dict[str, _Sent] = {}
        self._seen: set[str] = set()
        self._members: dict[str, int] = {}
        self._waiting: deque[Place] = deque()
        self._running: set[Place] = set()
        self._grades: dict[str, Grade] = {}
        self._planned = self._graded = 0
        self._started = False
        self._look_at = 0.0
        self.sandbox = ""
        """The level that children reach on each worker."""

    # -- as the judges of this machine --------------------------------------------------------

    def start(self) -> None:
        """Connects, and waits for the first worker, and until those that are there are enrolled. Raises UsageProblem
        if the scheduler does not answer, or a worker may not grade."""
        if self._client is not None:
            return
        self._client = self._connected()
        # a task, not `scatter`: it is worked out again if the worker that has it dies
        self._data = self._client.submit(
            bytes, msgspec.msgpack.encode(self._setup), key=f"{self._run}-setup"
        )
        self._look()
        if not self._seen:
            self._progress.tell(
                say("waiting for a worker of the Dask cluster {address}", address=self._address)
            )
        while self._sent or not self._members:
            self._turn()
        self._started = True

    def prepare(self, submissions: Iterable[Place]) -> None:
        """Makes ready every variant that roster, option or file names ask for, and has the submissions
        graded from here on. Raises UsageProblem for a variant that cannot be graded on with these points
        and tolerances."""
        self.start()
        places = list(submissions)
        for variant in self._briefs.variants(places):
            self._send(workers.prepare, (variant,), self._take_prepared)
        while self._sent:
            self._turn()
        self._waiting.extend(places)
        self._planned += len(places)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission, when it has come. Raises UsageProblem if the scheduler is gone."""
        self.start()
        place = (path, shown)
        self._turn(seconds=0)
        if shown not in self._grades and place not in self._running:
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
            client.cancel([sent.future for sent in self._sent.values()])
            client.close(timeout=CONNECT_SECONDS)

    # -- the cluster ----------------------------------------------------------------------------

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

    def _turn(self, seconds: float = WAIT_SECONDS) -> None:
        """Looks after the workers, sends what they have room for, and takes in what has come."""
        if time.monotonic() >= self._look_at:
            self._look()
        while self._waiting and len(self._running) < AHEAD * sum(self._members.values()):
            self._send_submission(self._waiting.popleft())
        self._receive(seconds)
        self._progress.come(self._graded, self._planned, len(self._members))

    def _look(self) -> None:
        """Has workers enrolled that are new. What those had that are gone, and nobody else may do, goes to others."""
        begin = time.monotonic()
        try:
            there = set(self._alive().scheduler_info(n_workers=-1)["workers"])
        except OSError:
            raise self._gone() from None
        self._look_at = time.monotonic() + max(LOOK_SECONDS, 20 * (time.monotonic() - begin))
        self._members = {a: threads for a, threads in self._members.items() if a in there}
        for key, sent in list(self._sent.items()):
            if not sent.workers & there and not sent.future.done():
                del self._sent[key]  # without a reference the scheduler lets go of it
                sent.take(GraderFault(say("the Dask workers that had it are gone")))
        for address in there - self._seen:
            self._seen.add(address)

            def take(answer: bytes | Exception, address: str = address) -> None:
                self._take_enrolled(address, answer)

            self._send(workers.enrol, (), take, [address])

    def _send(
        self,
        work: Callable[..., bytes],
        words: tuple[Any, ...],
        take: Callable[[bytes | Exception], None],
        to: Iterable[str] | None = None,
    ) -> None:
        chosen = frozenset(self._members if to is None else to)
        key = f"{self._run}-{uuid.uuid4().hex[:12]}"
        future = self._alive().submit(
            work, self._data, *words, key=key, workers=sorted(chosen), pure=False
        )
        self._sent[key] = _Sent(future, take, chosen)
        future.add_done_callback(self._done.put)

    def _receive(self, seconds: float) -> None:
        """Takes in what has come, and waits for it at most so long."""
        done = []
        with contextlib.suppress(queue.Empty):
            done.append(self._done.get(timeout=seconds) if seconds else self._done.get_nowait())
            while True:
                done.append(self._done.get_nowait())
        for future in done:
            sent = self._sent.get(future.key)
            if sent is None:
                continue
            if future.status == "cancelled":  # nobody here did that
                raise self._gone()
            answer: bytes | Exception
            try:
                answer = self._alive().gather(future)
            except UsageProblem:
                raise
            except Exception as error:
                if future.status != "error":  # who had the answer died: it is worked out again
                    self._done.put(future)
                    continue
                answer = error
            del self._sent[future.key]
            sent.take(answer)

    # -- workers and variants ---------------------------------------------------------------------

    def _take_enrolled(self, address: str, answer: bytes | Exception) -> None:
        problem = self._refusal(address, answer)
        if problem is None:
            return
        if not self._started:
            raise problem
        self._progress.tell(f"{problem.message}; {problem.way_out}")

    def _refusal(self, address: str, data: bytes | Exception) -> UsageProblem | None:
        """Why a worker may not grade; None if it may: then it is one of them."""
        if isinstance(data, GraderFault):
            return None  # it went, as it came
        if isinstance(data, Exception):
            reason = f"{type(data).__name__}: {data}"
            answer: Enrolled | Usage = Usage(
                reason, say("install pytest-backprop where it runs, as here, and start it again")
            )
        else:
            answer = msgspec.msgpack.decode(data, type=Enrolled | Usage)
        if isinstance(answer, Usage):
            return UsageProblem(
                say(
                    "the Dask worker {address} cannot grade: {reason}",
                    address=address,
                    reason=answer.message,
                ),
                answer.way_out,
            )
        if self._required and not is_full(answer.sandbox):
            return UsageProblem(
                say(
                    "--backprop-sandbox: 'require', but the Dask worker {address} reaches {level!r} only",
                    address=address,
                    level=answer.sandbox,
                ),
                say(
                    "run workers on Linux 5.13 or later with Landlock and libseccomp, or use auto where you can "
                    "lose the machine"
                ),
            )
        here = self._versions | {"sandbox": self.sandbox or answer.sandbox}
        there = answer.versions | {"sandbox": answer.sandbox}
        if here != there:
            names = [n for n in dict.fromkeys((*here, *there)) if here.get(n) != there.get(n)]
            differences = ", ".join(
                say("{package} {there} (here {here})", package=n, there=there.get(n), here=here.get(n))
                for n in names
            )  # fmt: skip
            return UsageProblem(
                say(
                    "the Dask worker {address} has another version: {versions}",
                    address=address,
                    versions=differences,
                ),
                say(
                    "install there what is here and start it again, or start the cluster without it: a grade "
                    "must not depend on which worker it came from"
                ),
            )
        self.sandbox = answer.sandbox
        self._members[address] = answer.threads
        return None

    def _take_prepared(self, answer: bytes | Exception) -> None:
        if isinstance(answer, bytes) and answer:
            problem = msgspec.msgpack.decode(answer, type=Usage)
            raise UsageProblem(problem.message, problem.way_out)

    # -- submissions ------------------------------------------------------------------------------

    def _send_submission(self, place: Place) -> None:
        path, shown = place
        self._reads(path, shown)
        self._running.add(place)
        try:
            task = self._task(path, shown)
        except UsageProblem as problem:
            self._take(place, not_judged(self._setup.judge.rubric, shown, problem, 0.0))
            return
        self._send(
            workers.grade,
            (msgspec.msgpack.encode(task),),
            lambda answer: self._take_grade(place, answer),
        )

    def _task(self, path: Path, shown: str) -> Task:
        """A submission as it is now. Raises UsageProblem where two rows of the roster claim it."""
        brief, content = self._briefs.of(path, shown), b""
        if brief.problem is None:
            try:
                content = read_bytes(path, shown)
            except SubmissionProblem as reason:
                problem = HandInProblem(reason.kind, reason.message, reason.way_out)
                brief = msgspec.structs.replace(brief, problem=problem)
        folder = os.path.basename(os.path.abspath(path.parent))
        return Task(os.fsencode(path.name), os.fsencode(folder or "_"), content, shown, brief)

    def _take_grade(self, place: Place, answer: bytes | Exception) -> None:
        if isinstance(answer, GraderFault):  # nobody had it to its end
            self._running.remove(place)
            self._waiting.appendleft(place)
            return
        if isinstance(answer, bytes):
            self._take(place, msgspec.json.decode(answer, type=Grade))
            return
        fault = GraderFault(f"{type(answer).__name__}: {answer}")
        if type(answer).__name__ == "KilledWorker":
            fault = GraderFault(say("the Dask workers that had it died, one after another"))
        self._take(place, not_judged(self._setup.judge.rubric, place[1], fault, 0.0))

    def _take(self, place: Place, grade: Grade) -> None:
        self._running.remove(place)
        self._graded += 1
        self._grades[grade.path] = grade
        self._came(*place, grade)
