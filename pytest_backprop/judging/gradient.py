"""`gradient`: d y / d w for each weight equals autograd's. Credit per weight."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

import torch
from msgspec.structs import replace

from ..messages import say, say_count
from ..model import Basis, CheckResult, CheckRules, Finding, Place, gradient_of
from .beside import backward_fault, gradient_fault, returned_place
from .case import Case, Located, PassCase, calling_site
from .compare import describe, details, no_points, unstable
from .credit import by_findings, failed
from .raises import raised
from .reproduce import gradients_set
from .unexplained import unexplained
from .values import judge_output

ID = "gradient"


Refine = Callable[[Case, str, Finding | None], Finding | None]
"""What an exercise says of a gradient, by its name, in place of a finding or of none."""


def judge(case: Case, rules: CheckRules, refine: Refine | None = None) -> CheckResult:
    """Passes when every weight's gradient is right on every judged point. With `refine` torch's
    engine differentiates, so that no line of the student's does."""
    here = case.place(case.evidence.pass_site)
    fault = raised(case, case.evidence.pass_runs, case.evidence.pass_name, here)
    if fault is not None and case.is_vjp and all(r.fault for r in case.evidence.forward_runs):
        return failed(ID, fault.message)  # forward's finding says it
    fault = fault or backward_fault(case)
    if fault is not None:
        return failed(ID, fault.message, fault)
    manual = case.manual
    is_observed = manual.replayed is None or manual.verified.how == "observed"
    basis: Basis = "observed" if is_observed else "replayed"
    details: dict[str, object] = {"parts": len(case.gradients)} if case.leaves else {}
    findings: dict[str, Finding] = {}
    for name in case.gradients:
        finding, is_judged = _gradient(case, name, details)
        if refine is not None:
            finding = refine(case, name, finding)
        if finding is None or finding.level == "note":
            finding = gradient_fault(case, name, gradient_place(case, name)) or finding
        if not is_judged:
            return CheckResult(ID, "not_judged", 0.0, say("no point was well-conditioned"), basis)
        if finding is not None:
            findings[name] = finding
    faults = {name: each for name, each in findings.items() if each.level == "fault"}
    right = [name for name in case.gradients if name not in faults]
    notes = [each for each in findings.values() if each.level == "note"]
    if case.evidence.returned_gradients:
        elsewhere = _returned(case)
        result = failed(ID, elsewhere.message, elsewhere, *faults.values(), *notes)
        return replace(result, basis=basis, details=details)
    if not faults:
        names = ", ".join(right)
        passed = say_count(
            "d y / d {weights} equal autograd's",
            "d y / d {weights} equal autograd's",
            len(right),
            weights=names,
        )
        if refine is not None:
            passed = say("the gradients of {names} equal autograd's", names=names)
        return by_findings(ID, rules, notes, passed, details, basis=basis)
    none = all(each.kind == "no-gradient" for each in faults.values())
    message = _verdict(case, right, none)
    if refine is not None:
        message = next(iter(faults.values())).message
    located = Located()
    if any(each.kind == "wrong-gradient" for each in faults.values()) and refine is None:
        located = case.locate("pass")
        details["repairs"] = list(located.details)
    shown = list(faults.values())
    if located.findings and case.is_vjp:  # the line says more than what is said of all
        usual = say(case.wording.wrong_gradient)
        shown = [replace(each, hint=None) if each.hint == usual else each for each in shown]
    result = by_findings(
        ID, rules, shown, "", details, len(case.gradients), message=message, basis=basis
    )
    if none and not right:
        result = replace(result, outcome="failed", fraction=0.0)
    return replace(result, findings=(*located.and_numbers(shown), *notes))


