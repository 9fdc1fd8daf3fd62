"""The check `naming`: what the backward pass gives a name has one that starts with `d`."""

from __future__ import annotations

from pytest_backprop.extension import Case, CheckResult, CheckRules, Finding, PassCase

ID = "naming"
PUT_TOGETHER = ("aten::stack", "aten::cat", "torch::tensor")
"""Ops that gather the gradients; what they make may be called anything."""


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when every value between y and the gradients is called as an adjoint is."""
    if not isinstance(case, PassCase):
        return CheckResult(ID, "failed", 0.0, "the pass did not run to its end", "observed")
    flow = case.flow
    backward = flow.reached - flow.upstream(flow.sources["value"])
    findings = {}
    for position in sorted(backward):
        op = case.recording.ops[position]
        name = op.name or ""
        adjoint = name.startswith("d") or op.target.startswith(PUT_TOGETHER)
        if name.isidentifier() and not adjoint:
            findings[name] = Finding(
                "adjoint-name",
                f"`{name}` belongs to the backward pass",
                place=case.place(op.site),
                name=name,
                hint=f"call it `d` and the name of the node, as in `d{name}`",
            )
    if not findings:
        return CheckResult(ID, "passed", 1.0, "adjoints are named d…", "observed")
    each = rules.penalty if rules.credit == "per-finding" else 1.0
    left = max(0.0, 1.0 - each * len(findings))
    message = f"not named as adjoints: {', '.join(findings)}"
    outcome = "partial" if left else "failed"
    return CheckResult(ID, outcome, left, message, "observed", tuple(findings.values()))
