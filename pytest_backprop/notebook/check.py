"""`check`: one question of a cell, from what it names to the answer under it."""

from __future__ import annotations

import contextlib
import difflib
import functools
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..errors import UsageProblem
from ..exercises.functions.bank.library import exercise_of
from ..grading.assignment import Assigned, Brief
from ..grading.judge.desk import Desk
from ..messages import say, use_language
from ..options import near_bank, read_texts
from .kernel import Kernel
from .result import SETTINGS, Result
from .tasks import find_task


class Stopped(KeyboardInterrupt):
    """The stop button was pressed while something was graded; where the grader was is no matter."""

    def _render_traceback_(self) -> list[str]:
        return ["KeyboardInterrupt"]


class NotRight(AssertionError):
    """What a strict check raises. `result` is what was found."""

    def __init__(self, result: Result) -> None:
        super().__init__(repr(result))
        self.result = result

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def check(
    target: Any, task: Any, *, strict: bool = False, variants: Any = None, **settings: Any
) -> Result | None:
    """Grades what this kernel has, and shows the answer under the cell.

    `target` is the class, or the function, or a list of functions, itself or by its name; with None
    it is whatever the task asks for. `task` is the name of a task, as "v8", its function, or a
    module that is a task's file. `variants` is the folder of tasks, or a module of the course's
    that has them; without it the folder `variants` that is nearest, else what comes with the
    package. `settings` are options of the command line: `rubric`, `seed`, `points`, `timeout`,
    `memory`, `sandbox`, `hints`, `lang`.

    A strict check is silent where all is right, and raises NotRight otherwise. Raises UsageProblem
    for what cannot be graded as it is asked.
    """
    for setting in settings.keys() - {*SETTINGS}:
        raise UsageProblem(
            say("there is no setting {name!r} in a cell", name=setting),
            say("known: {names}", names=", ".join(["strict", "variants", *SETTINGS])),
        )
    values = read_texts(settings)
    use_language(values["lang"])
    kernel, desk = Kernel(), _desk()
    things = _things(target, kernel)
    if isinstance(variants, str):
        variants = Path(variants).expanduser()
    folder, name = find_task(task, variants, kernel, desk.room)
    submission = kernel.handed_in(things)
    parts = desk.ready(folder, values).parts
    kind = exercise_of(folder / f"{name}.py")
    number = [part.kind for part in parts].index(kind)
    brief = Brief(Assigned(name, "option"), part=number, submission=submission)
    with _placeholder(kernel, not strict) as shown:
        try:
            grade = desk.grade(folder, Path(submission.path), submission.path, [brief])
        except KeyboardInterrupt:
            raise Stopped from None
        remarks = [text for thing in things for text in kernel.remarks(thing)]
        result = Result(grade, submission.class_name, values["hints"], remarks)
        if strict and not result.is_right:
            raise NotRight(result)
        if strict:
            return None
        result.show(kernel.shell, shown)
    return result


def start() -> None:
    """Makes ready who grades on the tasks that are near, for the first question."""
    if (folder := near_bank(Path.cwd())) is not None:
        with contextlib.suppress(UsageProblem):  # is told then
            _desk().ready(folder, read_texts({}))


@functools.cache
def _desk() -> Desk:
    """The kernel's own."""
    return Desk(draws=True)


def _things(target: Any, kernel: Kernel) -> Sequence[Any]:
    """The classes or functions that are meant. Raises UsageProblem."""
    if target is None:
        return ()
    if isinstance(target, list | tuple):
        return [each for one in target for each in _things(one, kernel)]
    if isinstance(target, str):
        if target not in kernel.names:
            near = difflib.get_close_matches(target, kernel.names, 1)
            raise UsageProblem(
                say("this kernel has no `{name}`", name=target),
                say("did you mean `{name}`?", name=near[0])
                if near
                else say("run the cell that defines it; after a restart none has run"),
            )
        return _things(kernel.names[target], kernel)
    return [target if isinstance(target, type | types.FunctionType) else type(target)]


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
