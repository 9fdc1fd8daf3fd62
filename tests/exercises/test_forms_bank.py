"""The bank of forms in `examples/forms/tasks`: each answer key has full marks; each wrong pass, which is a key with one
replacement, loses the checks that `submissions_forms/mutants` states, at the line that was replaced. Both are held against
plain torch, too (`forms_oracle`)."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from corpus import faults_of
from forms_grading import TASKS, Grading, grading
from forms_oracle import Task, judge, read_task
from sampling import is_sampled

ROOT = Path(__file__).parent.parent
KEYS = sorted((ROOT / "submissions_forms" / "keys").glob("*.py"))
STYLES = sorted((ROOT / "submissions_forms" / "styles").glob("*.py"))
"""Right passes for tasks of the bank by who knew neither its keys nor the search for wrong lines."""
WRONG = sorted((ROOT / "submissions_forms" / "wrong").glob("*.py"))
"""Passes that are right nearly everywhere, by the same hands: the first line says where they are not."""
UNASKED = {
    "flash_algorithm2_v541": {"needs-input-grad", "unused-nodes"},
    "flash_compact_v541": {"needs-input-grad"},
    "flash_prealloc_v541": {"needs-input-grad"},
    "flash_recompute_v541": {"needs-input-grad"},
    "flash_split_v541": {"needs-input-grad"},
    "logged_mean_v501": {"unused-nodes"},
}
"""The checks that these of them lose: they compute gradients for inputs that need none, or a mean for a log that is off,
at which nothing looks."""
KNOWN = {"what", "old", "new", "fails", "names", "line", "status", "kind", "says"}
UNSEEN = {"integrity", "unused-nodes"}
"""Checks that plain torch cannot tell."""
USUAL = ("linear_v501-12", "mse_per_sample_v526-1")
"""Wrong passes that `make test` grades whatever the sample is: an empty gradient, and a gradient of another convention
that the task accepts."""


class Mutant(NamedTuple):
    """A wrong pass: the key's text with one replacement, the line that was replaced first, and what is stated of it."""

    key: Path
    number: int
    text: str
    line: int
    stated: dict[str, Any]

    @property
    def id(self) -> str:
        return f"{self.key.stem}-{self.number}"


@functools.cache
def task_of(key: Path) -> Task:
    return read_task(TASKS / f"{key.stem.rpartition('_')[2]}.py")


def mutants_of(key: Path) -> Iterator[Mutant]:
    text = key.read_text(encoding="utf-8")
    table = key.parent.parent / "mutants" / f"{key.stem}.toml"
    for number, stated in enumerate(tomllib.loads(table.read_text(encoding="utf-8"))["mutant"], 1):
        where = f"{table.name}: {number}. {stated['what']}"
        assert not set(stated) - KNOWN, where
        old, new = stated["old"], stated["new"]
        assert text.count(old) == 1, f"{where}: `old` stands {text.count(old)} times in the key"
        same = 0
        for one, other in zip(old.split("\n"), new.split("\n"), strict=False):
            if one != other:
                break
            same += 1
        line = text[: text.index(old)].count("\n") + same + 1
        yield Mutant(key, number, text.replace(old, new), line, stated)


MUTANTS = [mutant for key in KEYS for mutant in mutants_of(key)]
HALF = [each for each in MUTANTS if each.id in USUAL or is_sampled(each.id, 2)]
"""Those that are graded in a child; plain torch is asked about all."""


def sampled(cases: Sequence[Any], name: Callable[[Any], str], parts: int) -> list[Any]:
    """Parameters for all cases; one of about so many is not long."""
    short = [name(case) in USUAL or is_sampled(name(case), parts) for case in cases]
    return [
        pytest.param(case, id=name(case), marks=() if is_short else pytest.mark.long)
        for case, is_short in zip(cases, short, strict=True)
    ]


@pytest.fixture(scope="module")
def graded() -> Iterator[Grading]:
    with grading() as grade:
        yield grade


