"""`double-backward`: the derivatives of the gradients, which torch's engine takes through the student's backward,
equal autograd's. Asked for by a task with `ORDER = 2`; credit per input."""

from __future__ import annotations

from ...judging.case import Case
from ...judging.derivatives import judge_second
from ...messages import say
from ...model import CheckResult, CheckRules

ID = "double-backward"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when every second derivative is right in each run that has one."""
    hint = say(
        "write backward with differentiable ops on the saved inputs and outputs: no `.data`, "
        "`.detach()` or values computed in forward and saved"
    )
    return judge_second(ID, case, rules, hint, lambda name, beside: None)
