"""pytest's side: stands in for the judges of this machine, and has the workers of a Dask cluster grade.

A few submissions for each thread of a worker are with it at a time: what is sent stays small, and those that items
wait for come first. A worker gets work when it is enrolled: a grade must not depend on which it came from.
"""

from __future__ import annotations

import contextlib
import os
import queue
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

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
"""Submissions for each thread of a worker: one that runs, and one that it has at hand."""
DEATHS = 3
"""So many workers may die on one submission."""

Place = tuple[Path, str]


class Progress(Protocol):
    """Whoever watches a run."""

    def come(self, graded: int, planned: int, workers: int) -> None:
        """So many submissions are graded, and so many workers may grade."""

    def tell(self, text: str) -> None:
        """There is something else to say."""


class _Sent(NamedTuple):
    """A submission, and the worker that has it."""

    future: Future[bytes]
    place: Place
    worker: str


class Cluster:
    """Grades submissions on the workers of one Dask scheduler. `close` it when done."""

    def __init__(
        self,
        address: str,
        setup: ClusterSetup,
        required: bool,
        briefs: Briefs,
        reads: Callable[[Path, str], None],
        came: Callable[[Path, str, Grade], None],
        progress: Progress,
    ) -> None:
        """With `required`, a worker must reach the whole sandbox. `reads` is told of each submission right before its
        file is read, `came` of each grade when it comes, in any order, from the thread that calls this object."""
        self._address = address
        self._setup = setup
        self._required = required
        self._briefs = briefs
        self._reads = reads
        self._came = came
        self._progress = progress
        self._run = f"backprop-{uuid.uuid4().hex[:12]}"
        self._client: Client | None = None
        self._members: dict[str, int] = {}
        self._refused: set[str] = set()
        self._waiting: deque[Place] = deque()
        self._sent: dict[str, _Sent] = {}
        self._deaths: Counter[Place] = Counter()
        self._done: queue.SimpleQueue[Future[bytes]] = queue.SimpleQueue()
        self._grades: dict[str, Grade] = {}
        self._planned = self._graded = 0
        self._started = False
        self._look_at = 0.0
        self.sandbox = ""
        """The level that children reach on each worker."""

    def start(self) -> None:
        """Connects, enrols the workers that are there, and waits for the first if there is none. Raises UsageProblem
        if the scheduler does not answer, or a worker may not grade."""
        if self._client is not None:
            return
        self._client = self._connected()
        self._look()
        if not self._members:
            self._progress.tell(
                say("waiting for a worker of the Dask cluster {address}", address=self._address)
            )
        while not self._members:
            self._turn()
        self._started = True

    def prepare(self, submissions: Iterable[Place]) -> None:
        """Makes ready every variant that roster, option or file names ask for, and has the submissions
        graded from here on. Raises UsageProblem for a variant that cannot be graded on with these points
        and tolerances."""
        self.start()
        places = list(submissions)
        variants = self._briefs.variants(places)
        futures = self._alive().map(
            workers.prepare, [self._run] * len(variants), variants, workers=list(self._members),
            pure=False,
        )  # fmt: skip
        answers: list[bytes] = self._alive().gather(futures, errors="skip")
        for answer in filter(None, answers):
            raise _usage(msgspec.msgpack.decode(answer, type=Usage))
        self._waiting.extend(places)
        self._planned += len(places)

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of a submission, when it has come. Raises UsageProblem if the scheduler is gone."""
        self.start()
        place = (path, shown)
        self._turn(seconds=0)
        if shown not in self._grades and place not in (sent.place for sent in self._sent.values()):
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
        busy = Counter(sent.worker for sent in self._sent.values())
        for worker, threads in self._members.items():
            while self._waiting and busy[worker] < AHEAD * threads:
                busy[worker] += 1
                self._send(self._waiting.popleft(), worker)
        self._receive(seconds)
        self._progress.come(self._graded, self._planned, len(self._members))

    def _look(self) -> None:
        """Enrols workers that are new. What those had that are gone goes to others."""
        client, begin = self._alive(), time.monotonic()
        try:
            there = set(client.scheduler_info(n_workers=-1)["workers"])
            new = sorted(there - self._members.keys() - self._refused)
            data = msgspec.msgpack.encode(self._setup)
            answers = client.run(
                workers.enrol, self._run, data, workers=new, on_error="return"
            ) if new else {}  # fmt: skip
        except OSError:
            raise self._gone() from None
        self._look_at = time.monotonic() + max(LOOK_SECONDS, 20 * (time.monotonic() - begin))
        self._members = {a: threads for a, threads in self._members.items() if a in there}
        for address, answer in answers.items():
            if not isinstance(answer, OSError):  # it went as it came
                self._enrol(address, answer)
        for key, sent in list(self._sent.items()):
            if sent.worker not in there:
                self._lose(key)

    def _enrol(self, address: str, answer: bytes | Exception) -> None:
        """Has a worker as a member, or says why not. Raises UsageProblem for one that is there at the start."""
        problem = self._refusal(address, answer)
        if problem is None:
            return
        if not self._started:
            raise problem
        self._refused.add(address)
        self._progress.tell(f"{problem.message}; {problem.way_out}")

    def _refusal(self, address: str, data: bytes | Exception) -> UsageProblem | None:
        """Why a worker may not grade; None if it may: then it is a member."""
        answer: Enrolled | Usage = Usage(
            f"{type(data).__name__}: {data!s}",
            say("install pytest-backprop where it runs, as here, and start it again"),
        )
        if isinstance(data, bytes):
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
        here = self._setup.versions | {"sandbox": self.sandbox or answer.sandbox}
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

    # -- submissions ------------------------------------------------------------------------------

    def _send(self, place: Place, worker: str) -> None:
        self._reads(*place)
        try:
            message = msgspec.msgpack.encode(self._task(*place))
        except UsageProblem as problem:
            self._take(place, not_judged(self._setup.judge.rubric, place[1], problem, 0.0))
            return
        key = f"{self._run}-{uuid.uuid4().hex[:12]}"
        future = self._alive().submit(
            workers.grade, self._run, message, key=key, workers=[worker], pure=False
        )
        self._sent[key] = _Sent(future, place, worker)
        future.add_done_callback(self._done.put)

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

    def _receive(self, seconds: float) -> None:
        """Takes in what has come, and waits for it at most so long."""
        done = []
        with contextlib.suppress(queue.Empty):
            done.append(self._done.get(timeout=seconds) if seconds else self._done.get_nowait())
            while True:
                done.append(self._done.get_nowait())
        for future in done:
            if future.key not in self._sent:
                continue
            if future.status == "cancelled":  # nobody here did that
                raise self._gone()
            try:
                answer = future.result()
            except Exception as error:
                if type(error).__name__ in (
                    "KilledWorker",
                    "CancelledError",
                    "FutureCancelledError",
                ):
                    self._alive()
                    self._lose(future.key)
                else:
                    self._fail(future.key, f"{type(error).__name__}: {error}")
                continue
            self._take(self._sent.pop(future.key).place, msgspec.json.decode(answer, type=Grade))

    def _lose(self, key: str) -> None:
        """The worker that had a submission is gone."""
        place = self._sent[key].place
        self._deaths[place] += 1
        if self._deaths[place] < DEATHS and self._members:
            del self._sent[key]  # without a reference the scheduler lets go of it
            self._waiting.appendleft(place)
        else:
            self._fail(key, say("the Dask workers that had it died, one after another"))

    def _fail(self, key: str, reason: str) -> None:
        place = self._sent.pop(key).place
        fault = GraderFault(reason)
        self._take(place, not_judged(self._setup.judge.rubric, place[1], fault, 0.0))

    def _take(self, place: Place, grade: Grade) -> None:
        self._graded += 1
        self._grades[grade.path] = grade
        self._came(*place, grade)


def _usage(problem: Usage) -> UsageProblem:
    return UsageProblem(problem.message, problem.way_out)
