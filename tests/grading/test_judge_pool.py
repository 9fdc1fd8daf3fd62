"""Judges forked from a clean process, several at a time: the same grades, and nothing is left of any."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from judge_setup import judge_setup
from msgspec.structs import replace
from plugin_samples import ENDLESS, RIGHT, WRONG, lay_out
from waiting import wait_for_the_end, wait_until

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.assignment import Briefs
from pytest_backprop.grading.judge import pool
from pytest_backprop.grading.judge.judges import Judges
from pytest_backprop.grading.judge.pool import Pool
from pytest_backprop.model import Grade

FILES = {
    f"{number:02}_{kind}.py": {"right": RIGHT, "wrong": WRONG}[kind]
    for number, kind in enumerate(["right", "wrong", "right"] * 2)
}


class Class:
    """A class and what grades it in a clean process, with what it was told."""

    def __init__(self, folder: Path, most: int) -> None:
        setup = judge_setup(folder)
        briefs = Briefs(setup.parts, load_bank(folder / "variants"), None, "v1", {})
        self.judges = Judges(setup, most)
        self.told: list[tuple[str, str]] = []
        self.pool = Pool(
            self.judges,
            briefs,
            lambda path, shown: self.told.append(("reads", shown)),
            lambda path, shown, grade: self.told.append(("came", shown)),
        )
        self.folder = folder / "class"
        lay_out(self.folder, FILES)
        self.files = [(self.folder / name, name) for name in FILES]

    @property
    def processes(self) -> list[psutil.Process]:
        """Its zygote and all that this started."""
        if self.judges.worker.pid is None:
            return []
        zygote = psutil.Process(self.judges.worker.pid)
        return [zygote, *zygote.children(recursive=True)]


@pytest.fixture
def of(tmp_path: Path) -> Iterator[Callable[[int], Class]]:
    made: list[Class] = []

    def make(most: int) -> Class:
        made.append(Class(tmp_path / str(len(made)), most))
        return made[-1]

    yield make
    for each in made:
        each.pool.close()


def summary(grade: Grade) -> tuple[object, ...]:
    """All but what is measured from outside."""
    told = [(c.score, replace(c.result, details={})) for c in grade.checks]
    return grade.path, grade.status, grade.score, told


@pytest.mark.long
def test_grades_are_the_same_however_many_run_at_a_time(of: Callable[[int], Class]) -> None:
    alone, together = of(1), of(3)
    for each in (alone, together):
        each.pool.prepare(each.files)
        assert each.told == []  # nothing is run that nobody asks for
    expected = [summary(alone.pool.grade(*file)) for file in alone.files]
    backwards = [summary(together.pool.grade(*file)) for file in reversed(together.files)]
    assert backwards[::-1] == expected
    assert {score for _, _, score, _ in expected} == {100, 78}
    for shown in FILES:
        assert together.told.index(("reads", shown)) < together.told.index(("came", shown))
    assert len(together.told) == 2 * len(FILES)


def test_one_process_imports_torch_for_all(of: Callable[[int], Class]) -> None:
    graded = of(2)
    assert graded.pool.grade(*graded.files[1]).score == 78  # nobody was told of it before
    zygote, *rest = graded.processes
    assert all(zygote.cmdline() == each.cmdline() for each in rest)  # forked, not started
    graded.pool.close()
    wait_for_the_end([zygote, *rest])


def test_the_end_of_the_zygote_costs_what_is_being_graded_alone(of: Callable[[int], Class]) -> None:
    graded = of(2)
    graded.pool.prepare(graded.files)
    grades = [graded.pool.grade(*graded.files[0])]
    running = {shown for _, shown in graded.pool._running.values()}
    assert graded.judges.worker.pid is not None
    os.kill(graded.judges.worker.pid, signal.SIGKILL)
    grades += [graded.pool.grade(*file) for file in graded.files[1:]]
    lost = {grade.path for grade in grades if grade.status == "grader_error"}
    assert lost <= running
    scores = dict(zip(FILES, [100, 78, 100] * 2, strict=True))
    assert {g.path: g.score for g in grades if g.path not in lost} == {
        shown: score for shown, score in scores.items() if shown not in lost
    }


def test_nothing_is_left_when_it_ends_in_the_middle(of: Callable[[int], Class]) -> None:
    graded = of(2)
    lay_out(graded.folder, dict.fromkeys(FILES, ENDLESS))
    graded.pool.prepare(graded.files)
    graded.pool._turn(0)
    # two zygotes, and of each of two submissions the judge and the child
    wait_until(lambda: len(graded.processes) == 6, "two judges were not at work")
    processes = graded.processes
    graded.pool.close()  # a submission would have the whole day
    wait_for_the_end(processes)
    assert not any(thread.name.startswith("backprop-judge") for thread in threading.enumerate())


def test_a_name_that_is_no_text_can_be_sent(of: Callable[[int], Class]) -> None:
    graded = of(1)
    path = graded.folder / os.fsdecode(b"\xff.py")
    path.write_text(RIGHT)
    assert graded.pool.grade(path, "ann.py").score == 100


def test_what_a_grader_cannot_be_built_with_is_told(of: Callable[[int], Class]) -> None:
    graded = of(1)
    text = "def v1():\n    return nothing(w0)\n"
    (graded.folder.parent / "variants" / "v1.py").write_text(text)
    grade = graded.pool.grade(*graded.files[0])
    assert grade.status == "not_judged"
    assert "v1.py" in grade.message


def test_how_many_may_run_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "CGROUP", tmp_path)
    here = len(os.sched_getaffinity(0))
    assert pool.processors() == here
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert pool.processors() == here
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    assert pool.processors() == 1
    assert pool.at_a_time(2**20) == 1
    (tmp_path / "cpu.max").unlink()
    assert pool.at_a_time(2**20) == here
    (tmp_path / "memory.max").write_text(f"{3 * 2**30}\n")
    (tmp_path / "memory.current").write_text(f"{2**30}\n")
    assert pool.free_memory() == min(2 * 2**30, pool.free_memory())
    assert pool.at_a_time(2**31) == 1
    assert pool.at_a_time(2**40) == 1
