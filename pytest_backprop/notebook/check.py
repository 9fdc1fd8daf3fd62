"""`check`: one question of a cell, from what it names to the answer under it; and `%%backprop v8`,
which runs a cell first."""

from __future__ import annotations

import ast
import contextlib
import difflib
import functools
import reprlib
import shlex
import types
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ..errors import UsageProblem
from ..exercises.functions.bank.library import exercise_of
from ..exercises.functions.bank.support import calls_of
from ..grading.assignment import Assigned, Brief
from ..grading.judge.judges import Desk
from ..messages import LANGUAGES, language, listed, phrase, say, speaking
from ..model import Grade
from ..model.verdict import in_order
from ..options import near_bank, read_texts
from ..reports.document import FindingEntry
from ..reports.entries import entry_of, for_student
from ..reports.feedback import Hints, is_right
from ..reports.terminal import account
from ..submission.parse import parse_text
from .kernel import Kernel, is_of_library, python_of, stopped_once
from .tasks import find_task

SETTINGS = ("rubric", "seed", "points", "timeout", "memory", "sandbox", "hints", "lang")
"""What may be set in a cell, of the command line's options."""
GIVE = phrase('give what is yours, as `check(Graph, "v8")`, or None for what the task asks for')
NOT_ASKED_FOR = ("unknown-class", "no-class", "no-forward")
"""Kinds of findings of a class or function of which the task asks nothing."""


class NotRight(AssertionError):
    """What a strict check raises. `result` is what was found."""

    def __init__(self, result: Result) -> None:
        super().__init__(repr(result))
        self.result = result

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def check(
    target: Any, task: Any = None, *, strict: bool = False, variants: Any = None, **settings: Any
) -> Result | None:
    """Grades what this kernel has, and shows the answer under the cell.

    `target` is the class, or the function, or a list of functions, itself or by its name; with None
    it is whatever the task asks for. `task` is the name of a task, as "v8", its function, or a
    module that is a task's file. `variants` is the folder of tasks, or a module of the course's
    that has them; without it the folder `variants` that is nearest, else what comes with the
    package. `settings` are options of the command line: `rubric`, `seed`, `points`, `timeout`,
    `memory`, `sandbox`, `hints`, `lang`.

    A strict check is silent where all is right, and raises NotRight otherwise. Raises UsageProblem
    for what cannot be graded as it is asked."""
    kernel, language = Kernel(), settings.get("lang")
    with stopped_once(kernel.shows_pages), speaking(language if language in LANGUAGES else "en"):
        return _checked(kernel, target, task, strict, variants, _read(settings))


def _checked(
    kernel: Kernel, target: Any, task: Any, strict: bool, variants: Any, values: Mapping[str, Any]
) -> Result | None:
    desk = _desk()
    if isinstance(variants, str):
        variants = Path(variants).expanduser()
    folder, name = find_task(task, variants, kernel, desk.room)
    things = [*dict.fromkeys(_things(target, kernel))]
    _check_names([thing.__name__ for thing in things], name, calls_of(folder / f"{name}.py"))
    submission = kernel.handed_in(things)
    parts = desk.ready(folder, values).parts
    kind = exercise_of(folder / f"{name}.py")
    number = [part.kind for part in parts].index(kind)
    brief = Brief(Assigned(name, "option"), part=number, submission=submission)
    with _placeholder(kernel, not strict) as shown:
        grade = desk.grade(folder, Path(submission.path), submission.path, [brief])
        for finding in (each for graded in grade.checks for each in graded.result.findings):
            if finding.kind in NOT_ASKED_FOR and things:
                raise UsageProblem(finding.message, finding.hint or "")
        remarks = [text for thing in things for text in kernel.remarks(thing)]
        result = Result(grade, submission.class_name, values["hints"], remarks)
        if strict and not result.is_right:
            raise NotRight(result)
        if strict:
            return None
        result.show(kernel.shell, shown)
    return result


