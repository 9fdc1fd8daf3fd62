"""`double-backward`: the derivatives of the gradients, which torch's engine takes through the student's backward,
equal autograd's. Asked for by a task with `ORDER = 2`; credit per input."""

from __future__ import annotations

from ...messages import say
from ...model import CheckResult, CheckRules, Finding
from .beside import differs, where
from .case import Case
from .credit import verdict as credited
from .gradient import gradient_place

ID = "double-backward"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when every second derivative is right in each run that has one."""
    asked = [beside for beside in case.beside if beside.reference.second]
    if not asked:
        message = say("the task does not ask for second derivatives")
        return CheckResult(ID, "passed", 1.0, message, "observed")
    names = asked[0].reference.names
    findings: list[Finding] = []
    for at, name in enumerate(names):
        for beside in asked:
            if beside.evidence.pass_runs[0].fault is not None or beside.facts.misshapen:
                continue  # told with the gradient
            second = beside.facts.second
            told = second[at] if at < len(second) else None
            if not differs(case, told, beside.reference.second[at]):
                continue
            problem = beside.facts.second_problem
            message = (
                say("the gradient cannot be differentiated again: {problem}", problem=problem)
                if problem
                else say("the second derivative with respect to {name} is wrong {where}", name=name,
                         where=where(beside))
            )  # fmt: skip
            findings.append(Finding(
                "wrong-second-order", message, place=case.place(case.evidence.pass_site)
                if problem
                else gradient_place(case, case.gradients[name][0]),
                name=name,
                hint=say("write backward with differentiable ops on the saved inputs and outputs: no "
                         ".data, .detach() or values computed in forward and saved"),
            ))  # fmt: skip
            break
    if not findings:
        ran = any(beside.facts.second and not beside.facts.misshapen for beside in asked)
        if not ran:
            return CheckResult(
                ID, "failed", 0.0, say("the pass did not run to its end"), "observed"
            )
        return CheckResult(
            ID, "passed", 1.0, say("the second derivatives equal autograd's"), "observed"
        )
    outcome, credit = credited(rules, len(findings), len(names) - len(findings), len(names))
    return CheckResult(ID, outcome, credit, findings[0].message, "observed", tuple(findings))
