"""How fast is grading? Ratios within one run, because machines are shared and noisy.

    python benchmarks/speed.py

Prints rows: the whole process against `import torch`; the marginal cost of a submission, by the clock and of a
processor, against a bare fork that runs the assignment's own ten-point test; points judged a second against the
assignment's own loop. Medians of interleaved rounds.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_backprop.processes.forked import Zygote

ROOT = Path(__file__).resolve().parent.parent
SUBMISSION = ROOT / "examples" / "class" / "anna_v8.ipynb"
ROUNDS = 7
MARGINAL_ROUNDS = 9
BATCH = 20


def seconds(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def paired(
    ours: Callable[[], object], theirs: Callable[[], object], rounds: int, batch: int = 1
) -> list[float]:
    """Median seconds of each, run in turns, after one round that is not counted. A turn is a
    batch in a row, so that what runs ahead is not timed with the other's turn."""

    def turn(run: Callable[[], object]) -> float:
        return seconds(lambda: [run() for _ in range(batch)]) / batch

    times: list[tuple[float, float]] = []
    for _ in range(rounds + 1):
        times.append((turn(ours), turn(theirs)))
    return [statistics.median(column) for column in zip(*times[1:], strict=True)]


def whole_process() -> None:
    quiet: dict[str, Any] = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "check": True,
    }
    # with bytecode, as where the package is installed
    quiet["env"] = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pytest", "--backprop", str(SUBMISSION),
                   "--backprop-report", f"json:{folder}/r.json", "-p", "no:cacheprovider",
                   # a tool of our tests, not of graders: its summary alone takes 0.7 s
                   "-p", "no:hypothesispytest"]  # fmt: skip
        ours, theirs = paired(
            lambda: subprocess.run(command, cwd=folder, **quiet),
            lambda: subprocess.run([sys.executable, "-c", "import torch"], **quiet),
            ROUNDS,
        )
    row("one submission, whole process", ours, "import torch", theirs, ours / theirs, "at most 1.5")


def assignment_text() -> str:
    """The assignment's own ten-point test of the submission, as a program."""
    from pytest_backprop.submission import read

    units = [u.text for u in read(SUBMISSION).units]
    needed = "\n".join([units[0].replace("get_ipython", "len, #"), units[2], units[3]])
    return "import torch\nfrom torch import nn\n" + needed + "\ntest_model_class(Graph)\n"


def bare(source: str) -> None:
    """Runs a program in a fork of this process, which has imported torch and has one thread."""
    pid = os.fork()
    if pid == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        exec(compile(source, "bare", "exec"), {"__name__": "bare"})
        os._exit(0)
    if os.waitpid(pid, 0)[1]:
        raise SystemExit("the bare test failed")


def bares(source: str) -> None:
    """As many as a batch has submissions."""
    for _ in range(BATCH):
        bare(source)


def marginal() -> None:
    """Needs a process that has imported torch, as a fork copies it. The zygotes of judges and of children are clean."""
    import torch

    from pytest_backprop.exercises.functions.bank import load_bank
    from pytest_backprop.grading.assignment import Briefs, Part
    from pytest_backprop.grading.judge.judges import Judges, Setup
    from pytest_backprop.grading.judge.pool import Pool, processors
    from pytest_backprop.grading.rubric import default_rubric
    from pytest_backprop.processes.forked import Zygote

    torch.set_num_threads(1)
    source = assignment_text()
    plan = {
        "variant": "v8", "class_name": None, "seed": 0, "points": 4096, "rtol": 5e-5, "atol": 1e-7,
        "seconds": 20.0, "memory": 2**31, "sandbox": True, "drawing": False,
    }  # fmt: skip
    parts, folder = (Part("forward-backward", default_rubric()),), ROOT / "variants"
    setup = Setup(plan, parts, os.fsencode(folder), "en")
    briefs = Briefs(parts, load_bank(folder), None, "v8", {})
    names = (f"{number}.ipynb" for number in itertools.count())

    def graded(pool: Pool) -> None:
        """A batch: those that are ahead of the one that is asked for are graded, too."""
        places = [(SUBMISSION, next(names)) for _ in range(BATCH)]
        pool.prepare(places)
        for place in places:
            grade = pool.grade(*place)
            if grade.score != grade.max_score:
                raise SystemExit(f"not full marks: {grade}")

    def nothing(*_: object) -> None:
        pass

    many = processors()
    judges, several = Judges(setup, 1), Judges(setup, many)
    alone, together = (Pool(j, briefs, nothing, nothing) for j in (judges, several))
    try:
        for pool in (alone, together):
            graded(pool)  # the class pays once for the zygotes and the variant's reference
        rows = []
        for pool in (alone, together):
            ours, theirs = paired(
                lambda pool=pool: graded(pool),  # type: ignore[misc]
                lambda: bares(source),
                MARGINAL_ROUNDS,
            )
            rows.append((ours / BATCH, theirs / BATCH))
        assert isinstance(judges.worker, Zygote)
        judging, child, fork = processor(lambda: graded(alone), source, judges.worker)
    finally:
        alone.close()
        together.close()
    against = "bare fork + ten points"
    for what, (ours, theirs) in zip(
        ("one more submission", f"the same, {many} at a time"), rows, strict=True
    ):
        row(what, ours, against, theirs, ours / theirs, "at most 2")
    row("of a processor: its child", child, against, fork, child / fork, "nothing")
    row("of a processor: its judge", judging, against, fork, judging / fork, "nothing")
    points(source, grader_points=4096, graded_seconds=rows[0][0])


