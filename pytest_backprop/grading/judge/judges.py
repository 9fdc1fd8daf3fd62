"""The judges' zygote: has torch and the prepared tasks, and forks judges. A judge grades several
submissions, one by one, and is stopped at a bound. What it, pytest's process and a judge say to
each other is length-prefixed msgpack, schema-checked, never pickle.

`start` makes it in a clean process. Where plugins add to grading, that is with functions which
exist in pytest's process alone, so it is forked from that. Beside it runs the zygote of
submissions, which judges share: it has torch and nothing of a grader's.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import resource
import signal
import socket
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import msgspec
import psutil
from msgspec import Struct, field
from msgspec.msgpack import Decoder
from msgspec.structs import replace

from ...errors import GraderFault, UsageProblem
from ...messages import language, say, use_language
from ...model import Grade
from ...processes.client import INTERRUPTS, Zygote
from ...processes.protocol import MAX_EVENT, Broke, ChildKind, Limits, NoMemory, frame, receive
from ...processes.sandbox import set_limit
from ...processes.zygote import ForkServer
from ..assignment import Brief
from ..grades import joined, not_judged, without_grade
from ..parts import Part

if TYPE_CHECKING:
    from ...exercises.base import Exercise
    from ...exercises.functions.bank import Bank
    from ..pipeline import Grader

MEMORY = 600 * 2**20
"""Bytes that judging one submission may take. The kernel refuses more."""
WATCHED_MEMORY = 450 * 2**20
"""Bytes at which a judge is stopped from outside: what it takes between two looks stays under
MEMORY."""
MAX_GRADE = 256 * 2**20
"""Bytes of the largest grade, with what pages draw."""
AHEAD = 2
"""Submissions that are handed out for each that is graded: that one, and one that is at hand."""
CLOCK_TIMES = 100.0
"""So many seconds of the clock count as one of a judge, which waits for processes that have limits
of their own."""

PREPARE = b"p"
"""To the zygote: comes with a link, on which tasks follow, to be made ready."""

Build = Callable[[Zygote], "Sequence[Grader]"]
"""Makes the graders, one a part, which run submissions by this zygote."""


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


class Ask(Struct, frozen=True):
    """Grade a submission: its path, as the file system has it, and how reports name it."""

    path: bytes
    shown: str
    brief: Brief
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
JUDGE = ChildKind("grading.judge.start", Decoder(Answer), requests=16)
GRADE = msgspec.json.Decoder(Grade)


class Judges(Zygote):
    """The zygote of judges, of which each grades several submissions, one by one. Threads may share
    it. `close` it when done."""

    def __init__(
        self, setup: Setup, most: int, build: Build | None = None, halves: Sequence[str] = ()
    ) -> None:
        """As many as `most` submissions are to be graded at a time. The zygote is started in a
        clean process; with `build`, which makes its grader, it is forked from this one. `halves`
        are modules that children need: the child's halves of exercises."""
        super().__init__(JUDGE, halves)
        self.sandbox = ""  # this machine's
        self.most = most
        self._setup = setup
        self._build = build
        self._ready: set[tuple[int, str]] = set()
        # judging may take twice what the submission may run
        seconds = 2 * setup.plan["seconds"]
        self._limits = Limits(
            seconds, WATCHED_MEMORY, sandbox=False, answer=MAX_GRADE, clock_times=CLOCK_TIMES
        )

    def room(self) -> int:
        return AHEAD * self.most

    def _start(self) -> None:
        self._ready = set()
        if (build := self._build) is not None:
            self.fork(lambda link: serve_build(link, build, self._halves))
            return
        super()._start()
        assert self._commands is not None
        # one that ended at once has its last words told when it is asked
        with contextlib.suppress(OSError):
            self._commands.sendall(frame(self._setup))

    def prepare(self, tasks: Iterable[tuple[int, str]]) -> None:
        """Makes tasks of parts ready, the parts by their positions. Raises UsageProblem for one
        that cannot be graded on with these points and tolerances, GraderFault."""
        missing = tuple(task for task in tasks if task not in self._ready)
        if self._ready and not missing:
            return
        answer: Answer | None = None
        with contextlib.suppress(OSError), self.command(PREPARE) as link:
            link.sendall(frame(missing))
            answer = receive(link, Answer, MAX_EVENT)  # type: ignore[arg-type]
        if isinstance(answer, Usage):
            raise UsageProblem(answer.message, answer.way_out)
        if not isinstance(answer, Done):
            raise GraderFault(answer.message if isinstance(answer, Broke) else self.last_words())
        self._ready.update(missing)
        self.retire()

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
            outcome = self.run(Ask(os.fsencode(path), shown, brief, self._limits))
            answer = outcome.answer
            if isinstance(answer, Usage):
                raise UsageProblem(answer.message, answer.way_out)
        except (UsageProblem, GraderFault) as reason:
            return not_judged([replace(part, name="")], shown, reason)
        if isinstance(answer, Done):
            grade = GRADE.decode(answer.grade)
            if assigned.variant is None:
                self._prepare_quietly(brief.part, grade.variant)  # for those that come
            return grade
        message = say(
            "its recording could not be judged: {reason}; look for ops with extreme arguments, "
            "write the pass in fewer ops on smaller tensors, or give more by --backprop-timeout",
            reason=outcome.message or say("more than {limit:.0f} MB", limit=MEMORY / 2**20),
        )
        # no zero: how long judging takes follows from the task and the machine, too
        return without_grade(part.rubric, shown, "not_judged", message, assigned)

    def _prepare_quietly(self, part: int, variant: str | None) -> None:
        if variant is not None:
            with contextlib.suppress(UsageProblem, GraderFault):  # comes with its grade
                self.prepare([(part, variant)])


