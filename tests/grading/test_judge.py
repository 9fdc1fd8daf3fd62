"""The judge can be stopped: what a submission's recording costs the grader has bounds, passing one is
told as that submission's fault, and the next one is graded by another judge."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import psutil
import pytest
from judge_attacks import CANCELLING, FORGED, GAMMA, OPS, ORDER
from judge_setup import judge_setup
from msgspec.structs import replace
from plugin_samples import (
    RIGHT,
    VARIANTS,
    Run,
    bank,
    environment,
    lay_out,
    pytest_command,
    run_pytest,
)
from waiting import wait_for_the_end

from pytest_backprop.exercises import FORWARD_BACKWARD
from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.assignment import Briefs
from pytest_backprop.grading.judge.judges import MEMORY, Judges
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.judging.case import Case
from pytest_backprop.model import CheckResult, CheckRules, Grade
from pytest_backprop.processes.forked import Zygote
from pytest_backprop.resume import Entry, Key

SECONDS = 3.0
STOPPED = "its recording could not be judged"
WAYS_OUT = (
    "look for ops with extreme arguments, write the pass in fewer ops on smaller tensors, or give "
    "more by the setting `timeout`"
)
FALSE_WORD = """
import os
import stat
import msgspec

def answer_broke():
    body = msgspec.msgpack.encode({"type": "broke", "message": "the grader has a fault"})
    for fd in range(3, 64):
        try:
            if stat.S_ISFIFO(os.fstat(fd).st_mode):
                os.write(fd, len(body).to_bytes(4, "big") + body)
        except OSError:
            pass
    os._exit(0)


"""
"""A function with which a submission says, on whatever pipe its process answers by, that the grader broke."""


def own_memory(process: psutil.Process) -> int:
    """Bytes that a process does not share with a file."""
    info = process.memory_info()
    return int(info.rss) - int(info.shared)


# -- the judge alone ------------------------------------------------------------------------------


def die(case: Case, rules: CheckRules) -> CheckResult:
    """Stands for a bug of torch's that a submission finds, or for memory that an op takes for itself."""
    assert case.submission is not None
    text = case.submission.units[0].text
    if "# large" in text:
        bytearray(2 * MEMORY)
    if "# dies" in text:
        os.kill(os.getpid(), signal.SIGSEGV)
    return CheckResult("forward", "passed", 1.0, "", "replayed")


class Rig:
    """Judges of a class, as a run has them, forked from this process, with a check that may die."""

    def __init__(self, folder: Path) -> None:
        lay_out(folder, bank())
        variants = load_bank(folder / "variants")
        setup = judge_setup(folder)
        setup = replace(setup, plan=setup.plan | {"seconds": SECONDS})

        def build(children: Zygote) -> list[Grader]:
            plan = GradingPlan(**setup.plan, exercise=FORWARD_BACKWARD)
            rubric = setup.parts[0].rubric
            return [Grader(plan, rubric, variants, children, checks={"forward": die})]

        self.setup, self.bank = setup, variants
        self.judges = Judges(setup, 1, build)
        self.briefs = Briefs(setup.parts, variants, None, "v1", {})

    def grade(self, path: Path, shown: str) -> Grade:
        return self.judges.grade(path, shown, self.briefs.of(path, shown))


