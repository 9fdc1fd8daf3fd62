"""`integrity`: the pass is manual. A gate: a breach zeroes gradient, unused-nodes and release."""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec.structs import replace

from ..messages import phrase, say
from ..model import VALUE, CheckResult, CheckRules, Finding, Op, Recording, Span, Value, gradient_of
from ..trace.calls import RANDOM
from ..trace.graph import op_name
from ..trace.op_table import is_random, of_kind
from ..trace.validate import MAX_SENT
from ..trace.watch import ENGINE_RAN, TRANSFORM
from ..trace.watched import NUMBERS
from .case import Case, Method, PassCase
from .differences import finite_difference
from .raises import BY_HAND

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
    "hidden-work": phrase(
        "calculate with tensors all the way, from `self.w` and the inputs to `.grad`"
    ),
    "input-changed": phrase("work on a copy: `grad_output.clone()`, or an op that is not in place"),
    "built-in-derivative": phrase(
        "write the derivative out instead of calling torch's own backward kernel"
    ),
}

ENGINES = {
    "autograd": ("autograd", ENGINE_RAN),
    "engine": ("autograd", ENGINE_RAN),
    "transform": ("transform", TRANSFORM),
    "foreign": ("foreign-code", phrase("ops come from code that is not in the submission")),
}
"""Contexts in which an op is no work of the student's, the kind of breach that is, and words."""

COMPLEX = phrase("it calculates with complex numbers (complex-step differentiation)")

