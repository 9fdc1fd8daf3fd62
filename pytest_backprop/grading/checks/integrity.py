"""`integrity`: the pass is manual. A gate: a breach zeroes gradient, unused-nodes and release."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ...exercises.intermediate_gradients.facts import IntermediateFacts
from ...messages import phrase, say
from ...model import (
    VALUE,
    CheckResult,
    CheckRules,
    Finding,
    Op,
    Span,
    Value,
    gradient_of,
    stretches,
)
from ...trace.graph import op_name
from ...trace.op_table import of_kind
from .case import Case, PassCase
from .differences import finite_difference
from .intermediates import FROM_GRAPH, WITH_TENSORS, by_hand, is_stale
from .raises import BY_HAND, failed_engine
from .unexplained import WAY_OUT, evidence

ID = "integrity"

WAYS_OUT = {
    "autograd": BY_HAND,
    "transform": phrase(
        "write the backward by hand, without `torch.func` or `torch.autograd.functional`"
    ),
    "foreign-code": phrase(
        "write it in the file itself: no eval, exec, compile or copies of code objects"
    ),
    "forward-ad": phrase("write the backward by hand, without `torch.autograd.forward_ad`"),
    "complex": phrase("write the backward by hand, without complex numbers"),
    "finite-differences": phrase("differentiate each node by its rule, not by a small step"),
    "tampering": phrase("leave the grader's own code alone, and write the backward by hand"),
    "hidden-work": WAY_OUT,
    "input-changed": phrase("work on a copy: `grad_output.clone()`, or an op that is not in place"),
    "built-in-derivative": phrase(
        "write the derivative out instead of calling torch's own backward kernel"
    ),
}

OF_GRAPH = {
    "transform": phrase(
        "call backward or `torch.autograd.grad` on the loss, without `torch.func` or "
        "`torch.autograd.functional`"
    ),
    "forward-ad": phrase("call backward or `torch.autograd.grad` on the loss"),
    "complex": phrase("call backward or `torch.autograd.grad` on the loss"),
    "hidden-work": WITH_TENSORS,
    "input-changed": phrase("leave what is given as it is: clone a tensor before you change it"),
    "not-from-graph": FROM_GRAPH,
}
"""What to do where torch's engine may be called."""

ENGINES = {
    "autograd": "autograd", "engine": "autograd", "transform": "transform", "foreign": "foreign-code",
}  # fmt: skip
"""Contexts in which an op is no work of the student's, and the kind of breach that is."""

WORDS = {
    "autograd": phrase("the autograd engine ran inside the pass"),
    "transform": phrase(
        "`torch.func`, `torch.autograd.functional`, a library that differentiates, or code that a program wrote"
    ),
    "foreign-code": phrase("ops come from code that is not in the submission"),
    "complex": phrase("it calculates with complex numbers (complex-step differentiation)"),
}

