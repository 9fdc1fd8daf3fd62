"""Grading on the bank of forms, in real children: a grader for each kind, made when it is first asked for."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from warm_zygote import warm_zygote

from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.exercises.base import Exercise
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Grade

TASKS = Path(__file__).parent.parent / "examples" / "forms" / "tasks"
SECONDS = 60.0

Grading = Callable[[Path, str], Grade]


@contextlib.contextmanager
def grading() -> Iterator[Grading]:
    """A function that grades a submission of a kind."""
    with contextlib.ExitStack() as stack:
        graders: dict[str, Grader] = {}

        def grade(path: Path, kind: str) -> Grade:
            if kind not in graders:
                exercise = BUILT_IN[kind]
                plan = GradingPlan(
                    None, None, 0, 1024, 5e-5, 1e-7, SECONDS, 2**31, exercise=exercise
                )
                rubric = rubric_of(exercise.name, exercise.rules, {}, ())
                grader = Grader(plan, rubric, exercise.load_bank(TASKS), warm_zygote())
                graders[kind] = stack.enter_context(contextlib.closing(grader))
            return graders[kind].grade(path, path.name)

        yield grade


def graded(exercise: Exercise, task: str, submission: str, folder: Path) -> Grade:
    """The grade of a submission, both given by their text."""
    (folder / "bank").mkdir(exist_ok=True)
    (folder / "bank" / "v1.py").write_text(textwrap.dedent(task))
    path = folder / "anna_v1.py"
    path.write_text(textwrap.dedent(submission))
    plan = GradingPlan(None, None, 0, 4096, 5e-5, 1e-7, 60.0, 2**31, exercise=exercise)
    rubric = rubric_of(exercise.name, exercise.rules, {}, ())
    bank = exercise.load_bank(folder / "bank")
    with contextlib.closing(Grader(plan, rubric, bank, warm_zygote())) as grader:
        return grader.grade(path, path.name)
