"""Functions that give gradients of intermediates, right ones and such with one fault, by the seed, and what is true
of each by plain torch."""

from __future__ import annotations

import contextlib
import gc
import io
import tempfile
import weakref
from pathlib import Path
from random import Random
from typing import Any

import torch
from exercise_programs import ExerciseProgram
from faults import NoPlace
from intermediate_faults import FAULTS, SLIPS, with_fault
from intermediate_oracle import (
    SIZES,
    Broken,
    called,
    given_of,
    judge_text,
    load_task,
    loaded,
    named,
)
from intermediate_rendering import draw_style, start, written
from intermediate_tasks import make_task
from submissions import Discarded

from pytest_backprop.exercises import INTERMEDIATE_GRADIENTS
from pytest_backprop.exercises.functions.bank import Bank

EXERCISE = INTERMEDIATE_GRADIENTS
GATED = frozenset(("gradient", "release"))


class Generator:
    """Programs for the task of one seed."""

    def __init__(self, seed: int) -> None:
        """Raises UsageProblem for a task that is refused."""
        self.made = make_task(seed)
        self.text = self.made.text
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{self.made.name}.py"
            path.write_text(self.text, encoding="utf-8")
            self.bank: Bank = EXERCISE.load_bank(Path(folder))
            self.task = load_task(path)
            self.variant = self.bank.get(self.made.name)

    def right(self, seed: int) -> ExerciseProgram:
        """A right one. Raises NoPlace for a style that the task cannot have."""
        random = Random(f"right {self.made.name} {seed}")
        style = draw_style(random)
        if style.way == "a global dict" and "clone" in style.copied:
            raise NoPlace("what a global still has when copies are returned is kept")
        text = written(self.made, style, start(self.made, style, random))
        broken = judge_text(self.task, text)
        if broken != Broken():
            raise AssertionError(
                f"the generator failed: {broken}\n{style.names}\n{self.text}\n{text}"
            )
        return ExerciseProgram("right", seed, style.names, text, {})

    def faulty(self, seed: int) -> ExerciseProgram:
        """One with a fault. Raises NoPlace where the task has none for it, Discarded where it is no fault."""
        random = Random(f"faulty {self.made.name} {seed}")
        kind = random.choice(FAULTS)
        style = draw_style(random)
        made, style = with_fault(self.made, style, kind, random)
        if kind == "graph of gradients":  # a copy has one, too, unless it is detached
            style = style._replace(copied=random.choice(("", ".clone()")))
        text = written(self.made, style, made)
        try:
            broken = judge_text(self.task, text)
        except SyntaxError as error:
            raise AssertionError(f"the generator failed: {error}\n{text}") from error
        if kind == "graph of gradients" and not self._has_graphs(text):
            raise NoPlace(kind)
        # a node that no other node holds is collected, and its hook with it
        if kind == "hook of many kept" and not self._outlives(text):
            raise NoPlace(kind)
        truth: dict[str, frozenset[str] | None] = {}
        if kind in SLIPS:
            truth[SLIPS[kind]] = None
        if broken.changed:
            truth["integrity"] = None
        if "integrity" in truth:
            return ExerciseProgram(kind, seed, style.names, text, truth, (), GATED)
        if broken.crashed:
            truth["gradient"] = None
        elif broken.gradient or broken.stale:
            truth["gradient"] = frozenset(broken.gradient | broken.stale)
        if not truth:
            raise Discarded(f"it is no fault: {kind}")
        excused = GATED if "gradient" in truth else frozenset()
        return ExerciseProgram(kind, seed, style.names, text, truth, (), excused)

    def _has_graphs(self, text: str) -> bool:
        """Whether a gradient that comes back has a graph of its own."""
        given = given_of(self.task, SIZES[0], 1)
        with contextlib.redirect_stdout(io.StringIO()):
            found: dict[str, Any] = named(self.task, called(loaded(text), given))
        return any(isinstance(g, torch.Tensor) and g.grad_fn is not None for g in found.values())

    def _outlives(self, text: str) -> bool:
        """Whether a gradient that came back is alive when nobody has it and garbage was collected."""
        given = given_of(self.task, SIZES[0], 1)
        with contextlib.redirect_stdout(io.StringIO()):
            found: dict[str, Any] = named(self.task, called(loaded(text), given))
        held = [weakref.ref(g) for g in found.values()]
        del found, given
        gc.collect()
        return any(ref() is not None for ref in held)
