"""The workers of a Dask cluster grade, in place of the judges of this machine.

What is sent to them is msgpack, schema-checked: Dask pickles nothing of a submission's but names of
functions, bytes, and what they raise. Which worker has which, and who has it when that one dies, is
Dask's business. A worker gets work once it is enrolled: a grade must not depend on which it was."""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
import uuid
import weakref
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from ..classroom.hand_in import HandInProblem
from ..errors import GraderFault, SubmissionProblem, UsageProblem
from ..exercises import BUILT_IN
from ..grading.assignment import Brief
from ..grading.grades import not_judged
from ..grading.judge.judges import Judges, Setup
from ..grading.rubric import planned
from ..messages import say, say_count, use_language
from ..model import Grade
from ..processes.client import probe
from ..processes.protocol import Policy
from ..resume import versions
from ..submission import read_bytes

if TYPE_CHECKING:
    from distributed import Client


class ClusterSetup(Struct, frozen=True):
    """All that the grades of a run depend on, but for the submissions. `bank` has the files of the
    folder of tasks, which is called `folder`. A worker must have these `versions`."""

    judge: Setup
    folder: str
    bank: dict[str, bytes]
    versions: dict[str, str | None]


class Task(Struct, frozen=True):
    """Grade a submission: the name of the file, as the file system has it, its bytes, and how
    reports name it."""

    name: bytes
    content: bytes
    shown: str
    briefs: tuple[Brief, ...]


_runs: dict[str, tuple[tempfile.TemporaryDirectory[str], Judges]] = {}
"""By the name of a run its folder and its judges in this process, which end with that."""
RUNS = 4
"""So many runs at a time have judges here; those of an older one end when no thread uses them."""


def enrol(
    run: str, data: bytes, level: Policy | None, dask_worker: Any = None
) -> tuple[int, Policy]:
    """Starts this worker's judges. Gives how many threads it has, and the sandbox that children
    reach. Raises UsageProblem where it has other versions than pytest's side, or does not reach
    `level`, the sandbox of the others, if there is one."""
    setup = msgspec.msgpack.decode(data, type=ClusterSetup)
    use_language(setup.judge.language)
    reached = probe()
    models = any("onnx" in planned(part.rubric) for part in setup.judge.parts)
    there = versions(models) | {"sandbox": str(reached)}
    wanted = setup.versions | {"sandbox": str(level or reached)}
    different = [
        say("{package} {there} (here {here})", package=name, there=there.get(name), here=here)
        for name, here in wanted.items()
        if there.get(name) != here
    ]
    if different:
        text = say("it has another version: {versions}", versions=", ".join(different))
        raise UsageProblem(text, "")
    folder = tempfile.TemporaryDirectory(
        prefix="backprop-", dir=dask_worker.local_directory, ignore_cleanup_errors=True
    )
    bank = Path(folder.name) / "bank" / setup.folder
    bank.mkdir(parents=True)
    for name, content in setup.bank.items():
        (bank / name).parent.mkdir(parents=True, exist_ok=True)
        (bank / name).write_bytes(content)
    judge = msgspec.structs.replace(setup.judge, bank=os.fsencode(bank))
    halves = dict.fromkeys(BUILT_IN[part.kind].child for part in judge.parts)
    judges = Judges(judge, 1, halves=tuple(halves))
    weakref.finalize(folder, judges.close)
    _runs[run] = folder, judges
    while len(_runs) > RUNS:
        del _runs[next(iter(_runs))]
    judges.prepare(())  # it can grade
    return dask_worker.state.nthreads, reached


def prepare(run: str, tasks: tuple[tuple[int, str], ...]) -> None:
    """Makes tasks ready. Raises UsageProblem for one that cannot be graded on."""
    _runs[run][1].prepare(tasks)


def grade(run: str, message: bytes) -> bytes:
    """The grade of a Task, as JSON."""
    folder, judges = _runs[run]
    task = msgspec.msgpack.decode(message, type=Task)
    with tempfile.TemporaryDirectory(dir=folder.name, ignore_cleanup_errors=True) as own:
        path = Path(own) / os.fsdecode(task.name)
        path.write_bytes(task.content)
        return msgspec.json.encode(judges.grade(path, task.shown, task.briefs))


def leave(run: str) -> None:
    """Ends the judges of a run, also in the middle of a submission."""
    if run in _runs:
        _runs.pop(run)[1].close()


# -- pytest's side ------------------------------------------------------------------------------

CONNECT_SECONDS = 20.0
LOOK_SECONDS = 3.0
"""From one look at the scheduler's workers to the next."""
TRIES = 3
"""So often may all workers go that had a submission."""