def processor(
    graded: Callable[[], None], source: str, zygote: Zygote
) -> tuple[float, float, float]:
    """A processor's seconds for each of many submissions, in turns with bare forks: of the judges, of the children,
    and of the fork."""
    import psutil

    def worked(pid: int) -> float:
        """All that a zygote has seen end."""
        times = psutil.Process(pid).cpu_times()
        return float(times.children_user + times.children_system)

    def judged() -> float:
        """Those that wait for the next submission with it."""
        assert zygote.pid is not None
        seconds = worked(zygote.pid)
        for each in psutil.Process(zygote.pid).children():
            if each != children:
                with contextlib.suppress(psutil.NoSuchProcess):  # its last submission is graded
                    seconds += sum(each.cpu_times()[:2])
        return seconds

    def forked() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    assert zygote.pid is not None
    # the first that it forked: of submissions
    children = min(psutil.Process(zygote.pid).children(), key=lambda each: each.pid)
    judging = child = fork = 0.0
    for _ in range(MARGINAL_ROUNDS):
        before = judged(), worked(children.pid)
        graded()
        judging += judged() - before[0]
        child += worked(children.pid) - before[1]
        start = forked()
        bares(source)
        fork += forked() - start
    count = MARGINAL_ROUNDS * BATCH
    return judging / count, child / count, fork / count


def points(source: str, grader_points: int, graded_seconds: float) -> None:
    """Points a second: all of grading a submission against the assignment's loop alone."""
    import io

    space: dict[str, object] = {"__name__": "loop"}
    exec(compile(source.replace("test_model_class(Graph)\n", ""), "loop", "exec"), space)
    test = space["test_model_class"]

    def loop() -> None:
        with contextlib.redirect_stdout(io.StringIO()):
            test(space["Graph"])  # type: ignore[operator]

    loop()
    each = statistics.median(seconds(loop) for _ in range(50)) / 10
    ours, theirs = grader_points / graded_seconds, 1 / each
    print(f"{'points a second, all of grading':34} {ours:10.0f}   "
          f"{'the assignment loop':24} {theirs:8.0f}   ratio {ours / theirs:6.1f}")  # fmt: skip
    replayed(theirs)


def replayed(theirs: float) -> None:
    """Points a second: replay and comparison, which is what each further point costs."""
    import torch

    from pytest_backprop.exercises.functions.bank import load_bank
    from pytest_backprop.exercises.functions.reference import expected
    from pytest_backprop.exercises.functions.scenarios import points as draw, scenario
    from pytest_backprop.judging.case import Tolerance
    from pytest_backprop.judging.compare import wrong_at
    from pytest_backprop.processes.forked import Zygote
    from pytest_backprop.processes.protocol import Limits, Ran, Request
    from pytest_backprop.submission import read
    from pytest_backprop.trace.replay import Program

    variant = load_bank(ROOT / "variants").get("v8")
    few, many = draw(variant, 1, 12), draw(variant, 0, 65_536)
    worker = Zygote()
    try:
        outcome = worker.run(
            Request(read(SUBMISSION).units, None, (scenario(variant, few),), 2, Limits(20.0, 2**31))
        )
    finally:
        worker.close()
    assert isinstance(outcome.answer, Ran)
    program = Program(outcome.answer.evidences[0].pass_recordings[0])
    right = expected(variant, many)

    def judge() -> None:
        run = program.run(right.points)
        for name, wanted in right.outputs.items():
            judged, tolerance = right.judged[:, None], Tolerance(5e-5, 1e-7)
            if wrong_at(run.outputs[name], wanted, judged, tolerance).any():
                raise SystemExit("not right")

    with torch.no_grad():
        judge()
        each = statistics.median(seconds(judge) for _ in range(20))
    ours = len(many) / each
    print(f"{'points judged a second':34} {ours:10.0f}   {'the assignment loop':24} "
          f"{theirs:8.0f}   ratio {ours / theirs:6.0f}   (asked: at least 300)")  # fmt: skip


def row(what: str, ours: float, against: str, theirs: float, ratio: float, asked: str) -> None:
    print(f"{what:34} {ours * 1e3:7.1f} ms   {against:24} {theirs * 1e3:5.1f} ms   "
          f"ratio {ratio:6.2f}   (asked: {asked})")  # fmt: skip


if __name__ == "__main__":
    if sys.argv[1:] == ["--marginal"]:
        marginal()
    else:
        whole_process()
        # in a process of its own: pytest and its plugins must not be there to be forked
        subprocess.run([sys.executable, __file__, "--marginal"], check=True)
