"""`files`: two saves never share a file, and nobody else can read one."""

from __future__ import annotations

from collections.abc import Iterator

from ....judging.credit import credited
from ....messages import say
from ....model import CheckResult, CheckRules, Finding
from .case import MAKERS, WRITERS, TrialCase, unwritten

ID = "files"


def judge(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when what was seen from outside is so."""
    if not case.writes:
        return CheckResult(ID, "failed", 0.0, unwritten(), "observed")
    findings = tuple(_findings(case))
    faults = [finding for finding in findings if finding.level == "fault"]
    if faults:
        outcome, credit, counts = credited(rules, len(faults))
        return CheckResult(
            ID, outcome, credit, faults[0].message, "observed", findings, faults=counts
        )
    message = say("each save has a file of its own, which nobody else can read")
    if findings:
        message = say("each save has a file of its own")
    return CheckResult(ID, "passed", 1.0, message, "observed", findings)


def _findings(case: TrialCase) -> Iterator[Finding]:
    shared = next((trial for trial in case.trials if trial.is_packed and trial.is_shared), None)
    if shared is not None:
        yield Finding(
            "shared-file",
            say("{count} saves are in {files} files (in the run `{label}`)",
                count=len(shared.reference.large), files=shared.file_count, label=shared.reference.label),
            place=case.call_of(WRITERS),
            hint=say("make a new name for each save that nobody else has: "
                     "`tempfile.mkstemp()` or `uuid.uuid4()`; `id(x)` and counters come again"),
        )  # fmt: skip
    if any(file.shared for trial in case.trials for file in trial.files):
        refused = any(trial.facts.modes_refused for trial in case.trials)
        yield Finding(
            "readable",
            say("whether others can read the files was not judged, as the sandbox sets no modes")
            if refused
            else say("others on the machine can read the files"),
            level="note" if refused else "fault",
            place=case.call_of((*MAKERS, *WRITERS)),
            hint=say(
                "make the file with `tempfile.mkstemp()`, or put it into a folder of "
                "`tempfile.mkdtemp()`: a temporary folder is everybody's"
            ),
        )
    strange = next(
        (f for t in case.trials for stop in t.stops.values() for f in stop.files if not f.plain),
        None,
    )
    if strange is not None:
        yield Finding(
            "no-file",
            say("{file} is no plain file", file=strange.path[:80]),
            place=case.pack,
            hint=say("write the tensor to a file"),
        )