def serve_setup(link_fd: int, children: Zygote) -> NoReturn:
    """In a clean process: is sent a Setup on the socket `link_fd`, which it serves from then on.
    `children` forks what runs submissions."""
    link = socket.socket(fileno=link_fd)
    if (setup := receive(link, Setup, MAX_GRADE)) is None:
        os._exit(0)
    use_language(setup.language)

    def build(children: Zygote) -> list[Grader]:
        from ...exercises import BUILT_IN

        folder = Path(os.fsdecode(setup.bank))
        kinds = {part.kind: BUILT_IN[part.kind] for part in setup.parts}
        banks = {kind: exercise.load_bank(folder) for kind, exercise in kinds.items()}
        return setup.graders(kinds, banks, children)

    JudgeServer(link.detach(), build, children).serve()


def serve_build(link: socket.socket, build: Build, halves: Sequence[str]) -> NoReturn:
    """In a process that was forked from pytest's: ends what the two share, and serves the socket.
    `halves` are modules for children: the child's halves of exercises."""
    gc.freeze()  # what is pytest's is not collected here: a temporary folder would be removed
    signal.set_wakeup_fd(-1)
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTS)
    faulthandler.disable()
    os.environ["CUDA_VISIBLE_DEVICES"] = ""  # autograd starts threads for devices
    null = os.open(os.devnull, os.O_RDWR)
    # not closed: an object of pytest's that is closed here later must not hit a descriptor of ours
    for fd in _descriptors():
        if fd not in (link.fileno(), null):
            with contextlib.suppress(OSError):
                os.dup2(null, fd, inheritable=fd < 3)
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    JudgeServer(link.detach(), build, Zygote(halves=halves)).serve()


def _descriptors() -> list[int]:
    return [int(name) for name in os.listdir("/dev/fd")]


class JudgeServer(ForkServer):
    """Prepares tasks in the zygote, and grades a submission in a process that was forked from
    it."""

    ends_strays = False  # the zygote of submissions is below it, and takes care of its own
    requests = JUDGE.requests

    def __init__(self, link_fd: int, build: Build, children: Zygote) -> None:
        super().__init__(link_fd, Decoder(Ask), self._grade)
        self._graders: Sequence[Grader] | Exception
        with contextlib.suppress(GraderFault, OSError):  # is tried again when it is needed
            children.start()
        try:
            import torch

            torch.set_num_threads(1)
            self._graders = build(children)
        except Exception as problem:  # is told with each grade
            self._graders = problem

    def before_fork(self) -> tuple[int, ...]:
        """Gives the descriptors that lead to the zygotes by which a judge runs what it must."""
        if isinstance(self._graders, Exception):
            return ()
        zygotes = dict.fromkeys(zygote for each in self._graders for zygote in each.started())
        return tuple(zygote.fileno() for zygote in zygotes)

    def obey(self, command: bytes, link: socket.socket) -> None:
        """Makes tasks ready: there is no other command."""
        tasks = receive(link, tuple[tuple[int, str], ...], MAX_GRADE)
        if tasks is None:
            return

        def prepare(graders: Sequence[Grader]) -> None:
            for part, grader in enumerate(graders):
                grader.prepare(name for asked, name in tasks if asked == part)

        answer = self._asked(prepare)
        gc.freeze()  # what is here is shared by all judges
        link.sendall(frame(answer))

    def _grade(self, request: Ask) -> Answer:
        """In a process of its own."""

        def grade(graders: Sequence[Grader]) -> Grade:
            set_limit(resource.RLIMIT_AS, psutil.Process().memory_info().vms + MEMORY)
            grader, path = graders[request.brief.part], Path(os.fsdecode(request.path))
            return grader.grade(path, request.shown, request.brief)

        return self._asked(grade)

    def _asked(self, ask: Callable[[Sequence[Grader]], Grade | None]) -> Answer:
        try:
            if isinstance(self._graders, Exception):
                raise self._graders
            return Done(msgspec.json.encode(ask(self._graders)))
        except MemoryError:
            return NoMemory()
        except UsageProblem as problem:
            return Usage(problem.message, problem.way_out)
        except GraderFault as fault:
            return Broke(str(fault))
        except Exception as error:
            return Broke(f"{type(error).__name__}: {error}")
