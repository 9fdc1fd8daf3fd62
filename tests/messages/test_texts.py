"""Laws: what a student is told is in one language, and names the same things in every language. In
Russian no English sentence is left, and in English each is one of those that stand in `texts_en.txt`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus import FOLDER, Case, cases
from sampling import is_sampled
from warm_zygote import warm_zygote

from pytest_backprop.exercises.functions.bank import Bank, load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.messages import use_language
from pytest_backprop.model import Finding, Grade

SHAPES = Path(__file__).with_name("texts_en.txt")
"""All that the corpus is told in English, a line each, without numbers and names."""

PYTHONS_OWN = re.compile(
    r"\b\w*(?:Error|Exception|SystemExit)\b(?:: .*)?|(?<=is not Python: ).*"
    r"|(?<=это не код на Python: ).*|(?<=JSON )\(.*\)",
    re.DOTALL,
)
"""What Python and torch say of an error is told as they say it."""
CODE = re.compile(r"`[^`]*`|\w+(?: = \w+)* = \S.*$|\S*[\d_.()\[\]/=]\S*")
"""What stands in backticks, assignments, and whatever has a character that words have not."""
VOCABULARY = {
    "forward", "autograd", "dtype", "return", "float", "generator", "None", "nan", "inf", "-inf",
    "PyTorch", "NumPy", "Python", "JSON", "Jupyter", "File", "Save", "Restart", "Run", "All",
    "manual-forward", "gradient", "unused-nodes", "release",
}  # fmt: skip
"""Latin words of Russian sentences: names of methods, programs, menus and checks."""
NAMES = {
    "add", "sub", "mul", "div", "pow", "clone", "complex", "constant", "copy", "exp",
    "Net", "Example", "Graph", "Other",
}  # fmt: skip
"""The same: ops as torch calls them, and classes of the corpus."""
CYRILLIC = re.compile("[а-яё]", re.I)

CASES = [
    case
    for case in cases()
    if not case.slow and case.seconds is None and case.class_name is None
    and case.status not in ("timeout", "out_of_memory")
]  # fmt: skip


def kinds_of(case: Case) -> set[str]:
    if case.status != "graded":
        return {f"{case.status} {fault.kind}" for fault in case.faults}
    return {fault.kind for fault in case.faults} | ({"note"} if case.notes else set())


def one_of_each_kind() -> list[Case]:
    """A case for each kind of fault that the corpus has, of scalars where one has it."""
    found: dict[str, Case] = {}
    for case in sorted(CASES, key=lambda case: case.of_matrices):
        for kind in kinds_of(case):
            found.setdefault(kind, case)
    return sorted({case.id: case for case in found.values()}.values(), key=lambda case: case.id)


KINDS = one_of_each_kind()
VARIANTS = Path(__file__).parents[2] / "variants"
SAMPLE = [
    case for case in CASES if case in KINDS or (not is_sampled(case.id, 2) and not case.of_matrices)
]
"""And half of the others, by their names: a new case changes nothing for them."""


def long_but_for_a_few(case: Case) -> tuple[pytest.MarkDecorator, ...]:
    """`make test` has one of four kinds of fault."""
    return () if case in KINDS and is_sampled(case.id, 4) else (pytest.mark.long,)


@pytest.fixture(scope="module")
def grade_in() -> Iterator[Callable[[Case, str], Grade]]:
    plan = GradingPlan(variant=None, class_name=None, seed=0, points=256, rtol=5e-5, atol=1e-7,
                seconds=20, memory=2**29)  # fmt: skip
    # the course's own variants too: two cases are its own homework
    folders = (load_bank(VARIANTS), load_bank(FOLDER / "bank"))
    bank = Bank(FOLDER / "bank", {v.name: v for folder in folders for v in folder.values()})
    grader = Grader(plan, default_rubric(), bank, warm_zygote())

    grades: dict[tuple[str, str], Grade] = {}

    def grade(case: Case, language: str) -> Grade:
        if (case.id, language) not in grades:
            use_language(language)
            try:
                grades[case.id, language] = grader.grade(case.path, case.id)
            finally:
                use_language("en")
        return grades[case.id, language]

    yield grade
    grader.close()


def told(grade: Grade) -> list[str]:
    """All texts of a grade: its message and notes, those of checks, findings, hints."""
    texts: list[str | None] = [grade.message, *grade.notes]
    for check in grade.checks:
        texts.append(check.result.message)
        for finding in check.result.findings:
            texts += [finding.message, finding.hint]
    return [text for text in texts if text]


def code(value: Any) -> list[str]:
    """The pieces of code in a check's details."""
    if not isinstance(value, dict):
        return []
    own = [value["reproducer"]] if value.get("reproducer") else []
    return own + [text for item in value.values() for text in code(item)]