@pytest.fixture(scope="module")
def rig(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    made = Rig(tmp_path_factory.mktemp("bank"))
    made.judges.start()
    yield made
    made.judges.close()


def grades(rig: Rig, folder: Path, texts: dict[str, str]) -> list[Grade]:
    """Grades of files in order."""
    lay_out(folder, texts)
    return [rig.grade(folder / name, name) for name in texts]


def test_a_part_whose_judge_dies_costs_nothing_else(rig: Rig, tmp_path: Path) -> None:
    """Neither that part, which was not judged: it is graded again."""
    setup = rig.setup
    parts = tuple(replace(setup.parts[0], name=name, task="v1") for name in ("sound", "bad"))
    setup = replace(setup, parts=parts)

    def build(children: Zygote) -> list[Grader]:
        kinds, banks = {FORWARD_BACKWARD.name: FORWARD_BACKWARD}, {FORWARD_BACKWARD.name: rig.bank}
        sound, _ = setup.graders(kinds, banks, children)
        _, bad = setup.graders(kinds, banks, children, {}, {"forward": die})
        return [sound, bad]

    lay_out(tmp_path, {"a.py": f"{RIGHT}# dies", "b.py": RIGHT})
    briefs = Briefs(parts, rig.bank, None, None, {})
    with contextlib.closing(Judges(setup, 1, build)) as judges:
        dead, right = (
            judges.grade(path, path.name, briefs.of(path, path.name))
            for path in (tmp_path / "a.py", tmp_path / "b.py")
        )
    assert [(part.status, part.score) for part in dead.parts] == [
        ("graded", 100),
        ("not_judged", 0),
    ]
    assert (dead.status, dead.score, dead.max_score) == ("graded", 100, 200)
    assert {c.result.outcome for c in dead.checks if "bad/" in c.result.id} == {"not_judged"}
    key = Key(rubric="", settings={})
    assert not Entry(key, dead).holds_for(key)
    assert Entry(key, right).holds_for(key)
    assert right.score == 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{RIGHT}# large", f"{STOPPED}: more than 1000 MB; {WAYS_OUT}"),
        pytest.param(OPS, f"{STOPPED}: stopped after 6 s; {WAYS_OUT}", marks=pytest.mark.long),
    ],
    ids=["memory", "time"],
)  # fmt: skip
def test_what_passes_a_bound_costs_its_own_grade_alone(
    rig: Rig, tmp_path: Path, text: str, message: str
) -> None:
    one, large, other = grades(rig, tmp_path, {"a.py": RIGHT, "b.py": text, "c.py": RIGHT})
    assert (one.score, other.score) == (100, 100)
    assert (large.status, large.variant) == ("not_judged", "v1")
    assert large.message == message


def test_a_false_word_of_a_fault_of_ours_costs_the_next_one_nothing(
    rig: Rig, tmp_path: Path
) -> None:
    broke = RIGHT.replace("        a = w0 * x1\n", "        answer_broke()\n        a = w0 * x1\n")
    texts = {"a.py": FALSE_WORD + broke, "b.py": RIGHT}
    forged, right = grades(rig, tmp_path, texts)
    assert (forged.status, forged.score) == ("grader_error", 0)
    assert "the grader has a fault" in forged.message
    assert (right.status, right.message, right.score) == ("graded", "", 100)


def test_more_ops_than_are_recorded_are_no_zero(tmp_path: Path) -> None:
    lay_out(tmp_path, {**bank(), "large.py": OPS.replace("2_500", "20_100")})
    plan = GradingPlan("v1", None, 0, 64, 5e-5, 1e-7, 60.0, 2**31)
    with contextlib.closing(
        Grader(plan, default_rubric(), load_bank(tmp_path / "variants"))
    ) as grader:
        large = grader.grade(tmp_path / "large.py", "large.py")
    assert (large.status, large.variant, large.score) == ("not_judged", "v1", 0)
    assert large.message == (
        "the pass runs more than 20000 ops; write the pass in fewer ops on smaller tensors"
    )


def test_a_judge_that_dies_costs_its_own_submission_alone(rig: Rig, tmp_path: Path) -> None:
    texts = {"a.py": RIGHT, "b.py": f"{RIGHT}# dies", "c.py": RIGHT}
    one, dead, other = grades(rig, tmp_path, texts)
    assert (one.score, other.score) == (100, 100)
    assert (dead.status, dead.score) == ("not_judged", 0)
    assert dead.message == f"{STOPPED}: killed by signal 11 (SIGSEGV); {WAYS_OUT}"


def test_a_zygote_that_is_killed_is_started_again(rig: Rig, tmp_path: Path) -> None:
    (first,) = grades(rig, tmp_path, {"a.py": RIGHT})
    before = rig.judges.worker.pid
    assert before is not None
    killed = psutil.Process(before)
    left = [killed, *killed.children(recursive=True)]
    killed.kill()
    wait_for_the_end(left)  # what it had started ends with it
    (second,) = grades(rig, tmp_path, {"b.py": RIGHT})
    assert (first.score, second.score) == (100, 100)
    assert rig.judges.worker.pid != before


