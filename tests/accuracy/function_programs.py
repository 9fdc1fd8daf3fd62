"""Right Functions and such with one fault, by the seed, and what is true of each by plain torch."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random

from exercise_programs import ExerciseProgram
from faults import NoPlace
from function_faults import ARITHMETIC, changed
from function_oracle import Broken, function_of, judge, task_of
from function_rendering import Renderer
from function_styles import FORMS, SAVINGS, Style, draw_style
from function_tasks import make_task
from submissions import Discarded

from pytest_backprop.exercises import AUTOGRAD_FUNCTION
from pytest_backprop.exercises.functions.bank import Bank
from pytest_backprop_authoring.functions.program import FunctionProgram, assembled, program

EXERCISE = AUTOGRAD_FUNCTION
SLIPS: Mapping[str, str] = {
    "computed for all": "needs-input-grad",
    "computed, then asked": "needs-input-grad",
    "saved on ctx": "saved",
    "saved too much": "saved",
    "kept in a list": "saved",
    "extra op in forward": "unused-nodes",
    "extra op in backward": "unused-nodes",
    "grad_output changed": "integrity",
    "input changed": "integrity",
    "autograd inside": "integrity",
    "gradients swapped": "",
    "no gradient": "",
    "one too few": "",
}
"""Faults of writing, and the check that has to find each whatever plain torch says."""
FAULTS = (*ARITHMETIC, *ARITHMETIC, *SLIPS, "wrong forward", "saved intermediate")
LATER = ("needs-input-grad", "unused-nodes", "saved", "double-backward")
"""Checks of what a wrong gradient may take along."""


class Generator:
    """Programs for the task of one seed."""

    def __init__(self, seed: int) -> None:
        """Raises UsageProblem for a task that cannot be graded, or not be derived."""
        self.made = make_task(seed)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / f"{self.made.name}.py").write_text(self.made.text, encoding="utf-8")
            self.bank: Bank = AUTOGRAD_FUNCTION.load_bank(Path(folder))
            self.variant = self.bank.get(self.made.name)
        self.task = task_of(self.made.name, self.made.text)
        self.text = self.made.text
        program(self.variant)  # which refuses here, not at each seed

    def right(self, seed: int) -> ExerciseProgram:
        """A right one."""
        random = Random(f"right {self.made.name} {seed}")
        base = program(self.variant)
        style = draw_style(random, self.task.order, len(base.asked))
        text = self._rendered(base, style, random, "")[0]
        broken = self._judged(text)
        if broken != Broken(never_ran=False):
            raise AssertionError(f"the generator failed: {broken}\n{self.text}\n{text}")
        return ExerciseProgram("right", seed, style.names, text, {})

    def faulty(self, seed: int) -> ExerciseProgram:
        """One with a fault. Raises NoPlace where the task has none for it, Discarded where it is no fault."""
        random = Random(f"faulty {self.made.name} {seed}")
        kind = random.choice(FAULTS)
        base = program(self.variant)
        order = self.task.order
        style = draw_style(random, order, len(base.asked))
        slip = kind if kind in SLIPS else ""
        if kind in ARITHMETIC:
            base = changed(base, kind, random, ahead=False)
        elif kind == "wrong forward":
            base = self._wrong_forward(base, random)
        elif kind == "saved intermediate":
            if order != 2:
                raise NoPlace(kind)
            style = style._replace(form=FORMS[0], saving=SAVINGS[2])
        if len(base.asked) < 2 and kind in (
            "computed for all",
            "computed, then asked",
            "gradients swapped",
        ):
            raise NoPlace(kind)
        text, extra = self._rendered(base, style, random, slip)
        try:
            broken = self._judged(text)
        except SyntaxError as error:
            raise AssertionError(f"the generator failed: {error}\n{text}") from error
        truth = self._truth(kind, broken)
        if not truth:
            raise Discarded("it is no fault: plain torch finds none")
        return ExerciseProgram(kind, seed, style.names, text, truth, extra, _excused(truth))

    def _wrong_forward(self, base: FunctionProgram, random: Random) -> FunctionProgram:
        kinds = ["lost factor", "wrong sign", "wrong function", "wrong number", "lost term"]
        for kind in random.sample(kinds, len(kinds)):
            try:
                moved = changed(base, kind, random, ahead=True)
            except NoPlace:
                continue
            if moved.graph.shape(moved.result) == moved.graph.shape(base.result):
                return moved
        raise NoPlace("wrong forward")

    def _rendered(
        self, base: FunctionProgram, style: Style, random: Random, slip: str
    ) -> tuple[str, tuple[int, ...]]:
        graph = base.graph
        if style.manner == "left to the engine":
            loose = {
                name: graph.nodes[root].operands[0] if graph.nodes[root].kind == "sum" else root
                for name, root in base.gradients.items()
            }
            base = base._replace(gradients=loose)
        leaves = set(base.leaves.values())
        savable = {
            SAVINGS[0]: leaves, SAVINGS[1]: {*leaves, base.result}, SAVINGS[2]: None,
        }[style.saving]  # fmt: skip
        return Renderer(assembled(base, savable), style, random, slip).render()

    def _judged(self, text: str) -> Broken:
        function = function_of(text, "made")
        assert function is not None, text
        return judge(self.task, function)

    def _truth(self, kind: str, broken: Broken) -> dict[str, frozenset[str] | None]:
        """Checks that must fail, with the names that they must tell; None where no names can be said."""
        truth: dict[str, frozenset[str] | None] = {}
        own = SLIPS.get(kind, "")
        if own:
            truth[own] = None
        if broken.changed:
            truth["integrity"] = None
        if broken.forward:
            truth["forward"] = None
        if "integrity" in truth:
            return truth
        if broken.gradient:
            truth["gradient"] = frozenset(broken.gradient)
        if broken.needs_input_grad and own != "needs-input-grad":
            truth["needs-input-grad"] = None
        if broken.double_backward:
            truth["double-backward"] = None
        return truth


def _excused(truth: Mapping[str, frozenset[str] | None]) -> frozenset[str]:
    """Checks that may fail because of what others have to find."""
    if "integrity" in truth or "forward" in truth:
        return frozenset({"forward", "gradient", *LATER})
    if "gradient" in truth:
        return frozenset(LATER)
    # an op for nobody is also one that is computed though it is not needed
    return frozenset({"needs-input-grad"} if "unused-nodes" in truth else ())
