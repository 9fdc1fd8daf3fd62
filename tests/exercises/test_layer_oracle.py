"""The verdicts stated in `submissions_layer`, held against plain torch where it can tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_text import variant_of
from function_oracle import source_of
from layer_oracle import FOLDER, TASKS, judge, load_layer
from stated import Stated, cases_in, named, read_stated

POINTS = {"forward": 30.0, "gradient": 60.0, "unused-nodes": 10.0, "integrity": 0.0}
GATED = ("gradient", "unused-nodes")
KINDS = {
    "forward": {"wrong-value", "wrong-shape", "wrong-type", "wrong-dtype", "raises"},
    "gradient": {"wrong-gradient", "no-gradient", "wrong-shape", "raises"},
    "unused-nodes": {"unused-node"},
    "integrity": {
        "autograd", "transform", "finite-differences", "built-in-derivative", "hidden-work",
    },
}  # fmt: skip
UNREADABLE = {"syntax-error", "signature", "constructor", "no-pass", "no-function", "unknown-class"}
ABSENT = {"no-pass", "no-function", "unknown-class"}
"""Of which the oracle finds no layer."""
CHANGED = {
    "relu_dout_in_place_v802": {"dout"},
    "relu_input_in_place_v802": {"x"},
    "linear_dout_changed_before_use_v801": {"dout"},
}
"""What a case writes into, of what it is given: a note, no lost point."""


def stated(path: Path) -> Stated:
    """What a file states. Raises BadVerdict."""
    return read_stated(path, POINTS)


def files(folder: str) -> list[Path]:
    return cases_in(FOLDER / folder)


ALL = [*files("right"), *files("wrong")]


def points_left(path: Path, verdict: Stated, check: str) -> float:
    """What the rules leave of a check with these faults."""
    faults = [fault for fault in verdict.faults if fault.check == check]
    if check == "unused-nodes":
        return POINTS[check] * max(0.0, 1 - 0.1 * len(faults))
    if check == "gradient" and all(fault.kind != "raises" for fault in faults):
        return POINTS[check] * (1 - len(faults) / len(TASKS[variant_of(path)].task.floats))
    return 0.0 if faults else POINTS[check]


@pytest.mark.parametrize("path", ALL, ids=named)
def test_verdicts_are_well_stated(path: Path) -> None:
    verdict = stated(path)
    right = path.parent.name == "right"
    assert right == (verdict.status == "graded" and not verdict.failed and not verdict.partial)
    if verdict.status != "graded":
        assert {fault.kind for fault in verdict.faults} <= UNREADABLE
        return
    names = {parameter.name for parameter in TASKS[variant_of(path)].task.parameters}
    for fault in verdict.faults:
        assert fault.kind in KINDS[fault.check]
        assert fault.check != "gradient" or fault.kind == "raises" or fault.name in names
    for check in POINTS:
        faults = [fault for fault in verdict.faults if fault.check == check]
        if "integrity" in verdict.failed and check in GATED:
            assert check in verdict.failed
            assert not faults
        elif check in verdict.partial:
            assert verdict.partial[check] == pytest.approx(points_left(path, verdict, check))
        elif faults:
            assert check in verdict.failed
            assert points_left(path, verdict, check) == 0


@pytest.mark.parametrize("path", ALL, ids=named)
def test_plain_torch_agrees(path: Path) -> None:
    verdict = stated(path)
    kinds = {fault.kind for fault in verdict.faults}
    if "syntax-error" in kinds:
        with pytest.raises(SyntaxError):
            compile(source_of(path), path.name, "exec")
        return
    task, calls = TASKS[variant_of(path)]
    if "constructor" in kinds:
        with pytest.raises(TypeError):
            load_layer(path, calls)
        return
    layer = load_layer(path, calls)
    assert (layer is None) == bool(kinds & ABSENT)
    if layer is None:
        return
    broken = judge(task, layer)
    if "signature" in kinds:
        assert broken.raises or broken.crashed
        return
    assert broken.forward == ("forward" in verdict.failed)
    assert broken.changed == CHANGED.get(path.stem, set())
    if "integrity" in verdict.failed or broken.raises:
        assert "gradient" in verdict.failed
        return
    raises = any(f.check == "gradient" and f.kind == "raises" for f in verdict.faults)
    assert broken.crashed == raises
    if not raises:
        assert broken.gradient == verdict.names("gradient")


def test_each_task_has_its_cases() -> None:
    right, wrong = ({variant_of(path) for path in files(folder)} for folder in ("right", "wrong"))
    assert right == wrong == TASKS.keys()
    assert len({path.stem for path in ALL}) == len(ALL) - 1  # a notebook and its wrong twin
