"""A judge in a clean process, which imports torch once for itself and for those that run submissions."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from judge_setup import commands, judge_setup
from msgspec.structs import replace
from plugin_samples import RIGHT, lay_out
from waiting import wait_for_the_end

from pytest_backprop.classroom import HandIn
from pytest_backprop.exercises import FORWARD_BACKWARD
from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.judge.client import Judge
from pytest_backprop.grading.judge.judge import grader_of
from pytest_backprop.grading.judge.protocol import Setup
from pytest_backprop.grading.judge.start import CleanZygote
from pytest_backprop.grading.pipeline import Grader
from pytest_backprop.worker import sandbox
from pytest_backprop.worker.client import Worker

NO_TEXT = os.fsdecode(b"\xff.py")
"""The name of a file that is no UTF-8."""


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    lay_out(tmp_path, {"ann.py": RIGHT})
    return judge_setup(tmp_path)


Made = Callable[[Setup, CleanZygote | None], Judge]


@pytest.fixture
def make() -> Iterator[Made]:
    made = []

    def judge(setup: Setup, clean: CleanZygote | None) -> Judge:
        variants = load_bank(Path(setup.bank))

        def build(worker: Worker) -> Grader:
            return grader_of(setup, FORWARD_BACKWARD, variants, worker)

        rubric = setup.rubric
        made.append(
            Judge(build, rubric, variants, None, "v1", setup.plan["seconds"], (), setup, clean)
        )
        return made[-1]

    yield judge
    for each in made:
        each.close()


def test_one_process_imports_torch_for_all(setup: Setup, make: Made, tmp_path: Path) -> None:
    clean = CleanZygote()
    judge = make(setup, clean)
    judge.start()
    assert judge.sandbox == sandbox.probe()
    assert judge._process is None  # what children are kept in is known before torch is there
    grade = judge.grade(tmp_path / "ann.py", "ann.py")
    assert (grade.score, grade.variant) == (100, "v1")
    assert judge._zygote is not None
    zygote = psutil.Process(judge._zygote)
    below = zygote.children(recursive=True)
    assert len(below) >= 3  # the zygote of submissions, the judge, what runs its submissions
    assert {" ".join(zygote.cmdline())} == set(commands(zygote))  # forked, all of them
    clean.close()  # has nothing to say any more
    assert judge.grade(tmp_path / "ann.py", "ann.py").score == 100
    judge.close()
    wait_for_the_end(below)


def test_another_judge_comes_from_the_same_process(
    setup: Setup, make: Made, tmp_path: Path
) -> None:
    judge = make(setup, None)
    assert judge.grade(tmp_path / "ann.py", "ann.py").score == 100
    first, zygote = judge._process, judge._zygote
    assert first is not None
    first.kill()
    assert judge.grade(tmp_path / "ann.py", "bob.py").score == 100
    assert (judge._process != first, judge._zygote) == (True, zygote)
    assert judge._zygote is not None
    process = psutil.Process(judge._zygote)
    assert {" ".join(process.cmdline())} == set(commands(process))


def test_a_clean_process_that_is_killed_costs_nobody(
    setup: Setup, make: Made, tmp_path: Path
) -> None:
    clean = CleanZygote()
    assert clean._pid is not None
    os.kill(clean._pid, signal.SIGKILL)
    judge = make(setup, clean)
    assert judge.grade(tmp_path / "ann.py", "ann.py").score == 100
    assert clean._pid is None


def test_a_name_that_is_no_text_is_not_sent(setup: Setup, make: Made, tmp_path: Path) -> None:
    handed = HandIn(shown="ann.py", path=str(tmp_path / NO_TEXT), name=NO_TEXT, place="ann.py")
    (tmp_path / "ann.py").rename(tmp_path / NO_TEXT)
    judge = make(replace(setup, handed={"ann.py": handed}), CleanZygote())
    assert judge.grade(tmp_path / NO_TEXT, "ann.py").score == 100


def test_what_a_grader_cannot_be_built_with_is_told(
    setup: Setup, make: Made, tmp_path: Path
) -> None:
    judge = make(setup, None)
    (tmp_path / "variants" / "v1.py").write_text("def v1():\n    return nothing(w0)\n")
    grade = judge.grade(tmp_path / "ann.py", "ann.py")
    assert grade.status == "not_judged"
    assert "v1.py" in grade.message