def _read(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a check. Raises UsageProblem for one that a cell has not, or a value that it
    does not take."""
    for setting in settings.keys() - {*SETTINGS}:
        raise UsageProblem(
            say("there is no setting {name!r} in a cell", name=setting),
            say("known: {names}", names=", ".join(["strict", "variants", *SETTINGS])),
        )
    return read_texts(settings)


def start() -> None:
    """Makes ready who grades on the tasks that are near, for the first question."""
    if (folder := near_bank(Path.cwd())) is not None:
        with contextlib.suppress(UsageProblem):  # is told then
            _desk().ready(folder, read_texts({}))


@functools.cache
def _desk() -> Desk:
    """The kernel's own."""
    return Desk(draws=True)


def _things(target: Any, kernel: Kernel) -> Iterator[Any]:
    """The classes or functions that are meant. Raises UsageProblem."""
    if isinstance(target, str):
        if target not in kernel.names:
            near = difflib.get_close_matches(target, kernel.names, 1)
            raise UsageProblem(
                say("this kernel has no `{name}`", name=target),
                say("did you mean `{name}`?", name=near[0])
                if near
                else say("run the cell that defines it; after a restart none has run"),
            )
        target = kernel.names[target]
    if isinstance(target, list | tuple | set):
        if not target:
            raise UsageProblem(say("{target} names nothing to grade", target=target), say(GIVE))
        for each in target:
            yield from _things(each, kernel)
    elif target is not None:
        yield _thing(target)


def _thing(target: Any) -> Any:
    """A class or function, or the class of an object. Raises UsageProblem for what cannot be a
    student's."""
    thing = target if isinstance(target, type | types.FunctionType) else type(target)
    if is_of_library(thing):
        if thing is not target:
            text = say("{target} is no class and no function", target=reprlib.repr(target))
        else:
            words = {"name": thing.__name__, "module": thing.__module__}
            text = say("`{name}` is a library's, of {module}: nothing of it is yours", **words)
        raise UsageProblem(text, say(GIVE))
    if not thing.__qualname__.isidentifier():
        raise UsageProblem(
            say("`{name}` is not defined at the top of a cell or a file", name=thing.__qualname__),
            say("define it there by `class` or `def`, without indentation, and give that"),
        )
    return thing


def _check_names(names: Sequence[str], task: str, calls: Sequence[str]) -> None:
    """Raises UsageProblem for names of which a task asks nothing."""
    wrong = [name for name in names if name not in calls] if len(calls) > 1 else names[1:]
    if not wrong:
        return
    words = {"task": task, "names": listed([f"`{name}`" for name in names])}
    if len(calls) > 1:
        called = listed([f"`{name}`" for name in calls])
        text = say("{task} asks for {called}, not for {names}", called=called, **words)
    else:
        text = say("{task} asks for one class or function, not for {names}", **words)
    raise UsageProblem(text, say(GIVE))


@contextlib.contextmanager
def _placeholder(kernel: Kernel, wanted: bool) -> Iterator[Any]:
    """What stands where the card will, as long as it is worked out; None where nothing is shown."""
    if not wanted or not kernel.shows_pages:
        yield None
        return
    from IPython.display import DisplayHandle

    handle: Any = DisplayHandle()  # type: ignore[no-untyped-call]
    try:
        handle.display({"text/plain": say("grading …")}, raw=True)
        yield handle
    except BaseException:
        handle.update({"text/plain": ""}, raw=True)
        raise


# -- the answer -----------------------------------------------------------------------------------


class Result:
    """What was found. `score` is of `max_score`; `findings` have a `kind`, a `message`, and a
    `line` in a `cell`, those to read first first; `is_right` is whether all of it was judged and is
    right."""

    def __init__(
        self, grade: Grade, name: str | None, hints: Hints, remarks: Sequence[str] = ()
    ) -> None:
        """`name` is that of what was graded, where there is one; `remarks` are notes on it."""
        whole = entry_of(replace(grade, notes=(*remarks, *grade.notes)))
        self._entry, self._hints = for_student(whole, hints)
        self._drawing = grade.drawing
        self._language = language()
        self._title = " · ".join(filter(None, [name, grade.variant]))
        self.score = self._entry.score
        self.max_score = self._entry.max_score
        self.is_right = is_right(whole)
        self._shell: Any = None
        self._shown_in = 0

    @property
    def findings(self) -> list[FindingEntry]:
        """All findings, by the checks that they are of."""
        return [each for check in self._entry.checks for each in in_order(check.findings)]

    def __repr__(self) -> str:
        with speaking(self._language):
            return "\n".join(account(self._entry, self._title, self._hints))

    def page(self) -> str:
        """The card, as HTML."""
        from ..reports.html_report import card  # with jinja and pygments

        with speaking(self._language):
            return card(self._entry, self._title, self._drawing, self._hints)

    def show(self, shell: Any, handle: Any) -> None:
        """Shows the card in place of what a handle shows, if there is one."""
        if handle is not None:
            self._shell, self._shown_in = shell, shell.execution_count
            handle.update(self._repr_mimebundle_(), raw=True)

    def _ipython_display_(self) -> None:
        """The last value of a cell is shown: not again in the cell that asked for it."""
        if self._shell is None or self._shown_in != self._shell.execution_count:
            raise NotImplementedError  # as anything else

    def _repr_mimebundle_(self, **_: object) -> Mapping[str, Any]:
        return {"text/plain": repr(self), "text/html": self.page()}


# -- the magic ------------------------------------------------------------------------------------


USAGE = "%%backprop v8 [Class] [--strict] [--lang ru] [--timeout 5]"


def register(shell: Any) -> None:
    """Adds the magic to a shell, and starts who grades."""
    shell.register_magic_function(
        lambda line, cell: grade_cell(shell, line, cell), "cell", "backprop"
    )
    start()


def grade_cell(shell: Any, line: str, cell: str) -> Result | None:
    """Runs a cell and grades it on the task that the line names: the class that it names, or the
    only one that the cell defines, else what the task asks for. Raises UsageProblem."""
    words, settings = _read_line(line)
    if shell.should_run_async(cell, transformed_cell=shell.transform_cell(cell)):
        raise UsageProblem(
            say("a cell with `await` outside functions is run by no magic"),
            say("run it without the first line, and then `check(…)` in a cell of its own"),
        )
    if not shell.run_cell(cell, store_history=False).success:
        return None
    task, *names = words
    body = parse_text(python_of(cell) or "").body
    own = [node.name for node in body if isinstance(node, ast.ClassDef)]
    target = names[0] if names else own[0] if len(own) == 1 else None
    return check(target, task, **settings)


def _read_line(line: str) -> tuple[list[str], dict[str, Any]]:
    """The names and the settings of a line. Raises UsageProblem."""
    words: list[str] = []
    settings: dict[str, Any] = {}
    try:
        rest = iter(shlex.split(line))
    except ValueError:  # a quotation mark that has no second
        rest = iter(())
    for word in rest:
        name, equals, value = word.removeprefix("--").partition("=")
        if not word.startswith("--"):
            words.append(word)
        elif name == "strict":
            settings[name] = True
        else:
            settings[name] = value if equals else next(rest, "")
    if not 1 <= len(words) <= 2:
        raise UsageProblem(say("the line of the cell does not say what to grade"), USAGE)
    return words, settings
