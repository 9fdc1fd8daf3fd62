"""Judges: processes with torch and the prepared tasks, of which each grades several submissions,
one by one, and is stopped at a bound. What pytest's process and a judge say to each other is
length-prefixed msgpack, schema-checked, never pickle.

`start` makes one in a clean process, or what forks them. Where plugins add to grading, that is with
functions which exist in pytest's process alone, so what forks judges is forked from that. Beside it
runs the worker of submissions, which has torch and nothing of a grader's. A desk keeps judges for
the next question on the tasks of a folder, as a kernel or who watches a file asks many."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import msgspec
from msgspec import Struct, field
from msgspec.msgpack import Decoder
from msgspec.structs import replace

from ...errors import GraderFault, UsageProblem
from ...exercises import BUILT_IN
from ...messages import language, say
from ...model import Grade
from ...processes.client import FORKS, Worker, worker
from ...processes.protocol import Broke, ChildKind, Limits, NoMemory, Policy, frame
from ...processes.usage import PATIENCE
from ..assignment import Brief, Part, read_parts
from ..grades import joined, not_judged, without_grade
from ..rubric import default_rubric

if TYPE_CHECKING:
    from ...exercises.base import Exercise
    from ...exercises.functions.bank import Bank
    from ..pipeline import Grader

MEMORY = 1000 * 2**20
"""Bytes that judging one submission may take. The kernel refuses more."""
WATCHED_MEMORY = 800 * 2**20
"""Bytes at which a judge is stopped from outside: what it takes between two looks stays under
MEMORY."""
MAX_GRADE = 256 * 2**20
"""Bytes of the largest grade, with what pages draw."""
AHEAD = 2
"""Submissions that are handed out for each that is graded: that one, and one that is at hand."""
CLOCK_TIMES = 100.0
"""So many seconds of the clock count as one of a judge, which waits for processes that have limits
of their own."""

MAKING_READY = 120.0
"""Seconds that a judge may take beyond that for tasks, which one that is forked finds ready."""

Build = Callable[[Worker], "Sequence[Grader]"]
"""Makes the graders, one a part, which run submissions by this worker."""


def plan_of(settings: Mapping[str, Any], draws: bool) -> dict[str, Any]:
    """The values of a `GradingPlan`, of settings by their fields; `draws`: for pages that draw."""
    as_they_are = ("variant", "class_name", "seed", "points", "rtol", "atol")
    return {
        **{name: settings[name] for name in as_they_are},
        "seconds": settings["timeout"],
        "memory": settings["memory_mb"] * 2**20,
        "sandbox": settings["sandbox"] != "off",
        "drawing": draws,
    }


class Setup(Struct, frozen=True):
    """All that the `Grader`s of some parts are built with, but what plugins add. `plan` has the
    values of a `GradingPlan`, `bank` is the folder of the tasks, as the file system has it."""

    plan: dict[str, Any]
    parts: tuple[Part, ...]
    bank: bytes
    language: str

    def graders(
        self, kinds: Mapping[str, Exercise], banks: Mapping[str, Bank], *added: Any
    ) -> list[Grader]:
        """The graders, one a part; `added` is what else each is made with. Imports torch."""
        from ..pipeline import Grader, GradingPlan

        graders = []
        for part in self.parts:
            plan = self.plan | {"class_name": part.class_name or self.plan["class_name"]}
            plans = GradingPlan(**plan, exercise=kinds[part.kind])
            graders.append(Grader(plans, part.rubric, banks[part.kind], *added))
        return graders


class Ask(Struct, frozen=True, tag="ask"):
    """Grade a submission: its path, as the file system has it, and how reports name it."""

    path: bytes
    shown: str
    brief: Brief
    limits: Limits
    language: str = field(default_factory=language)


class Prepare(Struct, frozen=True, tag="prepare"):
    """Make tasks of parts ready, the parts by their positions."""

    tasks: tuple[tuple[int, str], ...]
    limits: Limits
    language: str = field(default_factory=language)


class Done(Struct, frozen=True, tag="done"):
    """What was asked is done. `grade` is JSON, as what plugins put into details need not be of
    types that msgpack has."""

    grade: bytes = b""


class Usage(Struct, frozen=True, tag="usage"):
    """A UsageProblem, to be raised in pytest's process."""

    message: str
    way_out: str