NO_STEP = of_kind("view", "copy", "pick", "own", "place", "like", "overwrite") | frozenset(
    "_conj _neg_view conj resolve_conj resolve_neg exp".split()
)
"""Ops of complex numbers that differentiate nothing: of `torch.polar(one, t)` and `torch.exp(1j
* t)` the parts are a cosine and a sine."""


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing speaks against the pass being manual."""
    return _verdict(_of_pass(case))


def judge_untouched(case: Case, rules: CheckRules) -> CheckResult:
    """The same; and what is given must stay as it is. What the pass of a model changes is a
    note."""
    return _verdict(_of_pass(case) + inputs_changed(case))


def _verdict(findings: Sequence[Finding]) -> CheckResult:
    """Fails with any finding."""
    if not findings:
        return CheckResult(ID, "passed", 1.0, say("the pass is manual"), "observed")
    message = findings[0].message
    # the reason that checks give which do not count then, where it is another than that the pass is
    # not manual
    gate = {"gate": message} if all(f.kind == "input-changed" for f in findings) else {}
    return CheckResult(ID, "failed", 0.0, message, "observed", tuple(findings), gate)


def _of_pass(case: Case) -> list[Finding]:
    seen, hidden = breaches(case), hidden_work(case)
    if any(f.kind != "hidden-work" for f in seen) and case.manual.verified.refused:
        hidden = []  # the breach says why
    # what was hidden says more than how the watch was switched off
    seen = [f for f in seen if not hidden or f.kind != "hidden-work"]
    findings = seen + hidden
    # a Function that is honest where all is asked for needs no differences elsewhere
    if isinstance(case, PassCase) and case.needs_all and (steps := finite_difference(case)):
        findings.append(breach(case, "finite-differences", steps.message, steps.site))
    return findings


def breach(case: Case, kind: str, message: str, site: Span | None) -> Finding:
    """The finding for what a pass may not do."""
    place = case.place(site or case.evidence.pass_site)
    return Finding(kind, message, place=place, hint=_way_out(case, kind))


def _way_out(case: Case, kind: str) -> str:
    return say(case.wording.ways_out.get(kind) or WAYS_OUT[kind])


def breaches(case: Case) -> list[Finding]:
    """What the recorder saw that no manual pass does."""
    seen: dict[str, Finding] = {}

    def add(kind: str, detail: str, site: Span | None) -> None:
        if kind not in seen or (seen[kind].place is None and site is not None):
            message = say(case.wording.not_manual, detail=detail)
            seen[kind] = breach(case, kind, message, site)

    evidences = (case.evidence, *(run.evidence for run in case.beside))
    recordings = [recording for each in evidences for recording in each.pass_recordings]
    unrecorded = [each for evidence in evidences for each in evidence.breaches]
    for each in (*unrecorded, *(each for of in recordings for each in of.breaches)):
        add(each.kind if each.kind in WAYS_OUT else "autograd", each.detail, each.site)
    for recording in recordings:
        # also told by the ops themselves: the list of breaches comes from the student's process
        for op in recording.ops:
            if op.context in case.exercise.may_run:
                continue
            kind, words = ENGINES.get(op.context, ("", ""))
            if not kind and _is_complex_step(op, recording.values):
                kind, words = "complex", COMPLEX
            if kind and kind not in seen:
                add(kind, say(words), op.site)
    if "transform" in seen:
        seen.pop("forward-ad", None)  # its inner side
    return list(seen.values())


def _is_complex_step(op: Op, values: Sequence[Value]) -> bool:
    """Whether a complex number is calculated from one."""
    of_complex = [
        any(values[v].dtype.startswith("complex") for v in of) for of in (op.reads, op.outputs)
    ]
    return all(of_complex) and op_name(op) not in NO_STEP


def inputs_changed(case: Case) -> list[Finding]:
    """What was given and is written to, though the task does not."""
    may_be = {leaf.name for leaf in case.leaves if leaf.written}
    evidences = (case.evidence, *(run.evidence for run in case.beside))
    findings = []
    for name in dict.fromkeys(name for each in evidences for name in each.mutations):
        if name in may_be:
            continue
        message = say("{name} is changed in place", name=name)
        finding = breach(case, "input-changed", message, _writing(case, name))
        findings.append(replace(finding, name=name))
    return findings


def _writing(case: Case, name: str) -> Span | None:
    """Where an input is written to."""
    drawn = [leaf.name for leaf in case.leaves if leaf.is_drawn]
    for recording in case.evidence.pass_recordings if name in drawn else ():
        leaves = [v.storage for v in recording.values if v.origin in ("weight", "input")]
        for op in recording.ops if len(leaves) >= len(drawn) else ():
            if any(recording.values[v].storage == leaves[drawn.index(name)] for v in op.writes):
                return op.site
    return None


def hidden_work(case: Case) -> list[Finding]:
    """Gradients that the recorded ops do not explain: the work was done out of sight."""
    verified, runs = case.manual.verified, case.evidence.pass_runs
    # `pass` and `yield` hide no work
    gave_numbers = any(run.tensor(VALUE) or run.gave_gradient() for run in runs)
    wanted = {gradient_of(name) for name in case.gradients}
    if verified.how != "unexplained" or wanted <= verified.outputs or case.is_void:
        return []
    if not gave_numbers or not isinstance(case, PassCase):
        return []
    finding = unexplained(case, case.manual, case.evidence.pass_recordings)
    return [replace(finding, place=finding.place or case.place(case.evidence.pass_site))]


def unexplained(
    case: Case, method: Method, recordings: Sequence[Recording], value: str = ""
) -> Finding:
    """The finding for a `value` or gradient that the recorded ops do not give, or for the pass as a
    whole, with what was seen: the op that cannot be run again, numbers that were taken out of
    tensors, or tensors from elsewhere. Nothing is earned without provenance."""
    reason, site = method.verified.reason, None
    look = next((op for rec in recordings for op in rec.ops if op.target in NUMBERS), None)
    values = [value for recording in recordings for value in recording.values]
    if (refused := method.verified.op) is not None:
        sites = [rec.ops[refused].site for rec in recordings if refused < len(rec.ops)]
        site = sites[0] if sites else None
    elif look is not None:
        way = look.target.removeprefix("python::")
        reason = say("the pass calculates with numbers taken out of tensors (`{way}`)", way=way)
        site = look.site
    elif drawn := [op for rec in recordings for op in rec.ops if is_random(op.target)]:
        reason, site = say(RANDOM, op=op_name(drawn[0])), drawn[0].site
    elif any(each.origin == "foreign" for each in values):
        reason = say("it uses tensors that were not made in it, and they change from run to run")
        counts = [math.prod(each.shape) for each in values if each.origin == "foreign"]
        if max(counts) > MAX_SENT:
            reason = say(
                "it uses a tensor of {count} numbers that was not made in it, and at most {most} "
                "are taken: make it in the pass, as large as it has to be",
                count=max(counts),
                most=MAX_SENT,
            )
    message = say("the pass does work that is not done on tensors: {reason}", reason=reason)
    if value:
        message = say(
            "{value} is not explained by ops on tensors: {reason}", value=value, reason=reason
        )
    hint = _way_out(case, "hidden-work")
    return Finding("hidden-work", message, place=case.place(site), hint=hint)
