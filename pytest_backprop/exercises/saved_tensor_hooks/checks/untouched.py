"""`integrity`: the hooks leave the tensors that they are given as they are."""

from __future__ import annotations

from ....messages import say
from ....model import CheckResult, CheckRules, Finding
from .case import TrialCase

ID = "integrity"


def judge(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when no tensor was changed; notes where a graph would hold itself."""
    if any(trial.facts.changed for trial in case.trials):
        message = say("pack_hook changes the tensor that it is given")
        finding = Finding(
            "mutation", message, place=case.pack,
            hint=say("write and return it as it is: it is the model's own, not a copy"),
        )  # fmt: skip
        details = {"gate": say("the hooks change tensors")}
        return CheckResult(ID, "failed", 0.0, message, "observed", (finding,), details)
    notes: tuple[Finding, ...] = ()
    if any(trial.facts.itself for trial in case.trials):
        notes = (Finding(
            "cycle",
            say("pack_hook returns the very tensor that it is given: a result of the op then holds the graph, and "
                "the graph holds the result, so that nothing of it is freed without a backward"),
            level="note",
            place=case.pack,
            hint=say("return `x.detach()`"),
        ),)  # fmt: skip
    message = say("the hooks leave tensors as they are")
    return CheckResult(ID, "passed", 1.0, message, "observed", notes)
