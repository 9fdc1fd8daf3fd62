"""`integrity`: the pass is manual. A gate: a breach zeroes gradient, unused-nodes and release."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ..messages import phrase, say
from ..model import VALUE, CheckResult, CheckRules, Finding, Op, Span, Value, gradient_of, stretches
from ..trace.graph import op_name
from ..trace.op_table import of_kind
from .case import Case, PassCase
from .differences import finite_difference
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

ENGINES = {
    "autograd": "autograd",
    "engine": "autograd",
    "transform": "transform",
    "foreign": "foreign-code",
}
"""Contexts in which an op is no work of the student's, and the kind of breach that is."""

WORDS = {
    "autograd": phrase("the autograd engine ran inside the pass"),
    "transform": phrase(
        "`torch.func`, `torch.autograd.functional`, a library that differentiates, or code that a "
        "program wrote"
    ),
    "foreign-code": phrase("ops come from code that is not in the submission"),
    "complex": phrase("it calculates with complex numbers (complex-step differentiation)"),
}

NO_STEP = of_kind("view", "copy", "pick", "own", "place", "like", "overwrite") | frozenset(
    "_conj _neg_view conj resolve_conj resolve_neg exp".split()
)
"""Ops of complex numbers that differentiate nothing: of `torch.polar(one, t)` and `torch.exp(1j
* t)` the parts are a cosine and a sine."""


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing speaks against the pass being manual."""
    return verdict(_of_pass(case))


def judge_untouched(case: Case, rules: CheckRules) -> CheckResult:
    """The same; and what is given must stay as it is. What the pass of a model changes is a
    note."""
    return verdict(_of_pass(case) + inputs_changed(case))


def verdict(findings: Sequence[Finding]) -> CheckResult:
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
    return seen + hidden + _differences(case) + built_in_derivatives(case)


def breach(case: Case, kind: str, message: str, site: Span | None) -> Finding:
    """The finding for what a pass may not do."""
    place = case.place(site or case.evidence.pass_site)
    way = case.wording.ways_out.get(kind) or WAYS_OUT[kind]
    return Finding(kind, message, place=place, hint=say(way))


def _not_manual(case: Case, detail: str) -> str:
    return say(case.wording.not_manual, detail=detail)


def breaches(case: Case) -> list[Finding]:
    """What the recorder saw that no manual pass does."""
    seen: dict[str, Finding] = {}
    beside = [r for each in case.beside for r in each.evidence.pass_recordings]
    for recording in (*case.evidence.pass_recordings, *beside):
        for each in recording.breaches:
            kind = each.kind if each.kind in WAYS_OUT else "autograd"
            if kind not in seen or (seen[kind].place is None and each.site is not None):
                seen[kind] = breach(case, kind, _not_manual(case, each.detail), each.site)
        # also told by the ops themselves: the list of breaches comes from the student's process
        for op in recording.ops:
            kind = ENGINES.get(op.context, "")
            if op.context in case.exercise.may_run:
                continue
            if not kind and _is_complex_step(op, recording.values):
                kind = "complex"
            if kind and kind not in seen:
                seen[kind] = breach(case, kind, _not_manual(case, say(WORDS[kind])), op.site)
    failed = failed_engine(case)
    if failed is not None:
        detail, site = failed
        seen.setdefault("autograd", breach(case, "autograd", _not_manual(case, detail), site))
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
    if not isinstance(case, PassCase) or not case.needs_all:
        return []  # a Function that is honest where all is asked for needs no differences elsewhere
    difference = finite_difference(case)
    if difference is None:
        return []
    return [breach(case, "finite-differences", difference.message, difference.site)]


def inputs_changed(case: Case) -> list[Finding]:
    """What was given and is written to."""
    evidences = (case.evidence, *(beside.evidence for beside in case.beside))
    changed = dict.fromkeys(name for each in evidences for name in each.mutations)
    return [
        msgspec.structs.replace(
            breach(
                case,
                "input-changed",
                say("{name} is changed in place", name=name),
                _writing(case, name),
            ),
            name=name,
        )
        for name in changed
    ]


def built_in_derivatives(case: Case) -> list[Finding]:
    """The first call of a backward kernel of torch's own."""
    for recording in case.evidence.pass_recordings:
        for op in recording.ops:
            if op.context == "student" and "_backward" in op_name(op):
                message = say("`{op}` is torch's own backward kernel", op=op_name(op))
                return [breach(case, "built-in-derivative", message, op.site)]
    return []


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


def hidden_work(case: Case) -> list[Finding]:
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
    hint = say(case.wording.ways_out.get("hidden-work") or WAY_OUT)
    return [Finding("hidden-work", message, place=place, hint=hint)]
