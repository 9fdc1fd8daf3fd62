"""Hooks for saved tensors, right ones and such with one fault, by the seed. Plain torch says of each what it can see,
before the grader does."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from pathlib import Path
from random import Random
from typing import Any, NoReturn

from exercise_programs import ExerciseProgram
from hook_rendering import FAULTS, Style, draw_style, written
from hooks_oracle import seen
from submissions import Discarded
from warm_zygote import warm_zygote

from pytest_backprop.exercises import SAVED_TENSOR_HOOKS
from pytest_backprop.exercises.functions.bank import Bank

EXERCISE = SAVED_TENSOR_HOOKS
worker = warm_zygote
"""Its files and its memory are looked at from outside, so that a child of its own runs each."""
MODELS = (
    ('x: Float[Tensor, "n"], w: Float[Tensor, "n"]', "(x * x * w).sin().exp().sum()"),
    ('x: Float[Tensor, "n d"], w: Float[Tensor, "d c"], b: Float[Tensor, "c"]', "torch.sigmoid(torch.tanh(x @ w + b) ** 2)"),
    ('x: Float[Tensor, "n d"], w: Float[Tensor, "d"]', "(torch.softmax(x * w, 1) * x.exp()).sum(1)"),
    ('x: Float[Tensor, "n d"], w: Float[Tensor, "n d"]', "(torch.sin(x - 0.6) * w + torch.sigmoid(x)).mean(0)"),
    ('x: Float[Tensor, "n d"], g: Float[Tensor, "n d"]', "torch.log(1 + torch.exp(x) * g * g).sum()"),
)  # fmt: skip
THRESHOLDS = (500, 600, 1000, 1200)


class Generator:
    """Programs for the task of one seed."""

    def __init__(self, seed: int) -> None:
        """Raises UsageProblem for a task that is refused."""
        random = Random(f"hooks:{seed}")
        self.name = f"v{seed % 900 + 1}"
        given, value = MODELS[seed % len(MODELS)]
        self.threshold = random.choice(THRESHOLDS)
        self.text = "\n".join([
            'EXERCISE = "saved-tensor-hooks"', f"THRESHOLD = {self.threshold}", "", "",
            f"def {self.name}({given}):", f"    return {value}", "",
        ])  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / f"{self.name}.py").write_text(self.text, encoding="utf-8")
            self.bank: Bank = EXERCISE.load_bank(Path(folder))
            self.variant = self.bank.get(self.name)

    def right(self, seed: int) -> ExerciseProgram:
        """A right one."""
        return self._made(seed, "", draw_style(Random(f"right {self.name} {seed}")))

    def faulty(self, seed: int) -> ExerciseProgram:
        """One with a fault. Raises Discarded where it is none."""
        random = Random(f"faulty {self.name} {seed}")
        kind = random.choice(tuple(FAULTS))
        style = draw_style(random)
        if kind == "removed by unpack" or "name" in FAULTS[kind].parts:
            style = style._replace(written="torch")
        return self._made(seed, kind, style)

    def _made(self, seed: int, kind: str, style: Style) -> ExerciseProgram:
        fault = FAULTS.get(kind)
        text = written(style, self.threshold, fault)
        truth: dict[str, frozenset[str] | None] = dict.fromkeys([fault.breaks] if fault else [])
        along = fault.along if fault else frozenset()
        found = seen_in(text, self.threshold)
        if fault and fault.seen and not seen_as(fault.breaks) & found:
            raise Discarded(f"it is no fault: {kind}")
        stated = {*truth, *along}
        if any(not seen_as(check) & stated for check in found) and "integrity" not in truth:
            raise AssertionError(
                f"plain torch says {found} of {kind or 'a right program'}:\n{text}"
            )
        return ExerciseProgram(kind or "right", seed, style.names, text, truth, (), along)


def seen_as(check: str) -> set[str]:
    """What plain torch says of it: files that are too few, or shared, are the same to it, and in-place changes are
    seen as wrong gradients."""
    if check == "integrity":
        return {"gradient"}
    return {"threshold", "files"} if check in ("threshold", "files") else {check}


def seen_in(text: str, threshold: int) -> set[str]:
    """The checks that plain torch finds something for, in an empty folder and a process of its own, whose end does
    nothing more of what the text has it do."""
    reader, writer = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", DeprecationWarning
            )  # the threads of a test run hold no lock of ours
            child = os.fork()
        if not child:
            _tell(writer, text, threshold, folder)
        os.close(writer)
        with open(reader, encoding="utf-8") as pipe:
            told: dict[str, Any] = json.load(pipe)
        os.waitpid(child, 0)
    if "raised" in told:
        raise AssertionError(f"the generator failed: {told['raised']}\n{text}")
    found = {"gradient"} if told["wrong"] else set()
    found |= {"release"} if told["left"] and not told["wrong"] else set()
    counts = told["files"].values()
    if any(n < told["saves"] if large else n > 0 for large, n in counts):
        found.add("threshold")
    return found


def _tell(writer: int, text: str, threshold: int, folder: str) -> NoReturn:
    """Writes what the oracle says, and ends the process."""
    try:
        told = seen(text, threshold, folder)
    except BaseException as error:
        told = {"raised": repr(error)}
    os.write(writer, json.dumps(told).encode())
    os._exit(0)
