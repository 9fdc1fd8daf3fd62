"""`release`: each file is gone when its graph is freed: after backward, without one, and when backward raises."""

from __future__ import annotations

from collections.abc import Iterator

from ....judging.credit import credited
from ....messages import say
from ....model import CheckResult, CheckRules, Finding
from ..facts import DROPPED, GRAPHS, RAISES
from .case import Trial, TrialCase, unwritten

ID = "release"
REMOVERS = ("remove", "unlink", "rmtree", "cleanup")


def judge(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when the folder is empty each time."""
    if not case.writes:
        return CheckResult(ID, "failed", 0.0, unwritten(), "observed")
    findings: dict[str, Finding] = {}
    for trial in case.trials:
        for finding in _left(case, trial):
            findings.setdefault(finding.message, finding)
    for file in case.left if not findings else ():
        finding = _finding(
            case, say("{file} is left in the folder after the run", file=file.path[:80])
        )
        findings.setdefault("left", finding)
    if not findings:
        message = say("each file is gone when its graph is freed")
        return CheckResult(ID, "passed", 1.0, message, "observed")
    told = tuple(findings.values())
    outcome, credit, counts = credited(rules, len(told))
    return CheckResult(ID, outcome, credit, told[0].message, "observed", told, faults=counts)


def _left(case: TrialCase, trial: Trial) -> Iterator[Finding]:
    """What is there still, where nothing should be."""
    variation = trial.reference.variation
    left = len(trial.stops["freed"].files) + trial.facts.still_open
    if trial.facts.fault is not None:
        return  # an error may hold what it came through
    if left and variation == DROPPED:
        yield _finding(case, say("files are left when the value is dropped without a backward"))
    elif left and variation == RAISES:
        yield _finding(case, say("files are left when an error ends the backward"))
    elif left:
        yield _finding(case, say("files are left after the backward"))
    if variation != GRAPHS or left or trial.facts.nameless:
        return
    if len(trial.stops["half"].files) > len(trial.files) - len(trial.files) // 3:
        yield _finding(case, say("files of one graph are left as long as there is another"))


def _finding(case: TrialCase, message: str) -> Finding:
    return Finding(
        "left",
        message,
        place=case.call_of(REMOVERS),
        hint=say("return an object of a class from pack_hook that removes its file in "
                 "__del__, or with `weakref.finalize`: it goes when the graph goes"),
    )  # fmt: skip
