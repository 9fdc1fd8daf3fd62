"""Several judges at a time: the same grades, whoever gives them, and nothing is left of any."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from judge_setup import commands, judge_setup
from msgspec.structs import replace
from plugin_samples import ENDLESS, RIGHT, WRONG, lay_out
from waiting import wait_for_the_end, wait_until

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.judge import machine
from pytest_backprop.grading.judge.client import Judge
from pytest_backprop.grading.judge.pool import EACH, Judges
from pytest_backprop.grading.pipeline import Grader
from pytest_backprop.model import Grade
from pytest_backprop.worker.client import Worker

FILES = {
    f"{number:02}_{kind}.py": {"right": RIGHT, "wrong": WRONG}[kind]
    for number, kind in enumerate(["right", "wrong", "right"] * EACH)
}


class Class:
    """A class and what grades it, with what it was told."""

    def __init__(self, folder: Path, most: int) -> None:
        setup = judge_setup(folder)
        variants = load_bank(Path(setup.bank))

        def build(worker: Worker) -> Grader:
            raise AssertionError("it starts in a clean process")

        first = Judge(build, setup.rubric, variants, None, "v1", setup.plan["seconds"], (), setup)
        self.told: list[tuple[str, str]] = []
        self.judges = Judges(
            first,
            most,
            lambda path, shown: self.told.append(("reads", shown)),
            lambda path, shown, grade: self.told.append(("came", shown)),
        )
        self.folder = folder / "class"
        lay_out(self.folder, FILES)
        self.files = [(self.folder / name, name) for name in FILES]

    def zygotes(self) -> list[psutil.Process]:
        """Those of its judges, as far as they are known."""
        pids = [judge._zygote for judge in self.judges._judges]
        return [psutil.Process(pid) for pid in pids if pid is not None]


@pytest.fixture
def of(tmp_path: Path) -> Iterator[Callable[[int], Class]]:
    made: list[Class] = []

    def make(most: int) -> Class:
        made.append(Class(tmp_path / str(len(made)), most))
        return made[-1]

    yield make
    for each in made:
        each.judges.close()


def summary(grade: Grade) -> tuple[object, ...]:
    """All but what is measured from outside."""
    told = [(c.score, replace(c.result, details={})) for c in grade.checks]
    return grade.path, grade.status, grade.score, told


def test_grades_are_those_of_one_judge(of: Callable[[int], Class]) -> None:
    alone, together = of(1), of(3)
    for each in (alone, together):
        each.judges.prepare(each.files)
        assert each.told == []  # nothing is run that nobody asks for
    expected = [summary(alone.judges.grade(*file)) for file in alone.files]
    backwards = [summary(together.judges.grade(*file)) for file in reversed(together.files)]
    assert backwards[::-1] == expected
    assert {score for _, _, score, _ in expected} == {100, 78}
    assert len(together.judges._judges) == 3
    for shown in FILES:
        assert together.told.index(("reads", shown)) < together.told.index(("came", shown))
    assert len(together.told) == 2 * len(FILES)
    first, *others = together.zygotes()
    assert len(others) == 2
    for other in others:
        assert other.parent() == first  # forked: torch was imported once
    assert set(commands(first)) == {" ".join(first.cmdline())}


def test_what_was_never_told_of_is_graded_too(of: Callable[[int], Class]) -> None:
    graded = of(2)
    assert graded.judges.grade(*graded.files[1]).score == 78
    assert len(graded.judges._judges) == 1  # which is enough for one


@pytest.mark.parametrize("whose", [0, 1])
def test_the_end_of_a_zygote_of_judges_costs_nobody(of: Callable[[int], Class], whose: int) -> None:
    graded = of(2)
    graded.judges.prepare(graded.files)
    scores = []
    for number, file in enumerate(graded.files):
        scores.append(graded.judges.grade(*file).score)
        if number == EACH:
            graded.zygotes()[whose].kill()
    assert scores == [100, 78, 100] * EACH


def test_nothing_is_left_when_it_ends_in_the_middle(of: Callable[[int], Class]) -> None:
    graded = of(2)
    lay_out(graded.folder, dict.fromkeys(FILES, ENDLESS))
    graded.judges.prepare(graded.files)
    graded.judges._hand_out()

    def ours() -> list[psutil.Process]:
        zygotes = graded.zygotes()
        return [each for first in zygotes for each in (first, *first.children(recursive=True))]

    wait_until(
        lambda: len(graded.zygotes()) == 2 and len(ours()) > 6, "two judges were not at work"
    )
    processes = ours()
    graded.judges.close()  # a submission would have the whole day
    wait_for_the_end(processes)
    assert not any(thread.name.startswith("backprop-judge") for thread in threading.enumerate())


def test_how_many_may_run_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "CGROUP", tmp_path)
    here = len(os.sched_getaffinity(0))
    assert machine.processors() == here
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert machine.processors() == here
    (tmp_path / "cpu.max").write_text("150000 100000\n")
    assert machine.processors() == 1
    assert machine.at_a_time(2**20) == 1
    (tmp_path / "cpu.max").unlink()
    assert machine.at_a_time(2**20) == here
    (tmp_path / "memory.max").write_text(f"{3 * 2**30}\n")
    (tmp_path / "memory.current").write_text(f"{2**30}\n")
    assert machine.free_memory() == min(2 * 2**30, machine.free_memory())
    assert machine.at_a_time(2**31) == 1
    assert machine.at_a_time(2**40) == 1
