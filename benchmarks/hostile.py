"""What do safety and hostile submissions cost? Ratios within one run, as in `speed.py`.

    python benchmarks/hostile.py

Prints two rows: one more submission with the kernel's sandbox against one without; and a class of
which a tenth is hostile, taken from `tests/attacks`, against an honest class of the same size, with a
timeout of 10 s a submission. `python tests/attacks_table.py` prints the corpus itself.
"""

from __future__ import annotations

import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from corpus_text import graded_file
from speed import ROOT, SUBMISSION, paired, row

CORPUS = ROOT / "tests" / "attacks"
HONEST = CORPUS / "honest_right_v902.py"
SIZE = 100
TIMEOUT = 10.0
SEED = 0
ROUNDS = 9


def sandboxed() -> None:
    from pytest_backprop.exercises.functions.bank import load_bank
    from pytest_backprop.grading.pipeline import Grader, GradingPlan
    from pytest_backprop.grading.rubric import default_rubric

    bank = load_bank(ROOT / "variants")
    graders = [
        Grader(
            GradingPlan("v8", None, 0, 4096, 5e-5, 1e-7, 20.0, 2**31, on), default_rubric(), bank
        )
        for on in (True, False)
    ]
    names = (f"{number}.ipynb" for number in itertools.count())

    def one(grader: Grader) -> None:
        if grader.grade(SUBMISSION, next(names)).score != 100:
            raise SystemExit("not full marks")

    try:
        ours, theirs = paired(lambda: one(graders[0]), lambda: one(graders[1]), ROUNDS, batch=10)
    finally:
        for grader in graders:
            grader.close()
    row("one submission, sandbox on", ours, "sandbox off", theirs, ours / theirs, "-")
    print(f"{'the sandbox adds':34} {(ours - theirs) * 1e3:7.1f} ms a submission")


def classes() -> None:
    attacks = sorted(path for path in CORPUS.glob("*.py") if not path.name.startswith("honest_"))
    chosen = random.Random(SEED).sample(attacks, SIZE // 10)
    with tempfile.TemporaryDirectory() as folder:
        times = {}
        for name, hostile in (("honest", []), ("hostile", chosen)):
            top = Path(folder, name)
            (top / "class").mkdir(parents=True)
            (top / "variants").mkdir()
            shutil.copy(ROOT / "tests" / "submissions" / "bank" / "v902.py", top / "variants")
            for number in range(SIZE):
                # a hostile one in every ten
                source = hostile[number // 10] if hostile and number % 10 == 5 else HONEST
                shutil.copy(graded_file(source), top / "class" / f"{number:03}_v902.py")
            command = [sys.executable, "-m", "pytest", "--backprop", "class", "-q", "--tb=no",
                       f"--backprop-timeout={TIMEOUT:g}", "-p", "no:cacheprovider",
                       "-p", "no:hypothesispytest", "-p", "no:xdist"]  # fmt: skip
            start = time.perf_counter()
            subprocess.run(command, cwd=top, stdout=subprocess.DEVNULL, env=dict(os.environ),
                           check=False)  # fmt: skip
            times[name] = time.perf_counter() - start
    row(f"{SIZE} submissions, 10 % hostile", times["hostile"], "all honest", times["honest"],
        times["hostile"] / times["honest"], "-")  # fmt: skip
    print("hostile: " + ", ".join(path.stem.removesuffix("_v902") for path in chosen))


if __name__ == "__main__":
    sandboxed()
    classes()
