"""`forward`: the module's forward is the variant, at every point. `manual-forward`: the manual
pass returns the variant's value, and has computed it itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from msgspec.structs import replace

from ..messages import say
from ..model import VALUE, Basis, CheckResult, CheckRules, Finding, Observation, Place, Tensor
from .beside import malformed, value_fault, value_place
from .case import Case, Located, PassCase
from .compare import describe, details, judge_output, unstable
from .credit import by_findings, failed
from .integrity import unexplained
from .raises import raised

ID = "forward"
MANUAL = "manual-forward"
NOTHING = ("raises", "wrong-type", "hidden-work")
"""Kinds of findings that leave no value to judge: a method that raises, returns no tensor, or whose
numbers no op explains."""


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when `forward` returns the variant's value on every judged point."""
    place = value_place(case) if case.is_vjp else case.place(case.evidence.forward_site)
    result = _judge_value(case, rules, "forward", say("forward is the variant"), place)
    extra_fault = value_fault(case) if result.outcome == "passed" else None
    if extra_fault is None:
        return result
    if extra_fault.kind in NOTHING:
        return failed(ID, extra_fault.message, extra_fault)
    return by_findings(ID, rules, [extra_fault], "")


def judge_manual(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when the pass returns the variant's value; calling `forward` for it earns nothing."""
    place = case.place(case.evidence.pass_site)
    if _takes_from_forward(case):
        message = say(
            "{method} takes {y} from forward instead of computing it",
            method=case.evidence.pass_name,
            y=case.y,
        )
        hint = say("write the forward computation out in the pass, node by node")
        return failed(MANUAL, message, Finding("calls-forward", message, place=place, hint=hint))
    changed = say("the pass changes a weight or an input in place")
    notes = [Finding("mutates", changed, "note", place)] if case.evidence.mutations else []
    passed = say("the pass returns the variant's value")
    return _judge_value(case, rules, "pass", passed, place, notes)


def _takes_from_forward(case: Case) -> bool:
    """Whether an op inside `forward` contributes to the value of the pass."""
    if not isinstance(case, PassCase):
        return False
    ops = case.recording.ops
    sources = case.flow.serving(VALUE)
    return any(ops[position].context == "forward" for position in sources)


def _judge_value(
    case: Case,
    rules: CheckRules,
    run: Literal["forward", "pass"],
    passed: str,
    place: Place | None,
    notes: Sequence[Finding] = (),
) -> CheckResult:
    """Holds the value that a method returns against the variant's: type, shape, dtype, then every
    point. The result says `passed` where nothing is wrong, and ends with the `notes`."""
    evidence = case.evidence
    if run == "pass":
        id, method, runs, shown = MANUAL, case.manual, evidence.pass_runs, evidence.pass_name
    else:
        id, method, runs = ID, case.forward, evidence.runs("forward")
        shown = say(case.wording.value)
    problem = raised(case, runs, shown, place) or _malformed(case, runs, shown, place)
    if problem is None and (method.replayed is None or VALUE not in method.replayed.outputs):
        what = say("the value of {method}", method=shown)
        problem = unexplained(case, method, evidence.recordings(run), what)
    if problem is not None and (problem.kind in NOTHING or case.is_void):
        return failed(id, problem.message, problem, *notes)
    if problem is not None:
        return by_findings(id, rules, [problem, *notes], passed)
    basis: Basis = "observed" if method.verified.how == "observed" else "replayed"
    expected, judged = method.expected, method.expected.judged
    if not judged.any():
        return CheckResult(id, "not_judged", 0.0, say("no point was well-conditioned"), basis)
    wrong, unsteady, singular = judge_output(method, VALUE, case.tolerance)
    if wrong is None:
        counts = {"points": int(judged.sum()), "of": len(judged), "singular": int(singular.sum())}
        if unsteady is not None:
            notes = [unstable(say("the value"), describe(case, expected, unsteady)), *notes]
        return by_findings(id, rules, notes, passed, counts, basis=basis)
    text = describe(case, expected, wrong)
    finding = Finding(
        "wrong-value",
        say("{method} does not return the variant's value: {text}", method=shown, text=text),
        place=place,
        hint=say("compare its expression with the variant, operation by operation"),
    )
    located = case.locate(run)
    if run == "forward" and not case.variant.of_scalars:
        located = _of_pass(case, located)
    numbers = details(case, expected, wrong, "value" if run == "pass" else "forward")
    numbers["repairs"] = list(located.details)
    # numbers come after the line where they go wrong
    message = say("{method} does not return the variant's value", method=shown)
    result = by_findings(id, rules, [finding], passed, numbers, message=message, basis=basis)
    return replace(result, findings=(*located.and_numbers([finding]), *notes))


def _of_pass(case: Case, located: Located) -> Located:
    """The lines of `forward`: those of the pass, where it runs all of it, as what mends all of a
    pass mends this part of it, too. Where the pass has none, a line that no usual change mends is
    none, nor is one that serves a gradient that is right."""
    part, whole = (
        {op.site for recording in case.evidence.recordings(run) for op in recording.ops}
        for run in ("forward", "pass")
    )
    if part <= whole and (lines := case.locate("pass")).findings:
        return lines
    manual, program = case.manual, case.manual.verified.program
    if not part <= whole or not located.findings or program is None or manual.replayed is None:
        return located
    flow, outputs = program.flow, manual.replayed.only(manual.expected.widths).outputs
    judged = {name: judge_output(manual, name, case.tolerance) for name in outputs}
    right = [name for name in outputs if judged[name].wrong is None]
    serves = {case.place(flow.recording.ops[at].site) for at in flow.serving(*right)}
    is_vague = located.details[0]["kind"] == "value"
    return Located() if is_vague or located.findings[0].place in serves else located


def _malformed(
    case: Case, runs: Sequence[Observation], shown: str, place: Place | None
) -> Finding | None:
    """What is wrong with the type, the shape or the dtype of the value, in the first run in which
    something is."""
    own = getattr(torch, case.evidence.weight_dtype, torch.float32)
    dtype = str(torch.promote_types(own, torch.float32)).removeprefix("torch.")
    dtypes = (dtype, "float32") if case.is_vjp else (dtype,)  # what is rounded is no other function
    shapes = [case.leaves[-1].shape] if case.is_vjp else [(), case.evidence.piece_shape]
    for run in runs:
        value = run.outputs.get(VALUE)
        if not isinstance(value, Tensor):
            words = {"method": shown, "type": value or "None"}
            message = say("{method} returns {type}, not a tensor", **words)
            hint = say("return {y}, as a tensor", y=case.y)
            return Finding("wrong-type", message, place=place, hint=hint)
        fault = malformed(value, shapes, dtypes, shown, place)
        if fault is not None:
            return fault
    return None
