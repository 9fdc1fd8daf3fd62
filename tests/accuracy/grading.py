"""Grades a submission through the real pipeline, with the student's side run in this process; and
by the assignment's own test."""

from __future__ import annotations

import contextlib
import gc
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import torch
from submissions import Made

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import Bank, parse_variant
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.model import Finding, Grade
from pytest_backprop.processes.child import answer
from pytest_backprop.processes.forked import Zygote
from pytest_backprop.processes.protocol import Answer, Request
from pytest_backprop.processes.supervisor import Outcome

POINTS = 1024
"""Enough that a fault behind two kinks shows; the option's default is 4096."""


class InProcess(Zygote):
    """A worker whose child is this process. Answers go through the same encoding."""

    def run(self, request: Request) -> Outcome:
        """What the child would answer."""
        gc.collect()
        gc.freeze()  # as before a fork: what is there already costs no time at each collection
        with contextlib.redirect_stdout(io.StringIO()):  # many print
            reply = msgspec.msgpack.encode(answer(request))
        decoded: Any = msgspec.msgpack.decode(reply, type=Answer)
        return Outcome("answered", "", decoded, "", 0)


WORKER = InProcess()


def grader_for(text: str) -> Grader:
    """A grader of one variant, with the defaults. Raises UsageProblem for one that it refuses."""
    variant = parse_variant(text)
    plan = GradingPlan(variant.name, None, seed=0, points=POINTS, rtol=5e-5, atol=1e-7, seconds=60,
                memory=2**30)  # fmt: skip
    bank = Bank(Path("made"), {variant.name: variant})
    grader = Grader(plan, default_rubric(), bank, WORKER)
    try:
        grader._tasks.right(variant)
    except UsageProblem:
        grader.close()
        raise
    return grader


class Judged(NamedTuple):
    """Where the verdict is not what is true. `problems` is empty when all is well."""

    problems: tuple[str, ...]
    lines_right: bool
    counted: bool
    score: float
    unused: tuple[int, int, int]
    """Found and true, found, true."""
    late: tuple[int, int, int]


def grade_made(grader: Grader, made: Made, folder: Path) -> Judged:
    """Grades it and holds the verdict against the truth."""
    path = folder / f"{made.variant.name}_{made.seed}{made.suffix}"
    path.write_text(made.file, encoding="utf-8")
    grade = grader.grade(path, path.name)
    path.unlink()
    return compare(grade, made)


def compare(grade: Grade, made: Made) -> Judged:
    """Holds a grade against what the oracle says, check by check."""
    problems = []
    checks = {c.result.id: c.result for c in grade.checks}
    truth = made.truth
    ahead, value, gradients = made.wrong
    if grade.status != "graded":
        return Judged(
            (f"status {grade.status}: {grade.message}",), False, False, 0, (0, 0, 0), (0, 0, 0)
        )
    if checks["integrity"].outcome != "passed":
        problems.append(f"integrity: {checks['integrity'].message}")
    for id, wrong in (("forward", ahead), ("manual-forward", value)):
        if (checks[id].outcome == "passed") == wrong or checks[id].outcome == "not_judged":
            problems.append(f"{id}: {checks[id].outcome}, in truth {'wrong' if wrong else 'right'}: "
                            f"{checks[id].message}")  # fmt: skip
    named = {f.name for f in checks["gradient"].findings if f.level == "fault"}
    true = {f"w{i}" for i, wrong in enumerate(gradients) if wrong}
    if named != true or checks["gradient"].outcome == "not_judged":
        problems.append(f"gradient: said wrong {sorted(named)}, in truth {sorted(true)}: "
                        f"{checks['gradient'].message}")  # fmt: skip
    counted = "not counted" not in checks["release"].message
    unused = (0, 0, 0)
    late = (0, 0, 0)
    if counted:
        unused_found = _lines(checks["unused-nodes"].findings, "unused-node", made)
        late_found = _lines(checks["release"].findings, "late-release", made)
        unused = _overlap(unused_found, truth.unused)
        late = _overlap(late_found, truth.late)
        for id, found, right in (("unused-nodes", unused_found, truth.unused),
                                 ("release", late_found, truth.late)):  # fmt: skip
            if tuple(found) != right:
                problems.append(f"{id}: lines {found}, in truth {list(right)}")
        id = {"missing release": "release", "late release": "release", "wasted node": "unused-nodes",
              "wasted chain": "unused-nodes", "dead forward node": "unused-nodes"}.get(made.kind)  # fmt: skip
        if id is not None and made.place:
            there = [f.name for f in checks[id].findings if f.level == "fault" and f.place is not None
                     and _line(f, made) == made.place]  # fmt: skip
            lines = truth.late if id == "release" else truth.unused
            if made.place in lines and not set(there) & set(made.names):
                problems.append(f"{id}: names {there}, in truth {made.names} on line {made.place}")
    elif made.kind == "right":
        problems.append(f"not counted: {checks['release'].message}")
    if made.kind == "right" and grade.score != 100:
        problems.append(f"score {grade.score:g}")
    if made.kind != "right" and grade.score == 100:
        problems.append("score 100")
    return Judged(tuple(problems), not problems, counted, grade.score, unused, late)


def _line(finding: Finding, made: Made) -> int:
    place = finding.place
    if place is None or (place.cell is None) != (made.suffix == ".py"):
        return -1
    lines = made.text.split("\n")
    if not 1 <= place.line <= len(lines) or lines[place.line - 1] != place.source:
        return -1
    return place.line


def _lines(findings: Sequence[Finding], kind: str, made: Made) -> list[int]:
    return sorted(_line(f, made) for f in findings if f.kind == kind and f.level == "fault")


def _overlap(found: Sequence[int], true: Sequence[int]) -> tuple[int, int, int]:
    both = sum(min(list(found).count(n), list(true).count(n)) for n in set(found))
    return both, len(found), len(true)


# -- the assignment's own test -----------------------------------------------------------------


def assignment_says(text: str, seed: int) -> str:
    """`passes`, `fails` or `cannot run`, by the class's test: ten points of torch.rand(3), the
    weights that the class was written with, allclose with rtol 5e-5 and atol 1e-7.

    Fitted a little, for its sake: weights in two parameters and inputs in one tensor are taken as they
    come.
    """
    generator = torch.Generator().manual_seed(seed)
    space: dict[str, Any] = {"__name__": "submission"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(text, "<assignment>", "exec"), space)
        return _assignment_passes(space, generator)


def _assignment_passes(space: dict[str, Any], generator: torch.Generator) -> str:
    try:
        model = space["Graph"]()
        for _ in range(10):
            x = torch.rand(3, generator=generator)
            y, grad = _by_torch(model, x)
            model.zero_grad()
            with torch.no_grad():
                told = model.your_forward_backward(*x)
            manual = _gradient(model)
            if not torch.allclose(told, y, rtol=5e-05, atol=1e-7):
                return "fails"
            if not torch.allclose(manual, grad, rtol=5e-05, atol=1e-7):
                return "fails"
    except Exception:
        return "cannot run"
    return "passes"


def _by_torch(model: Any, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    model.zero_grad()
    stacked = type(model).forward.__code__.co_argcount == 2
    y = model(x) if stacked else model(*x)
    y.backward()
    return y.detach(), _gradient(model).clone()


def _gradient(model: Any) -> Any:
    if hasattr(model, "w"):
        return model.w.grad
    if model.w0.grad is None:
        return None
    return torch.stack([model.w0.grad, model.w1.grad])
