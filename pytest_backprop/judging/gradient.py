"""`gradient`: d y / d w for each weight equals autograd's. Credit per weight."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import torch
from msgspec.structs import replace

from ..messages import listed, say
from ..model import Basis, CheckResult, CheckRules, Finding, Place, gradient_of
from .beside import backward_fault, gradient_fault
from .case import Case, PassCase, calling_site
from .compare import Mismatch, describe, details, judge_output, unstable
from .credit import by_findings, failed
from .integrity import inputs_changed, unexplained
from .raises import raised
from .reproduce import gradients_set

ID = "gradient"


def judge(
    case: Case, rules: CheckRules, follows: Callable[[str], bool] = lambda _: False
) -> CheckResult:
    """Passes when every weight's gradient is right on every judged point. One that is wrong and
    `follows` from wrong ones costs nothing, if an exercise says so."""
    here = case.place(case.evidence.pass_site)
    fault = raised(case, case.evidence.pass_runs, case.evidence.pass_name, here)
    if fault is not None and case.is_vjp and all(r.fault for r in case.evidence.runs("forward")):
        return failed(ID, fault.message)  # forward's finding says it
    fault = fault or backward_fault(case)
    if fault is not None:
        if case.needs_all or len(case.gradients) > 1:
            return failed(ID, fault.message, fault)
        (name,), message = case.gradients, f"{case.sizes}: {fault.message}"
        alone = replace(fault, name=name, message=message)
        return by_findings(ID, rules, [alone], "", {"parts": 1}, 1, fault.message)
    manual = case.manual
    is_observed = manual.replayed is None or manual.verified.how == "observed"
    basis: Basis = "observed" if is_observed else "replayed"
    if not manual.expected.judged.any() and manual.replayed and manual.replayed.gradients:
        return CheckResult(ID, "not_judged", 0.0, say("no point was well-conditioned"), basis)
    details: dict[str, object] = (
        {"parts": len(case.gradients)} if not case.variant.of_scalars else {}
    )
    faults: dict[str, Finding] = {}
    notes: list[Finding] = []
    carried: list[str] = []
    for name in case.gradients:
        finding = _gradient(case, name, details)
        if finding is None or finding.level == "note":
            fault = gradient_fault(case, name)
            finding = _placed(case, fault) if fault else finding
        if finding is not None and finding.kind == "wrong-gradient" and follows(name):
            carried.append(name)
            continue
        if finding is not None and finding.level == "fault":
            faults[name] = finding
        elif finding is not None:
            notes.append(finding)
    if case.evidence.returned_gradients:
        message = say(
            "the pass returns its gradients and leaves `.grad` unset, where the assignment looks "
            "for them"
        )
        finding = Finding("returned-gradient", message, place=here, hint=_setting(case, ""))
        result = failed(ID, message, finding, *faults.values(), *notes)
        return replace(result, basis=basis, details=details)
    if not faults:
        passed = say(
            "d {y} / d {weights} equal autograd's", y=case.y, weights=", ".join(case.gradients)
        )
        return by_findings(ID, rules, notes, passed, details, basis=basis)
    shown = tuple(faults.values())
    lines, message = _with_lines(case, shown, details), _message(case, faults, carried)
    if carried:
        words = {"names": listed(carried), "name": next(iter(faults))}
        text = say("wrong because of that of {name}, which costs nothing more: {names}", **words)
        notes.insert(0, Finding("follows", text, "note"))
    result = by_findings(
        ID, rules, shown, "", details, len(case.gradients), message=message, basis=basis
    )
    if len(faults) == len(case.gradients) and all(f.kind == "no-gradient" for f in shown):
        result = replace(result, outcome="failed", fraction=0.0)
    return replace(result, findings=(*lines, *notes))


def _with_lines(
    case: Case, faults: tuple[Finding, ...], details: dict[str, object]
) -> tuple[Finding, ...]:
    """The faults, led by the lines at which wrong gradients go wrong."""
    if case.exercise.may_run or all(each.kind != "wrong-gradient" for each in faults):
        return faults  # no line of the student's differentiates where the engine does
    located = case.locate("pass")
    details["repairs"] = list(located.details)
    if located.findings and case.is_vjp:  # the line says more than what is said of all
        usual = say(case.wording.wrong_gradient, y=case.y)
        faults = tuple(replace(f, hint=None) if f.hint == usual else f for f in faults)
    return located.and_numbers(faults)


def _message(case: Case, faults: Mapping[str, Finding], carried: Collection[str]) -> str:
    """Which gradients are wrong, or are not there."""
    right = [name for name in case.gradients if name not in {*faults, *carried}]
    wrong = listed([*faults])
    if case.manual.replayed is None:
        return say("the gradient of {wrong} is not explained by ops on tensors", wrong=wrong)
    if all(each.kind == "no-gradient" for each in faults.values()):
        return say("there is no gradient of {wrong}", wrong=wrong)
    if not right:
        return say("the gradient of {wrong} is wrong", wrong=wrong)
    return say(
        "the gradient of {wrong} is wrong; that of {right} is right",
        wrong=wrong,
        right=listed(right),
    )


def _gradient(case: Case, name: str, numbers: dict[str, object]) -> Finding | None:
    """What is wrong with the gradient of a weight, at the first of its numbers that is wrong;
    None or a note if it is right. Puts into `numbers` by how much."""
    output, manual, expected = gradient_of(name), case.manual, case.manual.expected
    runs, judged = case.evidence.pass_runs, expected.judged
    if case.is_misshapen(name):
        return _misshapen(case, name)
    if any(run.tensor(output) is None for run in runs):
        is_none = all(run.outputs and run.tensor(output) is None for run in runs)
        is_zero = not bool(expected.outputs[output][judged].any())
        if case.exercise.none_is_zero and is_none and is_zero:
            return None
        return _no_gradient(case, name)
    if manual.replayed is None or output not in manual.replayed.outputs:
        what = say("the gradient of {weight}", weight=name)
        return replace(unexplained(case, manual, case.evidence.pass_recordings, what), name=name)
    wrong, unsteady, singular = judge_output(manual, output, case.tolerance)
    if wrong is not None:
        number = case.gradients[name][wrong.element]
        label = case.variant.weights[number]
        numbers[label] = details(case, expected, wrong, "gradients")
        text = describe(case, expected, wrong)
        return Finding(
            "wrong-gradient",
            say(case.wording.gradient, y=case.y, weight=label, text=text),
            place=gradient_place(case, name, wrong.element),
            name=name,
            hint=_hint(case, name, wrong, judged & ~singular),
        )
    numbers[name] = {
        "points": int((judged & ~singular).sum()),
        "of": len(judged),
        "differ": 0 if unsteady is None else unsteady.failed,
        "singular": int(singular.sum()),
    }
    if unsteady is None:
        return None
    label = case.variant.weights[case.gradients[name][unsteady.element]]
    return unstable(f"d {case.y} / d {label}", describe(case, expected, unsteady))


def _placed(case: Case, fault: Finding) -> Finding:
    """A fault of a run beside, where its gradient is made; where the pass is called otherwise, as
    twice, and changes in place what it is sent: at that line."""
    others = (run for run in case.beside if run.reference.scenario.variation)
    if any(fault.message.startswith(run.told("")) for run in others):
        for changed in inputs_changed(case):
            message = f"{fault.message}; {changed.message}"
            return replace(fault, place=changed.place, message=message, hint=changed.hint)
    return replace(fault, place=gradient_place(case, fault.name or ""))


def _no_gradient(case: Case, name: str) -> Finding:
    """The finding for a weight whose gradient is not there, or is no tensor."""
    message = say("the pass leaves no gradient of {weight}", weight=name)
    problem = "; ".join(t for of, t in case.evidence.gradient_problems if of in ("", name))
    if problem:
        message = f"{message}: {problem}"
    place = case.place(case.evidence.pass_site)
    return Finding("no-gradient", message, place=place, name=name, hint=_setting(case, name))


def _misshapen(case: Case, name: str) -> Finding:
    """The finding for a gradient that has another shape than the leaf `name`."""
    wanted = next(leaf.shape for leaf in case.leaves if leaf.name == name)
    gradients = [run.tensor(gradient_of(name)) for run in case.evidence.pass_runs]
    shape = next(t.shape for t in gradients if t is not None and t.shape != wanted)
    differentiable = [leaf for leaf in case.leaves if leaf.kind == "weight" or leaf.requires_grad]
    other = next((leaf.name for leaf in differentiable if leaf.shape == shape), None)
    if shape == wanted[::-1]:
        hint = say("transpose it, or write the product the other way round")
    elif _broadcasts(wanted, shape):
        hint = say("sum it over the dimensions along which {name} was broadcast", name=name)
    elif other is not None:
        hint = say("{name} has this shape: is it the gradient of {name}?", name=other)
    else:
        hint = say(
            "give it the shape of {name} itself: sum over the other dimensions alone, cut off "
            "padding",
            name=name,
        )
    message = say(
        "the gradient of {name} has shape {shape}, not {wanted}",
        name=name,
        shape=list(shape),
        wanted=list(wanted),
    )
    return Finding("wrong-shape", message, place=gradient_place(case, name), name=name, hint=hint)


def _broadcasts(shape: Sequence[int], wider: Sequence[int]) -> bool:
    """Whether a tensor of this shape is broadcast to the wider one, as torch does."""
    ends = zip(reversed(shape), reversed(wider), strict=False)
    return len(shape) <= len(wider) and all(size in (1, other) for size, other in ends)


def _setting(case: Case, name: str) -> str:
    """What to do where there is no gradient of a weight."""
    code = "; ".join(f"self.{own}.grad = {value}" for own, value in gradients_set(case).items())
    return say(case.wording.no_gradient, code=code, name=name)


def gradient_place(case: Case, name: str, element: int = 0) -> Place | None:
    """Where a number of the gradient of a weight is finished: the last op that computes it."""
    slot = case.recording.outputs.get(gradient_of(name)) if isinstance(case, PassCase) else None
    if slot is None or not isinstance(case, PassCase):
        return case.place(case.evidence.pass_site)
    ops, at = case.recording.ops, slot.element or element
    sources = case.flow.writers(slot.value, at)
    for position in sources:
        op = ops[position]
        # a stack of all gradients is not where one of them went wrong
        if op.target in ("aten::stack", "torch::tensor", "aten::cat") and op.args:
            part = case.flow.part_of(position, at)
            if part is not None:
                sources = case.flow.writers(part)
    spans = [
        calling_site(case.submission, case.evidence.class_name, case.recording, ops[position])
        for position in sorted(sources)
    ]
    # a gradient that is a view of what was given is finished where the view is made
    views = [op.site for op in ops if slot.value in op.outputs]
    sites = [span for span in spans or views if span is not None]
    return case.place(sites[-1] if sites else case.evidence.pass_site)


def _is_shared(case: Case, *outputs: str) -> bool:
    """Whether the gradients of two weights are one tensor's."""
    if not isinstance(case, PassCase):
        return False
    slots = [case.recording.outputs.get(output) for output in outputs]
    places = [(slot, case.recording.values[slot.value]) for slot in slots if slot is not None]
    memory = {(value.storage, value.offset, slot.element) for slot, value in places}
    return len(places) == len(outputs) and len(memory) == 1