def test_a_zygote_of_submissions_that_is_killed_is_started_again(rig: Rig, tmp_path: Path) -> None:
    """Also for a judge that waits, and knows the one that is gone."""
    grades(rig, tmp_path, {"a.py": RIGHT})
    children, *judges = forked(rig)
    assert judges
    children.kill()
    wait_for_the_end([children])
    (second,) = grades(rig, tmp_path, {"b.py": RIGHT})
    assert (second.message, second.score) == ("", 100)


def test_a_judge_grades_several_and_one_that_is_gone_is_not_missed(
    rig: Rig, tmp_path: Path
) -> None:
    first, second = (forked(rig) for _ in range(2) if grades(rig, tmp_path, {"a.py": RIGHT}))
    assert first == second
    for judge in first[1:]:
        judge.kill()
    wait_for_the_end(first[1:])
    assert [g.score for g in grades(rig, tmp_path, {"b.py": RIGHT})] == [100]
    assert not {*forked(rig)[1:]} & {*first[1:]}


def test_a_judge_knows_what_was_prepared_after_it_began(rig: Rig, tmp_path: Path) -> None:
    """Or each would prepare it once more."""
    grades(rig, tmp_path, {"a.py": RIGHT})
    judges = forked(rig)[1:]
    rig.judges.prepare([(0, "v1")])
    assert forked(rig)[1:] == judges  # it has been
    rig.judges.prepare([(0, "v2")])
    wait_for_the_end(judges)


def forked(rig: Rig) -> list[psutil.Process]:
    """What the judges' zygote forked: that of submissions, then judges."""
    return sorted(psutil.Process(rig.judges.worker.pid).children(), key=lambda each: each.pid)


class Rung(Exception):
    """What a test's own clock raises."""


def test_an_answer_that_nobody_waits_for_is_no_others(rig: Rig, tmp_path: Path) -> None:
    def ring(number: int, frame: FrameType | None) -> None:
        raise Rung

    lay_out(tmp_path, {"slow.py": RIGHT.replace("y = a", "import time; time.sleep(5); y = a")})
    rig.judges.prepare([(0, "v1")])
    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)  # as pytest-timeout does
        with pytest.raises(Rung):
            rig.grade(tmp_path / "slow.py", "slow.py")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    lay_out(tmp_path, {"other.py": RIGHT})
    other = rig.grade(tmp_path / "other.py", "other.py")
    assert (other.path, other.score) == ("other.py", 100)


def test_nothing_of_a_judge_stays(rig: Rig, tmp_path: Path) -> None:
    """Comes last, as it ends the zygotes that the others share."""
    assert [g.score for g in grades(rig, tmp_path, {"a.py": RIGHT, "b.py": RIGHT})] == [100, 100]
    zygote = psutil.Process(rig.judges.worker.pid)
    left = zygote.children(recursive=True)  # the zygote of submissions, and judges that wait
    rig.judges.close()
    wait_for_the_end([zygote, *left])


# -- a whole run ----------------------------------------------------------------------------------

HOSTILE = {"order": ORDER, "gamma": GAMMA, "ops": OPS, "cancelling": CANCELLING, "forged": FORGED}


