"""The corpus of attacks, in one class with honest neighbours, through real runs of pytest: plain, and
under `-n 2`. The scores are only half of what is asked: nothing is written, read, connected to or
left running, and the neighbours are graded as if they were alone."""

from __future__ import annotations

import contextlib
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest
from attack_class import SECRETS, VARIANT, Class, Listeners, adopting, attacks, given_up, strays
from corpus import Case, Told, _table, stated, told
from plugin_samples import CHECKS, Run
from sampling import few, is_sampled

from pytest_backprop.exercises.functions.bank import load_bank
from pytest_backprop.grading.pipeline import Grader, GradingPlan
from pytest_backprop.grading.rubric import default_rubric
from pytest_backprop.processes import client, sandbox

ALL = attacks()
CASES = [case for case in ALL if not case.slow]
SAMPLE = [case for case in CASES if is_sampled(case.path.name, 12)]
"""What `make test` grades, in a plain run; all of them are graded under `-n 2`."""
TIMEOUT = "--backprop-timeout=20"
"""Some attacks read numbers bit by bit: with the judge they take 14 s on an idle machine, thrice that on a busy one."""
ABORTS = "provenance_script_forks_v902"
"""In some 5 to 15 of a hundred runs torch aborts here, on its own thread: nothing is earned then either."""
FULL = sandbox.probe().is_full
pytestmark = pytest.mark.xdist_group("attacks")


class Done(NamedTuple):
    """A run with what it left behind."""

    run: Run
    report: dict[str, Any]
    by_name: dict[str, dict[str, Any]]
    neighbours: list[str]
    changed: list[str]
    strays: list[str]
    left: list[psutil.Process]
    came: list[str]


def grade_class(
    folder: Path, cases: list[Case], *arguments: str, with_attacks: bool = True
) -> Done:
    links = Listeners()
    try:
        made = Class(folder / "root", folder / "home", folder / "outside", links)
        made.fill(cases, with_attacks)
        before, stray = made.snapshot(), strays()
        with adopting() as left:
            run = made.grade(TIMEOUT, *arguments)
        after = made.snapshot()
        names = before.keys() | after.keys()
        changed = [name for name in names if before.get(name) != after.get(name)]
        new = [name for name in strays() if name not in stray]
        report = run.report  # validated and recounted, once
        by_name = {Path(entry["path"]).name: entry for entry in report["submissions"]}
        return Done(run, report, by_name, made.neighbours, sorted(changed), new, left, links.came())
    finally:
        links.close()


class Runs(dict[str, Done]):
    """Each run is made when it is first asked for."""

    def __init__(self, folders: pytest.TempPathFactory) -> None:
        super().__init__()
        self._folders = folders

    def __missing__(self, which: str) -> Done:
        folder = self._folders.mktemp(which)
        arguments = ("--backprop-executor=local:2",) if which == "n2" else ()
        cases = SAMPLE if which.endswith("plain") else CASES
        self[which] = grade_class(
            folder, cases, *arguments, with_attacks=not which.startswith("alone")
        )
        return self[which]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Done]]:
    """The runs by name; whatever one left running is ended afterwards."""
    found = Runs(tmp_path_factory)
    yield found
    for process in itertools.chain(*(done.left for done in found.values())):
        process.kill()


both = pytest.mark.parametrize("which", ["plain", pytest.param("n2", marks=pytest.mark.long)])


@pytest.mark.parametrize(
    ("which", "case"),
    [
        *(pytest.param("plain", case, id=f"plain-{case.path.stem}") for case in SAMPLE),
        *(pytest.param("n2", case, id=f"n2-{case.path.stem}", marks=pytest.mark.long)
          for case in CASES),
    ],
)  # fmt: skip
def test_verdict(case: Case, which: str, runs: dict[str, Done]) -> None:
    submission = runs[which].by_name[case.path.name]
    scores = {c["id"]: Told(c["outcome"], round(c["score"], 6)) for c in submission["checks"]}
    if case.known_bug:
        assert scores != stated(case), "it is mended: take known_bug out"
        return
    if case.path.stem == ABORTS and submission["status"] == "crashed":
        assert "SIGABRT" in submission["message"]
        assert submission["score"] == 0
        return
    assert submission["status"] == case.status, submission["message"]
    assert scores == stated(case)
    found = {told_kind(c["id"], f["kind"]) for c in submission["checks"] for f in c["findings"]}
    assert {told_kind(fault.check, fault.kind) for fault in case.faults} <= found


def told_kind(check: str, kind: str) -> tuple[str, str]:
    """Which breach is told depends on how many points a busy machine gets through, in a few cases."""
    return check, "a breach" if check == "integrity" else kind


@pytest.fixture(scope="module")
def slow_grader() -> Iterator[Grader]:
    """Its children find torch's compiler imported, which takes each of them seconds otherwise."""
    boot = "import torch._dynamo, torch._decomp.decompositions_for_jvp, sympy; " + client.BOOT
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(client, "BOOT", boot)
        plan = GradingPlan(variant="v902", class_name=None, seed=0, points=256, rtol=5e-5, atol=1e-7,
                    seconds=30.0, memory=2**30)  # fmt: skip
        grader = Grader(plan, default_rubric(), load_bank(VARIANT.parent))
        yield grader
        grader.close()


