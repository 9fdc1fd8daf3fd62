"""`integrity`: the pass is manual. A gate: a breach zeroes gradient, unused-nodes and release."""

from __future__ import annotations

import torch

from ..messages import phrase, say
from ..model import CheckResult, CheckRules, Finding, Span
from .case import Case
from .differences import finite_difference

ID = "integrity"

WAYS_OUT = {
    "autograd": phrase("write the backward by hand: compute each partial derivative and multiply"),
    "transform": phrase(
        "write the backward by hand, without torch.func or torch.autograd.functional"
    ),
    "foreign-code": phrase(
        "write it in the file itself: no eval, exec, compile or copies of code objects"
    ),
    "forward-ad": phrase("write the backward by hand, without torch.autograd.forward_ad"),
    "complex": phrase("write the backward by hand, without complex numbers"),
    "finite-differences": phrase("differentiate each node by its rule, not by a small step"),
    "tampering": phrase("leave the grader's own code alone, and write the backward by hand"),
    "hidden-work": phrase(
        "calculate with tensors all the way, from self.w and the inputs to .grad"
    ),
}

ENGINES = {"autograd": "autograd", "transform": "transform", "foreign": "foreign-code"}
"""Contexts in which an op is no work of the student's, and the kind of breach that is."""

WORDS = {
    "autograd": phrase("the autograd engine ran inside the pass"),
    "transform": phrase("torch.func, torch.autograd.functional, or code that a program wrote"),
    "foreign-code": phrase("ops come from code that is not in the submission"),
}


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing speaks against the pass being manual."""
    hidden = _hidden_work(case)
    # what was hidden says more than how the watch was switched off
    breaches = [f for f in _breaches(case) if not hidden or f.kind != "hidden-work"]
    findings = breaches + _differences(case) + hidden
    if not findings:
        return CheckResult(ID, "passed", 1.0, say("the pass is manual"), "observed")
    return CheckResult(ID, "failed", 0.0, findings[0].message, "observed", tuple(findings))


def _found(case: Case, kind: str, message: str, site: Span | None) -> Finding:
    place = case.place(site or case.evidence.pass_site)
    return Finding(kind, message, place=place, hint=say(WAYS_OUT[kind]))


def _not_manual(detail: str) -> str:
    return say("the pass is not manual: {detail}", detail=detail)


def _breaches(case: Case) -> list[Finding]:
    seen: dict[str, Finding] = {}
    for recording in case.evidence.pass_recordings:
        for breach in recording.breaches:
            kind = breach.kind if breach.kind in WAYS_OUT else "autograd"
            if kind not in seen or (seen[kind].place is None and breach.site is not None):
                seen[kind] = _found(case, kind, _not_manual(breach.detail), breach.site)
        # also told by the ops themselves: the list of breaches comes from the student's process
        for op in recording.ops:
            kind = ENGINES.get(op.context, "")
            if kind and kind not in seen:
                seen[kind] = _found(case, kind, _not_manual(say(WORDS[kind])), op.site)
    if "transform" in seen:
        seen.pop("forward-ad", None)  # its inner side
    return list(seen.values())


def _differences(case: Case) -> list[Finding]:
    found = finite_difference(case)
    if found is None:
        return []
    return [_found(case, "finite-differences", found.message, found.site)]


def _hidden_work(case: Case) -> list[Finding]:
    """Results that the recorded ops do not explain: the work was done out of sight."""
    verified = case.manual.verified
    if verified.how != "hidden" or case.recording is None:
        return []
    looks = [
        op
        for recording in case.evidence.pass_recordings
        for op in recording.ops
        if op.context == "python" and op.target not in ("python::bool", "python::repr")
    ]
    if looks:
        way = looks[0].target.removeprefix("python::")
        message = say("the pass calculates with numbers taken out of tensors ({way})", way=way)
        return [_found(case, "hidden-work", message, looks[0].site)]
    foreign = any(value.origin == "foreign" for value in case.recording.values)
    message = (
        say("the pass uses tensors that were not made in it, and they change from point to point")
        if foreign
        else say("the pass does work that is not done on tensors: {reason}", reason=verified.reason)
    )
    if not foreign and not _depends_on_leaves(case):
        return []  # a constant where a gradient should be is wrong, not hidden
    return [_found(case, "hidden-work", message, None)]


def _depends_on_leaves(case: Case) -> bool:
    spread = [
        torch.tensor([g for run in case.evidence.pass_runs if run.gradients
                      and (g := run.gradients[i]) is not None])
        for i in range(len(case.weight_names))
    ]  # fmt: skip
    return any(len(s) > 1 and not torch.allclose(s, s[:1].expand_as(s)) for s in spread)
