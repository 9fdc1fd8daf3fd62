"""Right tapes and such with one fault, by the seed, and what is true of each by plain torch."""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random

from exercise_programs import ExerciseProgram
from faults import NoPlace
from submissions import Discarded
from tape_faults import FAULTS, OF_AGGREGATES, SLIPS
from tape_oracle import Broken, judge, names_of, task_of
from tape_rendering import Renderer
from tape_styles import CLOSURES, GRAPH, Style, draw_style
from tape_tasks import PRODUCTS, make_task

from pytest_backprop.exercises import TAPE
from pytest_backprop.exercises.functions.bank import Bank

EXERCISE = TAPE
GATED = ("gradient", "none", "unused-nodes", "release", "second-order")


class Generator:
    """Programs for the task of one seed."""

    def __init__(self, seed: int) -> None:
        """Raises UsageProblem for a task that cannot be graded."""
        self.made = make_task(seed)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / f"{self.made.name}.py").write_text(self.made.text, encoding="utf-8")
            self.bank: Bank = TAPE.load_bank(Path(folder))
            self.variant = self.bank.get(self.made.name)
        self.task = task_of(self.made.name, self.made.text)
        self.text = self.made.text
        self._matrix = (
            "matmul" if self.task.dims.get("w") == tuple(PRODUCTS[1]["w"].split()) else "matvec"
        )

    def right(self, seed: int) -> ExerciseProgram:
        """A right one."""
        random = Random(f"right {self.made.name} {seed}")
        style = draw_style(random, self.task.order, bool(self.made.operator))
        text, _ = Renderer(self.made, self._matrix, style, random).render()
        broken = judge(self.task, names_of(text))
        if broken != Broken():
            raise AssertionError(
                f"the generator failed: {broken}\n{style.names}\n{self.text}\n{text}"
            )
        return ExerciseProgram("right", seed, style.names, text, {})

    def faulty(self, seed: int) -> ExerciseProgram:
        """One with a fault. Raises NoPlace where the task has none for it, Discarded where it is no fault."""
        random = Random(f"faulty {self.made.name} {seed}")
        fault = random.choice(FAULTS)
        style = self._style_for(
            fault, draw_style(random, self.task.order, bool(self.made.operator))
        )
        text, extra = Renderer(self.made, self._matrix, style, random, fault).render()
        try:
            broken = judge(self.task, names_of(text))
        except SyntaxError as error:
            raise AssertionError(f"the generator failed: {error}\n{text}") from error
        truth = _truth(fault, broken)
        if not truth:
            raise Discarded(f"it is no fault: {fault}")
        return ExerciseProgram(fault, seed, style.names, text, truth, extra, _excused(truth, fault))

    def _style_for(self, fault: str, style: Style) -> Style:
        """One in which there is a place for a fault. Raises NoPlace."""
        by_in = ("overwrites", "keeps the first", "adds in place", "map kept between calls")
        if fault in by_in:
            style = style._replace(adjoints="asks by in", adding="new after old")
        if fault == "added twice" and style.adding == "sums lists":
            style = style._replace(adjoints="get", adding="new after old")
        if fault in ("recorded twice", "output is an input", "history kept") and style.recording in (
            GRAPH, "parallel lists", "operation classes", "decorated functions", "generators",
        ):  # fmt: skip
            style = style._replace(recording="tuples", tape="a list", walk="reversed")
        if fault == "not on the tape" and style.recording in ("decorated functions", "generators"):
            style = style._replace(recording="tuples")
        if fault in OF_AGGREGATES:
            if not self.made.operator or (fault == "captured temporary" and self.task.order == 1):
                raise NoPlace(fault)
            recording = style.recording if style.recording in CLOSURES else "named tuples"
            style = style._replace(recording=recording, aggregate="calculates t again")
        if fault == "wrong way of work":
            if self.task.order == 1 or style.aggregate not in ("", "composed"):
                raise NoPlace(fault)
            style = style._replace(working="propagates Variables")
        if fault in ("input changed", "extra op in forward") and style.recording in (
            "operation classes",
            "decorated functions",
        ):
            style = style._replace(recording="named tuples")
        if (
            fault == "pops the tape" and style.keys == "keyed by id"
        ):  # what is not on the tape dies, and its id with it
            style = style._replace(keys="keyed by Variables")
        if "in propagate" in fault and style.recording in (
            "lambdas",
            "table of rules",
            "decorated functions",
        ):
            style = style._replace(recording="named tuples")
        graph_faults = ("last entry left out", "first entry left out", "pops the tape", "reset does nothing",
                        "clears the tape", "reset of a local", "one entry left", "stops at None", "does not skip",
                        "forward order")  # fmt: skip
        if fault in graph_faults and style.recording == GRAPH:
            style = style._replace(recording="named tuples", tape="a list", walk="reversed")
        if fault in ("pops the tape", "reset of a local", "one entry left"):
            style = style._replace(tape="a list") if style.recording != "parallel lists" else style
        return style


def _truth(fault: str, broken: Broken) -> dict[str, frozenset[str] | None]:
    """The checks that must fail."""
    truth: dict[str, frozenset[str] | None] = {}
    if fault in SLIPS:
        truth[SLIPS[fault]] = None
    if broken.forward:
        truth["forward"] = None
    if "integrity" in truth:
        return truth
    if broken.crashed and not broken.forward:
        truth["gradient"] = None
    elif broken.gradient:
        truth["gradient"] = frozenset(broken.gradient)
    if not broken.crashed:
        if broken.second and not broken.gradient:
            truth["second-order"] = frozenset(broken.second)
        if broken.none and not broken.gradient:
            truth["none"] = None
        if broken.kept:
            truth["release"] = None
    return truth


def _excused(truth: dict[str, frozenset[str] | None], fault: str) -> frozenset[str]:
    """Checks that may fail because of what others have to find."""
    if "integrity" in truth or "forward" in truth:
        return frozenset({"forward", *GATED})
    if fault == "wrong forward":  # perhaps of the product that makes L of the value
        return frozenset({"forward", *GATED})
    if (
        fault == "map kept between calls"
    ):  # numbers of earlier runs: the same inputs give others, which is a breach
        return frozenset({"integrity", *GATED})
    if "gradient" in truth:
        return frozenset(GATED)
    found: set[str] = set()
    if "none" in truth:
        found |= {"unused-nodes", "second-order"}
    if "second-order" in truth:
        found |= {"release"}
    return frozenset(found)
