"""The verdicts stated in `submissions_function`, held against plain torch where it can tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_text import variant_of
from function_oracle import FOLDER, Task, judge, load_function, load_task, source_of
from stated import Stated, cases_in, named, read_stated

POINTS = {
    "forward": 20.0,
    "gradient": 40.0,
    "needs-input-grad": 10.0,
    "unused-nodes": 10.0,
    "saved": 20.0,
    "integrity": 0.0,
    "double-backward": 20.0,
}
GATED = ("gradient", "needs-input-grad", "unused-nodes", "saved", "double-backward")
KINDS = {
    "forward": {"wrong-value", "wrong-shape", "wrong-dtype", "raises"},
    "gradient": {"wrong-gradient", "no-gradient", "wrong-shape", "raises"},
    "needs-input-grad": {"unneeded-gradient"},
    "unused-nodes": {"unused-node"},
    "saved": {"saved-unread", "on-ctx", "kept"},
    "double-backward": {"wrong-second-order"},
    "integrity": {
        "autograd", "transform", "forward-ad", "finite-differences", "built-in-derivative",
        "input-changed", "hidden-work", "foreign-code", "complex",
    },
}  # fmt: skip
SHARED = ("gradient", "needs-input-grad", "double-backward")
"""Credit by parameter; an unused node costs a tenth of its check, the other checks hold or fail."""
WORK_FOR_NONE = ("linear_computes_then_asks_v925", "norm_product_before_asking_v927")
"""These return None where no gradient is needed, but compute it: the oracle sees what is returned."""
TASKS = {path.stem: load_task(path.stem) for path in sorted((FOLDER / "bank").glob("*.py"))}


def stated(path: Path) -> Stated:
    """What a file states. Raises BadVerdict."""
    return read_stated(path, POINTS)


def files(folder: str) -> list[Path]:
    return cases_in(FOLDER / folder)


ALL = [*files("right"), *files("wrong"), *files("attacks"), *files("given_up")]


def has_crashed(verdict: Stated, check: str) -> bool:
    """Whether backward raises where all need a gradient: one that does where an input alone needs one has its name."""
    return any(f.check == check and f.kind == "raises" and not f.name for f in verdict.faults)


def points_left(task: Task, verdict: Stated, check: str) -> float:
    """What the rules leave of a check with these faults."""
    count = sum(fault.check == check for fault in verdict.faults)
    if check == "unused-nodes":
        return POINTS[check] * max(0.0, 1 - 0.1 * count)
    if check in SHARED and not has_crashed(verdict, check):
        kinds = ("Float", "Int") if check == "needs-input-grad" else ("Float",)
        inputs = [parameter for parameter in task.parameters if parameter.kind in kinds]
        return POINTS[check] * (1 - count / len(inputs))
    return 0.0 if count else POINTS[check]


@pytest.mark.parametrize("path", ALL, ids=named)
def test_verdicts_are_well_stated(path: Path) -> None:
    verdict = stated(path)
    task = TASKS[variant_of(path)]
    checks = POINTS if task.order == 2 else POINTS.keys() - {"double-backward"}
    assert verdict.failed | verdict.partial.keys() <= set(checks)
    right = path.parent.name in ("right", "given_up")
    assert right == (verdict.status == "graded" and not verdict.failed and not verdict.partial)
    if verdict.status != "graded":
        assert {fault.kind for fault in verdict.faults} <= {
            "load-error",
            "no-class",
            "no-pass",
            "signature",
            "syntax-error",
        }
        return
    for fault in verdict.faults:
        assert fault.kind in KINDS[fault.check]
        if fault.check in ("gradient", "double-backward") and fault.kind != "raises":
            assert fault.name in {parameter.name for parameter in task.parameters}
    integrity = "integrity" in verdict.failed
    for check in checks:
        faults = [fault for fault in verdict.faults if fault.check == check]
        if integrity and check in GATED:
            assert check in verdict.failed
            assert not faults
        elif check in verdict.partial:
            assert verdict.partial[check] == pytest.approx(
                points_left(task, verdict, check), abs=1e-5
            )
        elif faults:
            assert check in verdict.failed
            assert points_left(task, verdict, check) == 0


@pytest.mark.parametrize("path", [*files("right"), *files("wrong")], ids=named)
def test_plain_torch_agrees(path: Path) -> None:
    verdict = stated(path)
    if any(fault.kind == "syntax-error" for fault in verdict.faults):
        with pytest.raises(SyntaxError):
            compile(source_of(path), path.name, "exec")
        return
    if any(fault.kind in ("signature", "no-pass", "load-error") for fault in verdict.faults):
        return  # the grader says so before it runs
    task = TASKS[variant_of(path)]
    function = load_function(path, verdict.class_name)
    assert (function is None) == (verdict.status != "graded")
    if function is None:
        return
    broken = judge(task, function)
    assert broken.forward == ("forward" in verdict.failed)
    assert broken.changed == {f.name for f in verdict.faults if f.kind == "input-changed"}
    if "integrity" in verdict.failed or broken.never_ran:
        return
    crashed = has_crashed(verdict, "gradient")
    assert broken.gradient == (task.named(task.floats) if crashed else verdict.names("gradient"))
    if path.stem in WORK_FOR_NONE:
        assert not broken.needs_input_grad
        broken.needs_input_grad = verdict.names("needs-input-grad")
    for check, names in (
        ("needs-input-grad", broken.needs_input_grad),
        ("double-backward", broken.double_backward),
    ):
        if check not in verdict.failed or verdict.names(check):  # else there was nothing to judge
            assert names == verdict.names(check), check


def test_each_attack_has_an_honest_twin_and_each_task_its_cases() -> None:
    right, wrong = ({variant_of(path) for path in files(folder)} for folder in ("right", "wrong"))
    assert right == wrong == TASKS.keys()
    twins = {path.name for path in files("right") if path.name.startswith("twin_")}
    attacks = [*files("attacks"), *files("given_up")]
    assert twins == {f"twin_{path.name}" for path in attacks}
    assert len({path.stem for path in ALL}) == len(ALL)