Answer = Done | Usage | NoMemory | Broke
# made here, in one thread: msgspec crashes if two threads ask for a new type at once
JUDGE = ChildKind("grading.judge.start", Decoder(Answer), requests=16, has_descendants=False)
GRADE = msgspec.json.Decoder(Grade)


class Judges:
    """Has judges grade submissions. Threads may share it. `close` it when done."""

    def __init__(
        self, setup: Setup, most: int, build: Build | None = None, halves: Sequence[str] = ()
    ) -> None:
        """As many as `most` submissions are to be graded at a time. With `build`, which makes the
        graders, judges are forked from this process. `halves` are modules that children need: the
        child's halves of exercises."""

        def serve(link: Any) -> NoReturn:
            from .forking import serve_build

            assert build is not None
            serve_build(link, build, halves)

        self.worker = worker(JUDGE, halves, frame(setup), build and serve)
        self.sandbox: Policy | None = None  # this machine's
        self.most = most
        self._setup = setup
        self._ready: set[tuple[int, str]] = set()
        # judging may take twice what the submission may run
        seconds = 2 * setup.plan["seconds"] + (0 if FORKS else MAKING_READY)
        self._limits = Limits(
            seconds, WATCHED_MEMORY, sandbox=False, answer=MAX_GRADE, clock_times=CLOCK_TIMES
        )

    def room(self) -> int:
        return AHEAD * self.most

    def start(self) -> None:
        """They import torch meanwhile. Raises GraderFault."""
        self.worker.start()

    def close(self) -> None:
        """Ends them, also in the middle of a submission."""
        self.worker.close()

    def prepare(self, tasks: Iterable[tuple[int, str]]) -> None:
        """Makes tasks of parts ready, the parts by their positions. Raises UsageProblem for one
        that cannot be graded on with these points and tolerances, GraderFault."""
        missing = tuple(task for task in tasks if task not in self._ready)
        if self._ready and not missing:
            return
        answer = self.worker.instruct(Prepare(missing, replace(self._limits, seconds=PATIENCE)))
        if isinstance(answer, Usage):
            raise UsageProblem(answer.message, answer.way_out)
        if not isinstance(answer, Done):
            raise GraderFault(answer.message if isinstance(answer, Broke) else say("no memory"))
        self._ready.update(missing)

    def grade(self, path: Path, shown: str, briefs: Sequence[Brief]) -> Grade:
        """Grades one submission on its parts. `shown` is how reports name it. Never raises for what
        a submission does."""
        parts = [self._setup.parts[brief.part] for brief in briefs]
        grades = [self._graded(path, shown, brief) for brief in briefs]
        return joined(parts, grades)

    def _graded(self, path: Path, shown: str, brief: Brief) -> Grade:
        """Its grade on one part, by a judge that others may have used before."""
        part, assigned = self._setup.parts[brief.part], brief.assigned
        self._prepare_quietly(brief.part, assigned.variant)
        try:
            outcome = self.worker.run(Ask(os.fsencode(path), shown, brief, self._limits))
            answer = outcome.answer
            if isinstance(answer, Usage):
                raise UsageProblem(answer.message, answer.way_out)
        except (UsageProblem, GraderFault) as reason:
            self._ready.clear()  # what forks judges may be another by now
            return not_judged([replace(part, name="")], shown, reason)
        if isinstance(answer, Done):
            grade = GRADE.decode(answer.grade)
            if assigned.variant is None:
                self._prepare_quietly(brief.part, grade.variant)  # for those that come
            return grade
        message = say(
            "its recording could not be judged: {reason}; look for ops with extreme arguments, "
            "write the pass in fewer ops on smaller tensors, or give more by the setting `timeout`",
            reason=outcome.message or say("more than {limit:.0f} MB", limit=MEMORY / 2**20),
        )
        # no zero: how long judging takes follows from the task and the machine, too
        return without_grade(part.rubric, shown, "not_judged", message, assigned)

    def _prepare_quietly(self, part: int, variant: str | None) -> None:
        if variant is not None:
            with contextlib.suppress(UsageProblem, GraderFault):  # comes with its grade
                self.prepare([(part, variant)])