def shape(text: str) -> str:
    """A sentence without what differs from submission to submission."""
    text = PYTHONS_OWN.sub("<python>", text)
    text = re.sub(r"`[^`]*`", "`_`", text)
    text = re.sub(r": \w+(?: = \w+)* = None$", ": _ = None", text)
    text = re.sub(r"\b(?:right|wrong)/\w+\.\w+", "_", text)
    text = re.sub(r"\b([wx])\d\b", r"\1", text)
    text = re.sub(r"\b([wx])(?:=-?[\w.+-]+, [wx])+=[^ ]+", "<point>", text)
    return re.sub(r"-?(?<![\w.])(?:\d[\d.]*(?:e[+-]?\d+)?|nan|inf)(?![\w.]*\w)", "#", text)


def test_the_sample_is_a_good_part_of_the_corpus() -> None:
    assert len(SAMPLE) >= 90
    assert {case.path.parent.name for case in SAMPLE} == {"right", "wrong"}
    assert {case.status for case in SAMPLE} >= {"graded", "unreadable"}


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.id, marks=long_but_for_a_few(case)) for case in SAMPLE]
)
def test_a_student_reads_one_language(case: Case, grade_in: Callable[[Case, str], Grade]) -> None:
    russian, english = grade_in(case, "ru"), grade_in(case, "en")
    for text in told(russian):
        assert CYRILLIC.search(text), text
        words = re.findall(r"-?[A-Za-z][A-Za-z-]+", CODE.sub(" ", PYTHONS_OWN.sub("", text)))
        assert set(words) <= VOCABULARY | NAMES, text
    known = SHAPES.read_text(encoding="utf-8").splitlines()
    assert [text for text in told(english) if shape(text) not in known] == []
    assert len(told(english)) == len(told(russian))
    assert english.score == russian.score
    assert [code(check.result.details) for check in english.checks] == [
        code(check.result.details) for check in russian.checks
    ]


def test_an_english_sentence_would_be_seen() -> None:
    for text in ("forward is the variant", "градиент: right", "w0=1 differ"):
        words = re.findall(r"[A-Za-z][A-Za-z-]+", CODE.sub(" ", text))
        assert not set(words) <= VOCABULARY | NAMES


# -- a law: a message names the same things in every language ------------------------------------


def findings(grade: Grade) -> list[Finding]:
    return [finding for check in grade.checks for finding in check.result.findings]


def named(text: str | None) -> list[str]:
    """What stands in backticks, and the numbers."""
    quoted = sorted(re.findall("`[^`]+`", text or ""))
    return quoted + sorted(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])", text or ""))


def test_the_sample_has_most_kinds() -> None:
    assert len({kind for case in KINDS for kind in kinds_of(case)}) >= 20


@pytest.mark.parametrize(
    "case", [pytest.param(case, id=case.id, marks=long_but_for_a_few(case)) for case in KINDS]
)
def test_messages_name_the_same_things(case: Case, grade_in: Callable[[Case, str], Grade]) -> None:
    english, russian = (grade_in(case, language) for language in ("en", "ru"))
    assert english.score == russian.score
    assert english.status == russian.status == case.status
    pairs = list(zip(findings(english), findings(russian), strict=True))
    for one, other in pairs:
        assert (one.kind, one.level, one.place, one.name) == (
            other.kind, other.level, other.place, other.name
        )  # fmt: skip
        assert named(one.message) == named(other.message)
        assert named(one.hint) == named(other.hint)
    for note, same in zip(english.notes, russian.notes, strict=True):
        assert named(note) == named(same)
        assert CYRILLIC.search(same), same
    for one, other in zip(english.checks, russian.checks, strict=True):
        assert named(one.result.message) == named(other.result.message)
