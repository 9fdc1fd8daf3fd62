"""What one more submission of each exercise costs, against one of the homework: ratios within one run.

python benchmarks/exercises.py [KIND…]
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import torch
from corpus_text import graded_file
from speed import ROOT, SUBMISSION, paired, row

from pytest_backprop.exercises import BUILT_IN
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import rubric_of

ROUNDS, BATCH = 7, 4
ASKED = {"layer": "at most 1.5"}
KINDS: dict[str, tuple[Path, str, tuple[str, ...]]] = {
    "autograd-function": (
        ROOT / "tests/submissions_function",
        "bank",
        (
            "leaky_plain_v922.py",
            "swish_input_v923.py",
            "linear_plain_v925.py",
            "norm_plain_v927.py",
        ),
    ),
    "layer": (
        ROOT / "tests/submissions_layer",
        "bank",
        (
            "linear_plain_v801.py",
            "conv_windows_v805.py",
            "batchnorm_staged_v806.py",
            "rnn_plain_v809.py",
        ),
    ),
    "tape": (
        ROOT / "tests/submissions_tape",
        "bank",
        (
            "quiet_v941.py",
            "on_values_v943.py",
            "plain_v944.py",
            "mean_full_v945.py",
            "recompute_v947.py",
        ),
    ),
    "saved-tensor-hooks": (
        ROOT / "tests/submissions_hooks",
        "bank",
        ("numpy_save_v961.py", "struct_of_bytes_v962.py", "delete_on_close_v963.py"),
    ),
    "intermediate-gradients": (
        ROOT / "tests/submissions_intermediate",
        "bank",
        ("whole_v961.py", "whole_v963.py"),
    ),
    "accumulation": (
        ROOT / "tests/submissions_accumulation",
        "bank",
        ("remainder_v961.py", "rows_v962.py", "sum_v963.py"),
    ),
}
"""By exercise: a folder, that of its tasks, and right submissions in `right` beside it."""


def one_more(kind: str, bank: Path, submission: Path) -> tuple[Grader, Callable[[], None]]:
    """A grader, and what grades a submission once more."""
    exercise = BUILT_IN[kind]
    variant = submission.stem.rpartition("_")[2]
    plan = GradingPlan(variant, None, 0, 4096, 5e-5, 1e-7, 20.0, 2**31, exercise=exercise)
    rubric = rubric_of(exercise.name, exercise.rules, {}, ())
    grader = Grader(plan, rubric, exercise.load_bank(bank))
    names = (f"{number}{submission.suffix}" for number in itertools.count())

    def graded() -> None:
        grade = grader.grade(submission, next(names))
        if grade.score != grade.max_score:
            raise SystemExit(f"not full marks: {grade}")

    graded()  # a class pays once for the zygote and the task's references
    return grader, graded


def main() -> None:
    """Prints a row for each of the submissions, of the kinds that are named or of all."""
    torch.set_num_threads(1)
    homework, theirs = one_more("forward-backward", ROOT / "variants", SUBMISSION)
    for kind in sys.argv[1:] or KINDS:
        folder, bank, names = KINDS[kind]
        for name in names:
            grader, ours = one_more(kind, folder / bank, graded_file(folder / "right" / name))
            mine, other = paired(ours, theirs, ROUNDS, BATCH)
            grader.close()
            asked = ASKED.get(kind, "at most 3")
            row(f"one more {name}", mine, "one of the homework", other, mine / other, asked)
    homework.close()


if __name__ == "__main__":
    main()
