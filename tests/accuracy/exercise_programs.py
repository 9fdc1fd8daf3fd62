"""What a generator of an exercise's programs has to give, and how a grade is held against what is true.

A generator is a module with `EXERCISE` and a class `Generator`: of a seed it makes a task, and of more seeds
right and faulty programs for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from pytest_backprop.exercises.base import Exercise
from pytest_backprop.exercises.functions.bank import Bank, Variant
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of
from pytest_backprop.model import Grade
from pytest_backprop.processes.forked import Zygote

POINTS = 1024
"""The option's default is 4096; this is quicker."""


class ExerciseProgram(NamedTuple):
    """A submission. `truth` has the checks that must fail, with the names that they must tell, or None; `extra`
    are the lines that unused nodes must be found on. `excused` are checks that may fail because of what others
    have to find: a wrong line may leave an op without use. In a right program none is."""

    kind: str
    seed: int
    style: str
    text: str
    truth: Mapping[str, frozenset[str] | None]
    extra: tuple[int, ...] = ()
    excused: frozenset[str] = frozenset()


class TaskPrograms(Protocol):
    """The programs for one task. Makers raise NoPlace and Discarded; what else they raise is a failure of the
    generator."""

    bank: Bank
    variant: Variant
    text: str

    def right(self, seed: int) -> ExerciseProgram:
        """A right program."""

    def faulty(self, seed: int) -> ExerciseProgram:
        """One with a fault."""


def grader_of(exercise: Exercise, made: TaskPrograms, worker: Zygote) -> Grader:
    """A grader of one task, with the default rubric. Raises UsageProblem for a task that it refuses."""
    plan = GradingPlan(
        made.variant.name, None, 0, POINTS, 5e-5, 1e-7, 60.0, 2**31, exercise=exercise
    )
    rubric = rubric_of(exercise.name, exercise.rules, {}, ())
    grader = Grader(plan, rubric, made.bank, worker)
    try:
        grader._tasks.right(made.variant)
    except BaseException:
        grader.close()
        raise
    return grader


def problems_of(made: ExerciseProgram, grader: Grader, folder: Path) -> tuple[str, ...]:
    """Where the grade of a program is not what is true; none if all is well."""
    path = folder / f"made_{made.seed}.py"
    path.write_text(made.text, encoding="utf-8")
    grade = grader.grade(path, path.name)
    path.unlink()
    return tuple(differences(made, grade))


def differences(made: ExerciseProgram, grade: Grade) -> list[str]:
    """The same of a grade."""
    if grade.status != "graded":
        ran = "forward" not in made.truth
        return [f"score 0: status {grade.status}: {grade.message}"] if ran else []
    found = []
    whole = grade.score == grade.max_score
    if not made.truth and not whole:
        found.append(f"score {grade.score:g}")
    if made.truth and whole:
        found.append(f"score {grade.score:g}: full marks")
    stopped = "integrity" in made.truth
    for graded in grade.checks:
        check = graded.result
        if graded.max_score == 0 and check.id != "integrity":
            continue
        fails = check.outcome != "passed"
        if check.id in made.truth and not fails:
            found.append(f"{check.id}: passed, in truth wrong")
        elif check.id not in made.truth and fails and check.id not in made.excused:
            found.append(f"{check.id}: {check.outcome}, in truth right: {check.message}")
        names = made.truth.get(check.id)
        faults = [f for f in check.findings if f.level == "fault"]
        if names is not None and fails and not any(f.kind == "raises" for f in faults):
            told = {f.name for f in faults}
            if told != names:
                found.append(
                    f"{check.id}: names {sorted(map(str, told))}, in truth {sorted(names)}: {check.message}"
                )
        if check.id == "unused-nodes" and made.extra and not stopped:
            lines = {f.place.line for f in faults if f.place is not None}
            if not set(made.extra) <= lines:
                found.append(f"unused-nodes: lines {sorted(lines)}, in truth {made.extra}")
    return found
