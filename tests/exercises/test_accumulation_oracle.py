"""The verdicts stated in `submissions_accumulation`, held against plain torch where it can tell."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from accumulation_oracle import FOLDER, TASKS, judge, load
from corpus_text import variant_of
from stated import Stated, cases_in, named, read_stated

POINTS = {"release": 20.0, "parameters": 40.0, "zeroing": 20.0, "scaling": 20.0, "integrity": 0.0}
GATED = ("release", "parameters", "zeroing", "scaling")
UNREADABLE = {"no-function", "signature", "syntax-error", "load-error"}
UNSEEN = ("steps_before_backward_v963",)
"""torch does not see that a saved tensor was changed in place where hooks have packed it."""


def stated(path: Path) -> Stated:
    """What a file states. Raises BadVerdict."""
    return read_stated(path, POINTS)


def files(folder: str) -> list[Path]:
    return cases_in(FOLDER / folder)


ALL = [*files("right"), *files("wrong"), *files("attacks")]
GIVEN_UP = files("given_up")
"""What docs/security.md says is not seen; each earns what its file states."""


@pytest.mark.parametrize("path", ALL, ids=named)
def test_verdicts_are_well_stated(path: Path) -> None:
    verdict = stated(path)
    right = path.parent.name == "right"
    assert right == (verdict.status == "graded" and not verdict.failed)
    assert not verdict.partial
    if verdict.status != "graded":
        assert {fault.kind for fault in verdict.faults} <= UNREADABLE
        return
    assert {fault.check for fault in verdict.faults} <= verdict.failed
    if "integrity" in verdict.failed:
        assert verdict.failed == POINTS.keys()
        assert {fault.check for fault in verdict.faults} == {"integrity"}
    if "raises" in {fault.kind for fault in verdict.faults}:
        assert verdict.failed == set(GATED)


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(p, marks=pytest.mark.long if at % 12 else ())
        for at, p in enumerate([*files("right"), *files("wrong")])
    ],
    ids=named,
)
def test_plain_torch_agrees(path: Path) -> None:
    verdict = stated(path)
    kinds = {fault.kind for fault in verdict.faults}
    train = load(path)
    if verdict.status != "graded":
        assert not callable(train) or len(inspect.signature(train).parameters) != 5
        return
    assert train is not None
    names = list(inspect.signature(train).parameters)
    if names[0] == "optimizer":  # by their names
        ordered = train

        def train(model, loss_fn, optimizer, batches, accumulation_steps):  # type: ignore[no-untyped-def]
            return ordered(
                optimizer, model, batches, loss_fn, accumulation_steps=accumulation_steps
            )

    found = judge(TASKS[variant_of(path)], train)
    assert found.crashed == ("raises" in kinds and path.stem not in UNSEEN)
    if found.crashed or path.stem in UNSEEN:
        return
    assert found.joined == ("joined-batches" in kinds)
    if "integrity" in verdict.failed:
        assert found.parameters or kinds & {"joined-batches", "own-loss"}
        return
    assert found.parameters == ("parameters" in verdict.failed)
    if "no-backward" not in kinds and verdict.failed:
        assert found.saved == ("graph-kept" in kinds)
        if not found.saved:
            assert found.history == ("history-kept" in kinds)
    if not verdict.failed:
        assert not found.saved
        assert not found.history


def test_each_task_has_its_cases() -> None:
    right, wrong = ({variant_of(path) for path in files(folder)} for folder in ("right", "wrong"))
    assert right == wrong == TASKS.keys()
    assert len({path.stem for path in ALL}) == len(ALL)
    assert len(files("right")) >= 40
    assert len(files("wrong")) >= 60
    assert len(files("attacks")) >= 10


def test_what_is_given_up_is_on_the_security_page() -> None:
    page = (FOLDER.parent.parent / "docs" / "security.md").read_text(encoding="utf-8")
    assert all(f"`{path.stem.rpartition('_')[0]}`" in page for path in GIVEN_UP)