def _verdict(case: Case, right: Sequence[str], none: bool) -> str:
    """Which gradients are wrong, or are not there."""
    wrong = _joined([name for name in case.gradients if name not in right])
    if case.manual.replayed is None:
        return say("the gradient of {wrong} is not explained by ops on tensors", wrong=wrong)
    if none:
        return say("there is no gradient of {wrong}", wrong=wrong)
    if not right:
        return say("the gradient of {wrong} is wrong", wrong=wrong)
    return say(
        "the gradient of {wrong} is wrong; that of {right} is right",
        wrong=wrong,
        right=_joined(right),
    )


def _joined(names: Sequence[str]) -> str:
    """`w0 and w1 and w2`: each has a gradient of its own."""
    return functools.reduce(
        lambda first, last: say("{first} and {last}", first=first, last=last), names
    )


def _gradient(case: Case, name: str, told: dict[str, object]) -> tuple[Finding | None, bool]:
    """What is wrong with the gradient of a weight, at the first of its numbers that is wrong;
    None or a note if it is right. And whether it was judged."""
    output, expected = gradient_of(name), case.manual.expected
    judged = expected.judged
    if _is_none_for_zero(case, output, name):
        return None, True
    if case.is_misshapen(name) or any(
        run.tensor(output) is None for run in case.evidence.pass_runs
    ):
        return _no_gradient(case, name), True
    replayed = case.manual.replayed
    if replayed is None or output not in replayed.outputs:
        what = say("the gradient of {weight}", weight=name)
        finding = unexplained(case, case.manual, case.evidence.pass_recordings, what)
        return replace(finding, name=name), True
    if no_points(judged):
        return None, False
    verdict = judge_output(case.manual, output, case.tolerance)
    wrong, unsteady = verdict.wrong, verdict.unstable
    if wrong is not None:
        number = case.gradients[name][wrong.element]
        label = case.weight_names[number]
        told[label] = details(case, expected, wrong, "gradients")
        text = describe(case, expected, wrong)
        finding = Finding(
            "wrong-gradient",
            say(case.wording.gradient, weight=label, text=text),
            place=gradient_place(case, name, wrong.element),
            name=name,
            hint=_hint(wrong.got, wrong.right, wrong.judged, case, number),
        )
        return finding, True
    told[name] = {
        "points": int((judged & ~verdict.singular).sum()),
        "of": len(judged),
        "differ": 0 if unsteady is None else unsteady.mismatch.failed,
        "singular": int(verdict.singular.sum()),
    }
    if unsteady is None:
        return None, True
    label = case.weight_names[case.gradients[name][unsteady.element]]
    return unstable(describe(case, expected, unsteady), label), True


def _is_none_for_zero(case: Case, output: str, name: str) -> bool:
    """Whether it is None, in an exercise in which that stands for zeros, and should be zero."""
    if not case.exercise.none_is_zero or case.is_misshapen(name):
        return False
    expected, runs = case.manual.expected, case.evidence.pass_runs
    none = all(run.outputs and run.tensor(output) is None for run in runs)
    return none and not bool(expected.outputs[output][expected.judged].any())


def _returned(case: Case) -> Finding:
    return Finding(
        "returned-gradient",
        say(
            "the pass returns its gradients and leaves `.grad` unset, where the assignment looks "
            "for "
            "them"
        ),
        place=case.place(case.evidence.pass_site),
        hint=_setting(case),
    )


def _no_gradient(case: Case, name: str) -> Finding:
    if case.is_vjp and case.is_misshapen(name):
        return _misshapen(case, name)
    problem = "; ".join(case.evidence.gradient_problems)
    message = say("the pass leaves no gradient of {weight}", weight=name)
    if problem:
        message = say(
            "the pass leaves no gradient of {weight}: {problem}", weight=name, problem=problem
        )
    misshapen = case.is_misshapen(name)
    return Finding(
        "wrong-shape" if misshapen else "no-gradient",
        message,
        place=returned_place(case, name)
        if misshapen and isinstance(case, PassCase)
        else case.place(case.evidence.pass_site),
        name=name,
        hint=_setting(case),
    )