@pytest.mark.long
@pytest.mark.parametrize(
    "case", [case for case in ALL if case.slow], ids=lambda case: case.path.stem
)
def test_verdict_of_what_needs_the_compiler(case: Case, slow_grader: Grader) -> None:
    grade = slow_grader.grade(case.path, case.path.name)
    assert grade.status == case.status
    assert told(grade) == stated(case)
    found = {(c.result.id, f.kind) for c in grade.checks for f in c.result.findings}
    assert {(fault.check, fault.kind) for fault in case.faults} <= found


@pytest.fixture(scope="module")
def patient_grader() -> Iterator[Grader]:
    """Takes the variant from the name of a file."""
    plan = GradingPlan(variant=None, class_name=None, seed=0, points=256, rtol=5e-5, atol=1e-7,
                seconds=30.0, memory=2**30)  # fmt: skip
    with contextlib.closing(Grader(plan, default_rubric(), load_bank(VARIANT.parent))) as it:
        yield it


@pytest.mark.parametrize("case", few(given_up(), given_up()[:3]), ids=lambda case: case.path.stem)
def test_what_is_given_up_earns_what_its_file_states(case: Case, patient_grader: Grader) -> None:
    assert case.attack
    assert _table(case.path)["why"], "it says why nothing is done about it"
    grade = patient_grader.grade(case.path, case.path.name)
    assert (grade.status, told(grade)) == (case.status, stated(case))


def test_each_case_says_what_it_tries() -> None:
    assert [case.path.name for case in ALL if not case.attack] == []
    assert len({case.attack for case in ALL}) > 100


def test_only_honest_work_has_full_marks() -> None:
    """A text that is only talk may stand in a right submission; no attack on a grade may win."""
    full = [case.path.stem for case in ALL if case.score == 100]
    assert all(name.startswith(("honest_", "text_")) for name in full), full


@both
def test_nothing_was_written(which: str, runs: dict[str, Done]) -> None:
    if FULL:
        assert runs[which].changed == []
        assert runs[which].strays == []


@both
def test_nothing_was_connected_to(which: str, runs: dict[str, Done]) -> None:
    if FULL:
        assert runs[which].came == []


@both
def test_no_process_is_left(which: str, runs: dict[str, Done]) -> None:
    assert [process.cmdline() for process in runs[which].left if process.is_running()] == []


@both
def test_no_secret_got_out(which: str, runs: dict[str, Done]) -> None:
    run = runs[which].run
    text = run.out + run.err + (run.folder / "report.json").read_text(encoding="utf-8")
    if FULL:
        assert [name for name, secret in SECRETS.items() if secret in text] == []


@both
def test_the_neighbours_are_graded_as_if_alone(which: str, runs: dict[str, Done]) -> None:
    names = runs[which].neighbours
    assert len(names) > 5
    for name in names:
        together, alone = (timeless(runs[key].by_name[name]) for key in (which, f"alone-{which}"))
        assert together == alone
        assert together["score"] in (100, 78)


@both
def test_every_planned_check_is_there(which: str, runs: dict[str, Done]) -> None:
    run = runs[which].run
    assert run.code == pytest.ExitCode.TESTS_FAILED, run.err[-2000:]
    assert len(runs[which].by_name) == len(SAMPLE if which == "plain" else CASES) + len(
        runs[which].neighbours
    )
    for submission in runs[which].report["submissions"]:
        assert tuple(check["id"] for check in submission["checks"]) == CHECKS
        assert submission["max_score"] == 100


@pytest.mark.long
def test_two_workers_report_what_one_does(runs: dict[str, Done]) -> None:
    plain, shared = (runs[key].by_name for key in ("plain", "n2"))
    for case in SAMPLE:
        if case.path.stem == "tamper_tensors_by_gc_v902":  # as the collector happens to run
            continue
        one, other = (timeless(names[case.path.name]) for names in (plain, shared))
        assert one == other


VARYING = re.compile(r"\d+ MB|/tmp/\S+|/\S+/pytest-\S+|0x[0-9a-f]+|127\.0\.0\.1:\d+")
"""What a run may say otherwise than another: folders, addresses, how much memory when it stopped."""


MEASURED = ("seconds", "peak_memory")


def timeless(value: Any) -> Any:
    """A report without what differs from run to run."""
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in MEASURED}
    if isinstance(value, list):
        return [timeless(item) for item in value]
    return VARYING.sub("…", value) if isinstance(value, str) else value


def test_the_listeners_hear(tmp_path: Path) -> None:
    """The tests above would mean nothing if nobody could come."""
    import socket

    links = Listeners()
    try:
        with socket.create_connection(("127.0.0.1", links.port)):
            pass
        with socket.socket(socket.AF_UNIX) as link:
            link.connect(links.path)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
            link.sendto(b"x", ("127.0.0.1", links.port))
        assert links.came() == ["tcp", "udp", "unix"]
        assert links.came() == []
    finally:
        links.close()


def test_without_the_sandbox_the_secrets_are_found(tmp_path: Path) -> None:
    """Nor if there was nothing to find."""
    links = Listeners()
    try:
        made = Class(tmp_path / "root", tmp_path / "home", tmp_path / "outside", links)
        names = ("read_home_v902.py", "read_roster_v902.py", "write_everywhere_v902.py")
        made.fill([case for case in CASES if case.path.name in names])
        before = made.snapshot()
        with adopting() as left:
            run = made.grade(TIMEOUT, "--backprop-sandbox=off")
        assert SECRETS["home"] in run.out
        assert SECRETS["roster"] in run.out
        new = {Path(name) for name in made.snapshot().keys() - before.keys()}
        assert {made.folder / "backprop-attack", made.home / "backprop-attack"} <= new
        assert left == []
    finally:
        for name in strays():
            Path(name).unlink()
        links.close()