def _hint(case: Case, name: str, wrong: Mismatch, judged: torch.Tensor) -> str:
    """The usual mistakes that a whole set of points gives away. The gradient of `name` is `wrong`
    at the `judged` points (N,)."""
    assert case.manual.replayed is not None
    output, expected = gradient_of(name), case.manual.expected
    got, right = (
        of.outputs[output][judged, wrong.element] for of in (case.manual.replayed, expected)
    )
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
    # as a whole: of tensors single numbers agree where nothing is swapped
    whole = case.manual.replayed.outputs[output][judged]
    shapes = {leaf.name: leaf.shape for leaf in case.leaves if leaf.name in case.gradients}
    shape = shapes.pop(name)
    alike = [of for of in shapes if shapes[of] == shape and (whole.shape[1] > 1 or not shape)]
    for other in alike:
        right = expected.outputs[gradient_of(other)][judged]
        if torch.allclose(whole, right, rtol=1e-4, atol=1e-7):
            if _is_shared(case, output, gradient_of(other)):
                return say(
                    "{weight} has the same tensor, which is changed in place: copy it first, "
                    "`.clone()`",
                    weight=other,
                )
            return say("it is the gradient of {weight}: are they swapped?", weight=other)
    return say(case.wording.wrong_gradient, y=case.y)
