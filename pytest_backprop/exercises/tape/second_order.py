"""`second-order`: the gradients of the gradients, which the student's own `grad` takes on the
same tape, equal autograd's. Asked for by a task with `ORDER = 2`; credit per input."""

from __future__ import annotations

from ...judging.case import Beside, Case
from ...judging.derivatives import judge_second
from ...messages import phrase, say
from ...model import CheckResult, CheckRules, Finding
from ...trace.graph import DataFlow, op_name

ID = "second-order"
VARIABLES = phrase(
    "write propagate with Variables and their operators alone: what is calculated on "
    "`.value` is not on the tape"
)


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when every second derivative is right in each run that has one."""
    return judge_second(
        ID, VARIABLES, case, rules, lambda name, beside: _captured(case, name, beside)
    )


def _captured(case: Case, name: str, beside: Beside) -> Finding | None:
    """The finding for an aggregate whose `propagate` uses a value of its forward that no entry
    has among its outputs: no gradient flows back through that use."""
    if beside.facts.second_problem:
        return None
    for recording in beside.evidence.pass_recordings[:1]:
        phases = dict(recording.phases)
        start = phases.get("backward", 0)
        storages = [value.storage for value in recording.values]
        leaves = {v.storage for v in recording.values if v.origin in ("weight", "input")}
        flow = DataFlow(recording)
        for captured in beside.facts.captured:
            made = [
                position
                for position, op in enumerate(recording.ops[:start])
                if any(storages[v] == captured.storage for v in op.outputs)
            ]
            used = any(
                storages[v] == captured.storage for op in recording.ops[start:] for v in op.reads
            )
            if captured.storage in leaves or not made or not used:
                continue
            read = {storages[v] for at in flow.upstream(set(made)) for v in recording.ops[at].reads}
            if not read & leaves:
                continue  # a constant
            op = recording.ops[made[0]]
            return Finding(
                "hidden-output",
                say(
                    "the second derivative with respect to {name} is wrong: propagate uses "
                    "`{value}`, which "
                    "depends on the inputs and is no output of an entry, so that no gradient flows "
                    "through "
                    "that use",
                    name=name,
                    value=captured.name or op_name(op),
                ),
                place=case.place(op.site or case.evidence.forward_site),
                name=name,
                hint=say(
                    "put its name among the outputs of the entry, and add the gradient that "
                    "propagate then "
                    "gets for it; or calculate it from the inputs again in propagate"
                ),
            )
    return None