# -- a desk ---------------------------------------------------------------------------------------


FOLDERS = 3
"""Of tasks, for which someone is ready at a time: each takes some hundred megabytes."""


class Ready(NamedTuple):
    """Who grades on the tasks of a folder, what they were started for, and what is asked."""

    judges: Judges
    wanted: object
    parts: tuple[Part, ...]


class Desk:
    """Where questions are graded, by processes that are started once for a folder of tasks, and
    anew where that or the settings change. They end with this process. `close` it when done."""

    def __init__(self, draws: bool = False) -> None:
        """`draws`: grades have what pages draw."""
        self._draws = draws
        self._made = tempfile.TemporaryDirectory(prefix="backprop-", ignore_cleanup_errors=True)
        self.room = Path(self._made.name).resolve()
        """A private folder."""
        self._settings: dict[Path, Ready] = {}

    def ready(self, folder: Path, settings: Mapping[str, Any]) -> Ready:
        """Starts who grades, if that is not at work, and returns at once. `settings` has the fields
        of `Settings`. Raises UsageProblem."""
        asked = settings["kind"], settings["assignment"], settings["rubric"]
        files = [*sorted(folder.glob("*.py")), *filter(None, asked[1:])]
        stamps = [(file, file.stat().st_mtime_ns) for file in files if file.is_file()]
        plan = plan_of(settings, self._draws)
        wanted = plan, asked, stamps
        before = self._settings.get(folder)
        if before is not None and before.wanted == wanted:
            return before
        self._end(folder)
        kind, assignment, rubric = asked
        parts = read_parts(folder, kind, default_rubric, assignment, rubric)
        setup = Setup(plan, parts, os.fsencode(folder), settings["lang"])
        judges = Judges(setup, 1, None, [BUILT_IN[part.kind].child for part in parts])
        self._settings[folder] = ready = Ready(judges, wanted, parts)
        for oldest in [*self._settings][:-FOLDERS]:
            self._end(oldest)
        with self._or_end(folder):
            judges.start()
        return ready

    def grade(self, folder: Path, path: Path, shown: str, briefs: Sequence[Brief]) -> Grade:
        """The grade of a submission on tasks of a folder for which someone is ready. Raises
        UsageProblem for a task that cannot be graded on."""
        judges = self._settings[folder].judges
        asked = [(each.part, each.assigned.variant) for each in briefs]
        with self._or_end(folder):
            with contextlib.suppress(GraderFault):  # is told with the grade
                judges.prepare([(part, task) for part, task in asked if task is not None])
            return judges.grade(path, shown, briefs)

    @contextlib.contextmanager
    def _or_end(self, folder: Path) -> Iterator[None]:
        """Ends who grades if it does not come to its end, as of Ctrl-C: nobody waits for the
        answer."""
        try:
            yield
        except UsageProblem:
            raise
        except BaseException:
            self._end(folder)
            raise

    def stop(self) -> None:
        """Ends whoever grades, also in the middle of a submission of another thread's, which may
        be about to start another: to be called until that is done."""
        for ready in [*self._settings.values()]:
            ready.judges.close()

    def close(self) -> None:
        """Ends whoever grades."""
        for folder in [*self._settings]:
            self._end(folder)
        self._made.cleanup()

    def _end(self, folder: Path) -> None:
        if (ready := self._settings.pop(folder, None)) is not None:
            ready.judges.close()