class Watch(threading.Thread):
    """The highest memory of pytest's process and of those that judge, above their first. Those that run
    submissions have sessions of their own."""

    def __init__(self, process: psutil.Process) -> None:
        super().__init__()
        self._process = process
        self._idle: dict[psutil.Process, int] = {}
        self.excess = 0
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.005):
            try:
                zygotes = self._process.children()
                judges = [each for zygote in zygotes for each in zygote.children()]
            except (psutil.Error, ProcessLookupError):
                continue
            for process in (self._process, *zygotes, *judges):
                try:
                    memory = own_memory(process)
                except (psutil.Error, ProcessLookupError):
                    continue
                self.excess = max(self.excess, memory - self._idle.setdefault(process, memory))


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, int]:
    folder = tmp_path_factory.mktemp("class")
    lay_out(folder, {"variants/v1.py": VARIANTS["v1.py"]})
    for place, (name, text) in enumerate(HOSTILE.items()):
        lay_out(folder / "class", {f"{place}a_{name}.py": text, f"{place}b_honest.py": RIGHT})
    words = ("--backprop-variant=v1", f"--backprop-timeout={SECONDS:g}")
    command = pytest_command(
        "--backprop", "class", "--backprop-report=json:report.json", "-q", *words
    )
    with subprocess.Popen(command, cwd=folder, env=environment(folder), stdout=-1, stderr=-1) as p:
        watch = Watch(psutil.Process(p.pid))
        watch.start()
        try:
            out, err = p.communicate()
        finally:
            watch.ended.set()
            p.kill()
    watch.join()
    return Run(p.returncode, out.decode(), err.decode(), folder), watch.excess


@pytest.mark.long
def test_every_honest_neighbour_has_full_marks(watched: tuple[Run, int]) -> None:
    run = watched[0]
    honest = [s for name, s in run.by_name.items() if "honest" in name]
    assert [s["score"] for s in honest] == [100] * len(HOSTILE)


@pytest.mark.long
def test_passing_a_bound_is_told_as_such(watched: tuple[Run, int]) -> None:
    told = {name[3:-3]: s for name, s in watched[0].by_name.items() if "honest" not in name}
    assert told["ops"]["status"] == "not_judged"
    assert told["ops"]["message"].startswith(f"{STOPPED}: stopped after 6 s")
    assert told["ops"]["score"] == 0
    # whether it passes a bound depends on the machine
    assert told["cancelling"]["status"] in ("graded", "not_judged")


@pytest.mark.long
@pytest.mark.parametrize("name", ["order", "gamma", "forged"])
def test_what_an_op_may_cost_is_known_before_it_runs(watched: tuple[Run, int], name: str) -> None:
    told = next(s for path, s in watched[0].by_name.items() if path.endswith(f"a_{name}.py"))
    assert told["status"] == "graded"
    assert any("points that it ran itself" in note for note in told["notes"])
    checks = {check["id"]: check for check in told["checks"]}
    assert (checks["manual-forward"]["score"], checks["manual-forward"]["basis"]) == (
        10,
        "observed",
    )


@pytest.mark.long
def test_the_graders_memory_stays_in_bounds(watched: tuple[Run, int]) -> None:
    excess = watched[1]
    assert 50 * 2**20 < excess <= MEMORY, f"{excess / 2**20:.0f} MB above idle"


# -- on a busy machine ----------------------------------------------------------------------------

FIRST = "        a = w0 * x1\n"
STATUS = {
    "endless": ("while True: pass", "timeout"),
    "sleeper": ("import time; time.sleep(1000)", "timeout"),
    "flood": ("for _ in range(200): print('x' * 2**20)", "graded"),
    "right": ("pass", "graded"),
}


@pytest.mark.long
def test_a_busy_machine_changes_no_verdict(tmp_path: Path) -> None:
    """With three processes on each processor, and a rubric that asks for an export of each."""
    lay_out(tmp_path, {**bank(), "rubric.toml": "[checks.onnx]\npoints = 10\n"})
    for name, (line, _) in STATUS.items():
        text = RIGHT.replace(FIRST, f"        {line}\n{FIRST}")
        lay_out(tmp_path / "class", {f"{name}.py": text})
    words = ("--backprop-variant=v1", "--backprop-timeout=3", "--backprop-rubric=rubric.toml")
    words = (*words, "--backprop-report=json:report.json", "-q", "-p", "no:cacheprovider")
    busy = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(busy) for _ in range(3 * (os.cpu_count() or 1))]
    try:
        run = run_pytest(tmp_path, "--backprop", "class", *words)
    finally:
        for other in others:
            other.kill()
            other.wait()
    by_name = run.by_name
    seen = {name: by_name[f"{name}.py"]["status"] for name in STATUS}
    assert seen == {name: status for name, (_, status) in STATUS.items()}
    assert by_name["right.py"]["score"] == 110
