"""What a judge in a clean process is told, and what it then consists of."""

from __future__ import annotations

import os
from pathlib import Path

from plugin_samples import bank, lay_out

from pytest_backprop.exercises import FORWARD_BACKWARD
from pytest_backprop.grading.assignment import Part
from pytest_backprop.grading.judge.judges import Setup
from pytest_backprop.grading.rubric import default_rubric


def judge_setup(folder: Path) -> Setup:
    """The usual one, with a bank in `folder`."""
    lay_out(folder, bank())
    plan = {
        "variant": "v1", "class_name": None, "seed": 0, "points": 4096, "rtol": 5e-5, "atol": 1e-7,
        "seconds": 80_000.0, "memory": 2**31, "sandbox": True, "drawing": False,
    }  # fmt: skip
    return Setup(
        plan=plan, parts=(Part(FORWARD_BACKWARD.name, default_rubric()),),
        bank=os.fsencode(folder / "variants"), language="en",
    )  # fmt: skip