@pytest.mark.parametrize("key", sampled(KEYS, lambda key: key.stem, 20))
def test_a_key_has_full_marks(key: Path, graded: Grading) -> None:
    grade = graded(key, task_of(key).form)
    assert grade.status == "graded", grade.message
    assert not [f"{f.check} {f.kind} {f.line} {f.name}" for f in faults_of(grade)]
    assert grade.score == grade.max_score == 100


@pytest.mark.parametrize("style", sampled(STYLES, lambda style: style.stem, 20))
def test_a_right_pass_in_another_style_loses_nothing(style: Path, graded: Grading) -> None:
    grade = graded(style, task_of(style).form)
    lost = {c.result.id for c in grade.checks if c.result.outcome in ("partial", "failed")}
    shown = [f"{f.check} {f.kind} {f.line} {f.name}" for f in faults_of(grade)]
    assert lost == UNASKED.get(style.stem, set()), shown


@pytest.mark.parametrize("wrong", sampled(WRONG, lambda wrong: wrong.stem, 12))
def test_a_pass_that_is_wrong_somewhere_does_not_pass(wrong: Path, graded: Grading) -> None:
    grade = graded(wrong, task_of(wrong).form)
    assert grade.status == "graded", grade.message
    lost = {c.result.id for c in grade.checks if c.result.outcome in ("partial", "failed")}
    assert lost & {"forward", "gradient"}


@pytest.mark.parametrize("mutant", sampled(HALF, lambda mutant: mutant.id, 78))
def test_a_wrong_pass_loses_what_it_should(mutant: Mutant, graded: Grading, tmp_path: Path) -> None:
    stated = mutant.stated
    path = tmp_path / mutant.key.name
    path.write_text(mutant.text, encoding="utf-8")
    grade = graded(path, task_of(mutant.key).form)
    assert grade.status == stated.get("status", "graded"), grade.message
    faults = faults_of(grade)
    shown = [f"{f.check} {f.kind} {f.line} {f.name}" for f in faults]
    lost = {c.result.id for c in grade.checks if c.result.outcome in ("partial", "failed")}
    assert "kind" not in stated or stated["kind"] in {fault.kind for fault in faults}, shown
    if grade.status == "graded":
        assert lost == set(stated["fails"]), shown
        wrong = {f.name for f in faults if f.check == "gradient" and f.name}
        assert wrong == set(stated.get("names", ())), shown
    findings = [finding for check in grade.checks for finding in check.result.findings]
    lines = {finding.place.line for finding in findings if finding.place is not None}
    assert mutant.line in lines or not stated.get("line", True), (mutant.line, lines, shown)
    texts = [f"{finding.message} {finding.hint or ''}" for finding in findings]
    assert any(stated.get("says", "") in text for text in (grade.message or "", *texts)), texts


@pytest.mark.parametrize("key", sampled(KEYS, lambda key: key.stem, 20))
def test_plain_torch_finds_a_key_right(key: Path) -> None:
    broken = judge(task_of(key), key.read_text(encoding="utf-8"))
    assert not broken.forward
    assert not broken.raises
    assert not broken.gradient


@pytest.mark.parametrize("mutant", sampled(MUTANTS, lambda mutant: mutant.id, 60))
def test_plain_torch_agrees(mutant: Mutant) -> None:
    stated = mutant.stated
    if stated.get("status", "graded") != "graded" or UNSEEN & set(stated["fails"]):
        return
    broken = judge(task_of(mutant.key), mutant.text)
    assert broken.forward == ("forward" in stated["fails"])
    if broken.raises:
        assert "gradient" in stated["fails"]
        return
    assert broken.gradient == set(stated.get("names", ()))
    assert bool(broken.gradient) == ("gradient" in stated["fails"])


def test_each_task_has_its_wrong_passes() -> None:
    """Those of scripts are in `test_script_form`."""
    paths = TASKS.glob("v*.py")
    tasks = {path.stem for path in paths if '"script"' not in path.read_text(encoding="utf-8")}
    assert {key.stem.rpartition("_")[2] for key in KEYS} == tasks
    for task in tasks:
        own = [mutant for mutant in MUTANTS if mutant.key.stem.endswith(f"_{task}")]
        assert len(own) >= 8, task