class Cluster:
    """Grades submissions on the workers of one Dask scheduler. `close` it when done."""

    most = 1_000

    def __init__(self, address: str, setup: ClusterSetup, tell: Callable[[str], None]) -> None:
        """`tell` writes a line on the terminal."""
        self._address = address
        self._parts = setup.judge.parts
        self._data = msgspec.msgpack.encode(setup)
        self._tell = tell
        self._run = f"backprop-{uuid.uuid4().hex[:12]}"
        self._client: Client | None = None
        self._members: dict[str, int] = {}
        """Enrolled workers by their addresses, and how many threads they have."""
        self._refused: set[str] = set()
        self._count = -1  # of the members of which the terminal was told
        self._look_at = 0.0
        self.sandbox: Policy | None = None

    def room(self) -> int:
        """The threads of all workers, after which it looks from time to time. Raises UsageProblem
        if the scheduler is gone."""
        if time.monotonic() >= self._look_at:
            self._look_at = time.monotonic() + LOOK_SECONDS
            for problem in self._enrolled():
                self._tell(f"{problem.message}; {problem.way_out}")
        return min(self.most, sum(self._members.values()))

    def start(self) -> None:
        """Connects, and enrols the workers that are there; waits for the first if there is none.
        Raises UsageProblem if the scheduler does not answer, or a worker may not grade."""
        try:
            from distributed import Client

            self._client = Client(
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
        while not self._members:
            for problem in self._enrolled():
                raise problem
            time.sleep(0 if self._members else LOOK_SECONDS)

    def prepare(self, tasks: Iterable[tuple[int, str]]) -> None:
        """Makes tasks ready. Raises UsageProblem if one cannot be graded on."""
        workers = list(self._members)
        future = self._alive().submit(prepare, self._run, tuple(tasks), workers=workers)
        problem = future.exception()
        if isinstance(problem, UsageProblem):
            raise problem  # a fault is told with each grade

    def grade(self, path: Path, shown: str, briefs: Sequence[Brief]) -> Grade:
        """The grade by some worker. Raises UsageProblem if the scheduler is gone."""
        content, parts = b"", [self._parts[brief.part] for brief in briefs]
        if briefs[0].problem is None:
            try:
                content = read_bytes(path, shown)
            except SubmissionProblem as reason:
                problem = HandInProblem(reason.kind, reason.message, reason.way_out)
                briefs = [msgspec.structs.replace(brief, problem=problem) for brief in briefs]
        task = Task(os.fsencode(path.name), content, shown, tuple(briefs))
        message = msgspec.msgpack.encode(task)
        fault = say("the Dask workers that had it died, one after another")
        for _ in range(TRIES):
            workers = list(self._members)
            future = self._alive().submit(grade, self._run, message, workers=workers, pure=False)
            while self._members.keys() & workers:
                try:
                    return msgspec.json.decode(future.result(timeout=LOOK_SECONDS), type=Grade)
                except TimeoutError:
                    self._alive()
                except BaseException as error:
                    if future.status == "cancelled":  # nobody here did that
                        raise self._gone() from None
                    if type(error).__name__ != "KilledWorker":  # Dask has tried several
                        fault = f"{type(error).__name__}: {error}"
                    return not_judged(parts, shown, GraderFault(fault))
            future.cancel()
        return not_judged(parts, shown, GraderFault(fault))

    def close(self) -> None:
        """Ends what is being graded, takes back the rest, and leaves the cluster as it was."""
        client, self._client = self._client, None
        if client is None:
            return
        with contextlib.suppress(Exception):  # it may be gone
            client.run(leave, self._run, on_error="ignore")
            client.close(timeout=CONNECT_SECONDS)

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

    def _enrolled(self) -> list[UsageProblem]:
        """Makes members of workers that are new, forgets those that are gone, tells how many there
        are if that changed, and gives for each that may not grade the reason."""
        client, problems = self._alive(), []
        try:
            present = set(client.scheduler_info(n_workers=-1)["workers"])
        except OSError:
            raise self._gone() from None
        self._members = {a: threads for a, threads in self._members.items() if a in present}
        for address in sorted(present - self._members.keys() - self._refused):
            arguments = self._run, self._data, self.sandbox
            answers = client.run(enrol, *arguments, workers=[address], on_error="return")
            answer = answers.get(address, OSError())
            if isinstance(answer, tuple):
                self._members[address], self.sandbox = answer
            elif not isinstance(answer, OSError):  # that one went as it came
                self._refused.add(address)
                is_told = isinstance(answer, UsageProblem)
                reason = answer.message if is_told else f"{type(answer).__name__}: {answer}"
                words = {"address": address, "reason": reason}
                text = say("the Dask worker {address} cannot grade: {reason}", **words)
                way_out = say(
                    "install there what is here and start it again, or start the cluster "
                    "without it: a grade must not depend on which worker it came from"
                )
                problems.append(UsageProblem(text, way_out))
        if (count := len(self._members)) != self._count:
            self._count = count
            self._tell(
                say_count(
                    "the Dask cluster {address} has {count} worker that can grade",
                    "the Dask cluster {address} has {count} workers that can grade",
                    count,
                    address=self._address,
                )
            )
        return problems
