"""`backprop watch`: grades a file, and again each time that it is saved, or that changes which it
is graded with.

Editors write in pieces, put another file in its place, or take it away for a moment. So what cannot
be read is told only where it is still so at the next look."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from ..classroom import Planner
from ..classroom.names import SUBMISSIONS
from ..errors import UsageProblem
from ..exercises import built_in
from ..exercises.functions.bank.library import whole_bank
from ..grading.assignment import Briefs, check_assignments
from ..grading.judge.judges import Desk
from ..messages import either, say, use_language
from ..options import HELP, SHORT, course_bank, near_bank, read_texts
from ..reports.document import SubmissionEntry
from ..reports.entries import entry_of, for_student
from ..reports.feedback import is_judged
from ..reports.terminal import account
from ..reports.text import decimal, variant_label
from ..session.class_paths import wanted_of
from .grade import ini_file

SETTINGS = tuple(
    "variant variants assignment rubric class seed points timeout memory hints lang".split()
)
"""The options of grading that it takes, with `backprop-` before them, too: hints name them so."""
LOOK = 1_000
"""Milliseconds after which it looks by itself: not every file system tells of a change."""


@click.command(
    params=[
        click.Option(
            [f"--{name}", f"--backprop-{name}"],
            metavar=SHORT[name].metavar,
            help=HELP[SHORT[name].field].partition("; default: variants/")[0],
        )
        for name in SETTINGS
    ]
)
@click.argument("file", type=click.Path(path_type=Path))
def watch(file: Path, **texts: str | None) -> None:
    """Grade FILE, a notebook or a .py file, now and again at each save, until Ctrl-C.

    A change of what it imports or of the tasks counts, too. Without --variants the tasks are those
    of the nearest folder variants/, else the built-in ones. Ini files are not read."""
    settings = read_texts({k: text for k, text in texts.items() if text is not None}, "--")
    use_language(settings["lang"])
    try:
        from watchfiles import watch as changes
    except ModuleNotFoundError:
        raise UsageProblem(
            say("`backprop watch` needs watchfiles, which is not installed"),
            say("`pip install watchfiles`, or grade once with `backprop grade`"),
        ) from None
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.suppress(KeyboardInterrupt), contextlib.closing(Desk()) as desk:
        work = Work(desk, file, settings)
        ini = ini_file(Path.cwd())
        if ini is not None and b"backprop_" in ini.read_bytes():
            text = say("{file} is not read here: give what it says as options", file=ini.name)
            click.echo(text, err=True)
        _follow(work, desk, _looks(changes, work.folders))


def _looks(
    changes: Callable[..., Iterator[Any]], folders: Callable[[], set[Path]]
) -> Iterator[Any]:
    """When to look: at once, when something changed in a folder, and every LOOK."""
    yield None
    while True:
        watched = folders()
        for _ in changes(
            *watched,
            watch_filter=None,
            debounce=300,
            recursive=False,
            rust_timeout=LOOK,
            yield_on_timeout=True,
        ):
            yield None
            if folders() != watched:
                break


def _follow(work: Work, desk: Desk, looks: Iterator[Any]) -> None:
    """Shows how the work stands, for as long as there are looks. Raises UsageProblem for what
    cannot be graded at first."""
    seen: dict[Path, object] = {}
    held: list[str] = []
    for _ in looks:
        if (now := work.stamps()) != seen:
            if sys.stdout.isatty():
                click.echo(say("grading …"))
            entry = None
            try:
                if (graded := _graded(work, desk, now)) is None:
                    continue
                held, entry = graded
            except UsageProblem as problem:
                if not seen:
                    raise
                held = [problem.wrapped("")]
            # what it imports is known by now
            seen = {path: now.get(path, stamp) for path, stamp in work.stamps().items()}
            if entry is None or entry.status == "unreadable":
                continue
            score = decimal(entry.score, 2) if is_judged(entry) else "–"
            clock = time.strftime("%H:%M:%S")
            held += ["", f"{clock}: {score}/{decimal(entry.max_score, 2)}"]
        if held:
            if sys.stdout.isatty():
                click.clear()
            click.echo("\n".join([*held, say("waiting for the next save; Ctrl-C ends"), ""]))
            held = []


def _graded(
    work: Work, desk: Desk, now: dict[Path, object]
) -> tuple[list[str], SubmissionEntry] | None:
    """What `work.graded` gives. None where what counts, `now`, changes meanwhile: nobody waits for
    the grade of what was before, as of an endless loop."""
    threads = ThreadPoolExecutor(1)
    future, is_old = threads.submit(work.graded), False
    try:
        while not wait([future], LOOK / 1_000).done:
            is_old |= not now.items() <= work.stamps().items()
            if is_old:
                desk.stop()
        return None if is_old else future.result()
    finally:
        while not wait([future], 0.1).done:  # of Ctrl-C
            desk.stop()
        threads.shutdown()


class Work:
    """A file that is graded, and what it is graded with."""

    def __init__(self, desk: Desk, file: Path, settings: dict[str, Any]) -> None:
        self._desk, self._file, self._settings = desk, file, settings
        self._path = Path(os.path.abspath(file))
        self._tasks: Path = settings["variants"] or near_bank(Path.cwd()) or course_bank()
        self._siblings: tuple[Path, ...] = ()

    def folders(self) -> set[Path]:
        """Where changes count, of what is there."""
        folders = {self._path.parent, self._tasks, *(path.parent for path in self._siblings)}
        return {folder for folder in folders if folder.is_dir()}

    def stamps(self) -> dict[Path, object]:
        """What changes with each file that counts."""
        tables = self._settings["assignment"], self._settings["rubric"]
        modules = (path for folder in self.folders() for path in folder.glob("*.py"))
        stamps: dict[Path, object] = {}
        for path in (self._path, *filter(None, tables), *modules):
            stamps[path] = None
            with contextlib.suppress(OSError):
                status = path.stat()
                stamps[path] = status.st_mtime_ns, status.st_size, status.st_ino
        return stamps

    def graded(self) -> tuple[list[str], SubmissionEntry]:
        """What is told of the work as it is now, and its entry. Raises UsageProblem."""
        if not self._path.is_file() or self._path.suffix.lower() not in SUBMISSIONS:
            suffixes = either(SUBMISSIONS)
            raise UsageProblem(
                say("there is no {suffixes} file {path}", path=self._file, suffixes=suffixes),
                say("give the path of the notebook or the .py file that you write in"),
            )
        folder, variant = self._tasks, self._settings["variant"]
        ready = self._desk.ready(folder, self._settings)
        kinds = {part.kind: built_in(part.kind) for part in ready.parts}
        bank = whole_bank({kind: each.load_bank(folder) for kind, each in kinds.items()})
        check_assignments(ready.parts, bank, variant, None)
        wanted = wanted_of(folder, kinds.values())
        planner = Planner(Path.cwd(), self._desk.room, lambda path: path == folder, wanted)
        planner.add(self._path)
        plan = planner.plan()
        if not plan.handed:
            raise UsageProblem(", ".join(plan.left_out.values()))
        shown, own = next(iter(plan.handed.items()))
        self._siblings = tuple(Path(path) for _, _, path in own.siblings)
        path = Path(own.path)
        briefs = Briefs(ready.parts, bank, None, variant, plan.handed).of(path, shown)
        grade = self._desk.grade(folder, path, shown, briefs)
        grade = replace(grade, notes=(*own.notes, *grade.notes))
        entry, hints = for_student(entry_of(grade), self._settings["hints"])
        title = f"{shown} · {variant_label(entry.variant, entry.variant_source)}"
        return account(entry, title, hints), entry
