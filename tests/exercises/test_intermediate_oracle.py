"""The verdicts stated in `submissions_intermediate`, held against plain torch where it can tell."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus_text import variant_of
from intermediate_oracle import FOLDER, TASKS, judge, load
from stated import Stated, cases_in, named, read_stated

POINTS = {"gradient": 70.0, "release": 30.0, "integrity": 0.0}
GATED = ("gradient", "release")
KINDS = {
    "gradient": {
        "no-gradient", "wrong-dtype", "wrong-shape", "wrong-gradient", "hidden-work", "raises",
    },
    "release": {"kept", "hook-left", "leaf-frozen", "graph-kept"},
    "integrity": {"transform", "input-changed", "not-from-graph", "hidden-work"},
}  # fmt: skip
UNREADABLE = {"no-function", "signature", "syntax-error", "load-error"}


def stated(path: Path) -> Stated:
    """What a file states. Raises BadVerdict."""
    return read_stated(path, POINTS)


def files(folder: str) -> list[Path]:
    return cases_in(FOLDER / folder)


ALL = [*files("right"), *files("wrong"), *files("attacks"), *files("given_up")]


@pytest.mark.parametrize("path", ALL, ids=named)
def test_verdicts_are_well_stated(path: Path) -> None:
    verdict = stated(path)
    asked = TASKS[variant_of(path)].asked
    right = path.parent.name in ("right", "given_up")
    assert right == (verdict.status == "graded" and not verdict.failed and not verdict.partial)
    if verdict.status != "graded":
        assert {fault.kind for fault in verdict.faults} <= UNREADABLE
        return
    for fault in verdict.faults:
        assert fault.kind in KINDS[fault.check]
        assert not ("integrity" in verdict.failed and fault.check in GATED)
        if fault.check == "gradient" and fault.kind != "raises":
            assert fault.name in asked
    if "gradient" in verdict.partial:
        share = 1 - len(verdict.names("gradient")) / len(asked)
        assert verdict.partial["gradient"] == pytest.approx(70 * share, abs=1e-2)
    if "release" in verdict.partial:
        assert verdict.partial["release"] == 15.0


@pytest.mark.parametrize("path", [*files("right"), *files("wrong")], ids=named)
def test_plain_torch_agrees(path: Path) -> None:
    verdict = stated(path)
    kinds = {fault.kind for fault in verdict.faults}
    if "syntax-error" in kinds:
        with pytest.raises(SyntaxError):
            compile(path.read_text(encoding="utf-8"), path.name, "exec")
        return
    if kinds & {"no-function", "load-error"}:
        assert load(path) is None or "load-error" in kinds
        return
    task = TASKS[variant_of(path)]
    broken = judge(task, path)
    if broken.crashed or "signature" in kinds:
        assert broken.crashed
        assert kinds & {"raises", "signature"}
        return
    assert broken.changed == ("input-changed" in kinds)
    if "integrity" in verdict.failed:
        return  # how a number came about is not seen here
    # what comes back in another form has no gradients at all
    names = set(task.asked) if "raises" in kinds else verdict.names("gradient")
    assert broken.gradient | broken.stale == names


def test_each_task_has_its_cases() -> None:
    right, wrong = ({variant_of(path) for path in files(folder)} for folder in ("right", "wrong"))
    assert right == wrong == TASKS.keys()
    assert len({path.stem for path in ALL}) == len(ALL)
    assert len(files("right")) >= 40
    assert len(files("wrong")) >= 60
    assert len(files("attacks")) >= 10


def test_what_is_given_up_is_on_the_security_page() -> None:
    page = (FOLDER.parent.parent / "docs" / "security.md").read_text(encoding="utf-8")
    assert all(f"`{path.stem.rpartition('_')[0]}`" in page for path in files("given_up"))
