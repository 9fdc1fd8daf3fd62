"""The checks of all forms, and of an exercise that does not say its own. An exercise's rules
choose among them."""

from __future__ import annotations

from msgspec.structs import replace

from ...judging import forward, gradient, integrity, release, unused_nodes
from ...judging.case import Case
from ...model import CheckResult, CheckRules


def _judge_integrity(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when the pass is manual. What functions of arguments change of these is a note; of
    a module `manual-forward` says so."""
    result = integrity.judge(case, rules)
    changed = integrity.inputs_changed(case) if case.is_vjp else []
    notes = [replace(finding, level="note") for finding in changed]
    return replace(result, findings=(*result.findings, *notes))


CHECKS = {check.ID: check.judge for check in (forward, gradient, unused_nodes, release)} | {
    forward.MANUAL: forward.judge_manual,
    integrity.ID: _judge_integrity,
}