def _misshapen(case: Case, name: str) -> Finding:
    """What is told of a vector-Jacobian product that has another shape than the leaf `name`."""
    wanted = next(leaf.shape for leaf in case.leaves if leaf.name == name)
    gradients = [run.tensor(gradient_of(name)) for run in case.evidence.pass_runs]
    shape = next(t.shape for t in gradients if t is not None and t.shape != wanted)
    others = [
        leaf.name for leaf in case.leaves[:-1] if leaf.kind == "weight" and leaf.shape == shape
    ]
    if shape == wanted[::-1]:
        hint = say("transpose it, or write the product the other way round")
    elif _broadcasts(wanted, shape):
        hint = say("sum it over the dimensions along which {name} was broadcast", name=name)
    elif others:
        hint = say("{name} has this shape: are gradients in another order?", name=others[0])
    else:
        hint = say(
            "give it the shape of {name} itself: sum over the other dimensions alone, cut off "
            "padding",
            name=name,
        )
    shapes = {"shape": list(shape), "wanted": list(wanted)}
    return Finding(
        "wrong-shape",
        say("the gradient of {name} has shape {shape}, not {wanted}", name=name, **shapes),
        place=returned_place(case, name)
        if isinstance(case, PassCase)
        else case.place(case.evidence.pass_site),
        name=name,
        hint=hint,
    )


def _broadcasts(shape: Sequence[int], wider: Sequence[int]) -> bool:
    """Whether a tensor of this shape is broadcast to the wider one, as torch does."""
    ends = zip(reversed(shape), reversed(wider), strict=False)
    return len(shape) <= len(wider) and all(size in (1, other) for size, other in ends)


def _setting(case: Case) -> str:
    code = "; ".join(f"self.{name}.grad = {value}" for name, value in gradients_set(case).items())
    return say(case.wording.no_gradient, code=code)


def gradient_place(case: Case, name: str, element: int = 0) -> Place | None:
    """Where a number of the gradient of a weight is finished: the last op that computes it."""
    if not isinstance(case, PassCase):
        return case.place(case.evidence.pass_site)
    flow, recording = case.flow, case.recording
    slot = recording.outputs.get(gradient_of(name))
    sources = set() if slot is None else flow.writers(slot.value, slot.element or element)
    for position in sources:
        op = recording.ops[position]
        # a stack of all gradients is not where one of them went wrong
        if (
            slot is not None
            and op.target in ("aten::stack", "torch::tensor", "aten::cat")
            and op.args
        ):
            part = flow.part_of(position, slot.element or element)
            if part is not None:
                sources = flow.writers(part)
    class_name = case.evidence.class_name
    spans = [
        calling_site(case.submission, class_name, recording, recording.ops[p])
        for p in sorted(sources)
    ]
    sites = [span for span in spans if span is not None]
    return case.place(sites[-1] if sites else case.evidence.pass_site)


def _hint(
    got: torch.Tensor, right: torch.Tensor, judged: torch.Tensor, case: Case, index: int
) -> str:
    """The usual mistakes that a whole set of points gives away."""
    got, right = got[judged], right[judged]
    if bool((got == 0).all()):
        return say("it is zero everywhere: is it ever computed?")
    if torch.allclose(got, -right, rtol=1e-4, atol=1e-7):
        return say("it is the right one with the wrong sign")
    ratio = got / right
    if torch.allclose(ratio, ratio[:1].expand_as(ratio), rtol=1e-4):
        return say("it is the right one times {factor:.4g}", factor=ratio[0].item())
    constant = bool(torch.isclose(got, got[:1].expand_as(got), rtol=1e-6).all())
    if constant and len(got) > 1:
        return say("it does not depend on the weights and inputs: is a number typed in?")
    others = case.manual.expected.gradients[judged]
    for other, name in enumerate(case.weight_names):
        if other != index and torch.allclose(got, others[:, other], rtol=1e-4, atol=1e-7):
            return say("it is the gradient of {weight}: are they swapped?", weight=name)
    return say(case.wording.wrong_gradient)
