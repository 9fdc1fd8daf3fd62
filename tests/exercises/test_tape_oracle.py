"""The verdicts stated in `submissions_tape`, held against plain torch where it can tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_text import variant_of
from stated import Stated, cases_in, named, read_stated
from tape_oracle import FOLDER, TASKS, judge, load

POINTS = {
    "forward": 20.0,
    "gradient": 35.0,
    "none": 10.0,
    "unused-nodes": 15.0,
    "release": 20.0,
    "second-order": 20.0,
    "integrity": 0.0,
}
GATED = ("gradient", "none", "unused-nodes", "release", "second-order")
KINDS = {
    "forward": {"wrong-value", "raises", "hidden-work"},
    "gradient": {"wrong-gradient", "no-gradient", "wrong-shape", "raises", "hidden-work"},
    "none": {"zero-gradient"},
    "unused-nodes": {"unused-node"},
    "release": {"kept", "hidden-values"},
    "second-order": {"wrong-second-order"},
    "integrity": {
        "autograd", "transform", "finite-differences", "built-in-derivative", "input-changed",
        "hidden-work", "foreign-code",
    },
}  # fmt: skip
UNREADABLE = {"no-class", "no-function", "syntax-error"}


def stated(path: Path) -> Stated:
    """What a file states. Raises BadVerdict."""
    return read_stated(path, POINTS)


def files(folder: str) -> list[Path]:
    return cases_in(FOLDER / folder)


ALL = [*files("right"), *files("wrong"), *files("attacks"), *files("given_up")]


def points_left(verdict: Stated, check: str, inputs: int) -> float:
    """What the rules leave of a check with these faults."""
    faults = [fault for fault in verdict.faults if fault.check == check]
    if check == "unused-nodes":
        return POINTS[check] * max(0.0, 1 - 0.1 * len(faults))
    if check in ("gradient", "second-order") and all(f.kind != "raises" for f in faults):
        return POINTS[check] * (1 - len(faults) / inputs)
    return 0.0 if faults else POINTS[check]


@pytest.mark.parametrize("path", ALL, ids=named)
def test_verdicts_are_well_stated(path: Path) -> None:
    verdict = stated(path)
    task = TASKS[variant_of(path)]
    right = path.parent.name in ("right", "given_up")
    assert right == (verdict.status == "graded" and not verdict.failed and not verdict.partial)
    if verdict.status != "graded":
        assert {fault.kind for fault in verdict.faults} <= UNREADABLE
        return
    integrity = "integrity" in verdict.failed
    for fault in verdict.faults:
        assert fault.kind in KINDS[fault.check]
        assert not (integrity and fault.check in GATED)
        if fault.check in ("gradient", "second-order") and fault.kind != "raises":
            assert fault.name in task.dims
    for check in POINTS:
        left = points_left(verdict, check, len(task.dims))
        if check in verdict.partial:
            assert verdict.partial[check] == pytest.approx(left, abs=1e-2)
        elif any(fault.check == check for fault in verdict.faults):
            assert check in verdict.failed
            assert left == pytest.approx(0)


@pytest.mark.parametrize("path", [*files("right"), *files("wrong")], ids=named)
def test_plain_torch_agrees(path: Path) -> None:
    verdict = stated(path)
    kinds = {fault.kind for fault in verdict.faults}
    if "syntax-error" in kinds:
        with pytest.raises(SyntaxError):
            compile(path.read_text(encoding="utf-8"), path.name, "exec")
        return
    space = load(path)
    if kinds & {"no-class", "no-function"}:
        return  # the grader says so before it runs
    assert space is not None
    task = TASKS[variant_of(path)]
    broken = judge(task, space)
    if "hidden-work" in kinds:
        return  # right, and not by torch
    assert (broken.forward or broken.crashed) == (
        "forward" in verdict.failed or any(fault.kind == "raises" for fault in verdict.faults)
    )
    if "integrity" in verdict.failed or broken.crashed:
        return
    assert broken.gradient == verdict.names("gradient")
    assert broken.second == verdict.names("second-order")
    judged = "gradient" in verdict.failed and kinds == {"no-gradient", "wrong-second-order"}
    if not judged and "no-gradient" not in kinds:
        assert broken.none == ("none" in verdict.failed)
        kept = [f for f in verdict.faults if f.check == "release" and f.kind == "kept"]
        assert broken.kept == bool(kept)


def test_each_task_has_its_cases() -> None:
    right, wrong = ({variant_of(path) for path in files(folder)} for folder in ("right", "wrong"))
    assert right == wrong == TASKS.keys()
    assert len({path.stem for path in ALL}) == len(ALL)
    assert len(files("right")) >= 40
    assert len(files("wrong")) >= 60