NO_STEP = of_kind("view", "copy", "pick", "own", "place", "like", "overwrite") | frozenset(
    "_conj _neg_view conj resolve_conj resolve_neg exp".split()
)
"""Ops of complex numbers that differentiate nothing: of `torch.polar(one, t)` and `torch.exp(1j * t)` the parts are a
cosine and a sine."""


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing speaks against the pass being manual."""
    if isinstance(case.facts, IntermediateFacts):
        return _from_graph(case)
    breaches, hidden = _breaches(case), _hidden_work(case)
    if any(f.kind != "hidden-work" for f in breaches) and case.manual.verified.refused:
        hidden = []  # the breach says why
    # what was hidden says more than how the watch was switched off
    breaches = [f for f in breaches if not hidden or f.kind != "hidden-work"]
    findings = breaches + hidden + _differences(case) + _of_functions(case)
    if not findings:
        return CheckResult(ID, "passed", 1.0, say("the pass is manual"), "observed")
    message = findings[0].message
    # the reason that checks give which do not count then, where it is another than that the pass is not manual
    gate = {"gate": message} if all(f.kind == "input-changed" for f in findings) else {}
    return CheckResult(ID, "failed", 0.0, message, "observed", tuple(findings), gate)


def _from_graph(case: Case) -> CheckResult:
    """Passes when torch's engine calculated the gradients, from what was given, in the student's own code."""
    findings = _breaches(case) + _of_functions(case)
    numbers = any(run.gave_gradient() for run in case.evidence.pass_runs)
    if numbers and not findings and not is_stale(case):
        findings = _hidden_work(case)
    for name, site in by_hand(case) if isinstance(case, PassCase) and not findings else ():
        message = say("the gradient of {name} is not taken from the graph: no engine of torch's calculates it",
                      name=name)  # fmt: skip
        finding = _found(case, "not-from-graph", message, site)
        findings.append(msgspec.structs.replace(finding, name=name))
    if not findings:
        return CheckResult(ID, "passed", 1.0, say("autograd calculates the gradients"), "observed")
    message = findings[0].message
    return CheckResult(ID, "failed", 0.0, message, "observed", tuple(findings), {"gate": message})


def _found(case: Case, kind: str, message: str, site: Span | None) -> Finding:
    place = case.place(site or case.evidence.pass_site)
    ways = OF_GRAPH if isinstance(case.facts, IntermediateFacts) else {}
    return Finding(kind, message, place=place, hint=say(ways.get(kind) or WAYS_OUT[kind]))


def _not_manual(case: Case, detail: str) -> str:
    if isinstance(case.facts, IntermediateFacts):
        return say("autograd alone is to calculate the gradients: {detail}", detail=detail)
    return say("the pass is not manual: {detail}", detail=detail)


def _breaches(case: Case) -> list[Finding]:
    seen: dict[str, Finding] = {}
    beside = [r for each in case.beside for r in each.evidence.pass_recordings]
    for recording in (*case.evidence.pass_recordings, *beside):
        for breach in recording.breaches:
            kind = breach.kind if breach.kind in WAYS_OUT else "autograd"
            if kind not in seen or (seen[kind].place is None and breach.site is not None):
                seen[kind] = _found(case, kind, _not_manual(case, breach.detail), breach.site)
        # also told by the ops themselves: the list of breaches comes from the student's process
        for op in recording.ops:
            kind = ENGINES.get(op.context, "")
            if op.context == "engine" and isinstance(case.facts, IntermediateFacts):
                continue
            if not kind and _is_complex_step(op, recording.values):
                kind = "complex"
            if kind and kind not in seen:
                seen[kind] = _found(case, kind, _not_manual(case, say(WORDS[kind])), op.site)
    failed = failed_engine(case)
    if failed is not None:
        detail, site = failed
        seen.setdefault("autograd", _found(case, "autograd", _not_manual(case, detail), site))
    if "transform" in seen:
        seen.pop("forward-ad", None)  # its inner side
    return list(seen.values())


def _is_complex_step(op: Op, values: Sequence[Value]) -> bool:
    """Whether a complex number is calculated from one."""
    return (
        any(values[v].dtype.startswith("complex") for v in op.outputs)
        and any(values[v].dtype.startswith("complex") for v in op.reads)
        and op_name(op) not in NO_STEP
    )


def _differences(case: Case) -> list[Finding]:
    if not isinstance(case, PassCase) or (case.facts is not None and not case.needs_all):
        return []  # a Function that is honest where all is asked for needs no differences elsewhere
    found = finite_difference(case)
    if found is None:
        return []
    return [_found(case, "finite-differences", found.message, found.site)]


def _of_functions(case: Case) -> list[Finding]:
    """What a Function may not do: change its inputs; and what nobody may: call torch's own backward kernels."""
    # what the pass of a model changes is a note
    told = () if case.facts is None else (case.evidence, *(b.evidence for b in case.beside))
    changed = dict.fromkeys(name for each in told for name in each.mutations)
    found = [
        msgspec.structs.replace(
            _found(case, "input-changed", say("{name} is changed in place", name=name),
                   _writing(case, name)),
            name=name,
        )
        for name in changed
    ]  # fmt: skip
    for recording in case.evidence.pass_recordings:
        for op in recording.ops:
            if op.context == "student" and "_backward" in op_name(op):
                message = say("`{op}` is torch's own backward kernel", op=op_name(op))
                return [*found, _found(case, "built-in-derivative", message, op.site)]
    return found


def _writing(case: Case, name: str) -> Span | None:
    """Where an input is written to."""
    at = next((i for i, (leaf, _) in enumerate(stretches(case.leaves)) if leaf.name == name), None)
    for recording in case.evidence.pass_recordings:
        leaves = [v.storage for v in recording.values if v.origin in ("weight", "input")]
        drawn = [leaf.name for leaf in case.leaves if leaf.is_drawn]
        if at is None or name not in drawn or len(leaves) < len(drawn):
            continue
        storage = leaves[drawn.index(name)]
        for op in recording.ops:
            if any(recording.values[v].storage == storage for v in op.writes):
                return op.site
    return None


def _gives_numbers(case: Case) -> bool:
    """Whether any run of the pass gave a value or a gradient: `pass` and `yield` hide no work."""
    return any(run.tensor(VALUE) or run.gave_gradient() for run in case.evidence.pass_runs)


def _hidden_work(case: Case) -> list[Finding]:
    """Gradients that the recorded ops do not explain: the work was done out of sight."""
    verified = case.manual.verified
    wanted = {gradient_of(name) for name in case.gradients}
    ran = isinstance(case, PassCase) and _gives_numbers(case)
    if verified.how != "unexplained" or not ran or wanted <= verified.outputs or case.is_void:
        return []
    recordings = case.evidence.pass_recordings
    reason, place = evidence(case, case.manual, recordings)
    message = say("the pass does work that is not done on tensors: {reason}", reason=reason)
    place = place or case.place(case.evidence.pass_site)
    by_engine = isinstance(case.facts, IntermediateFacts)
    return [
        Finding(
            "hidden-work", message, place=place, hint=say(WITH_TENSORS if by_engine else WAY_OUT)
        )
    ]
