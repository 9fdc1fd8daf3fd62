"""`onnx`: the submission's ONNX model is valid and is the variant, as a function of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ..messages import say
from ..model import VALUE, Basis, CheckResult, CheckRules, Finding, ModelProblem
from ..onnx.models import ModelCase, ModelRun
from .case import Case
from .compare import (
    Difference,
    describe,
    details,
    mismatch,
    no_points,
    observed_tolerance,
    on_singularities,
    told_by_single,
)
from .credit import credited

ID = "onnx"
BASIS: Basis = "replayed"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when the model runs in onnx's reference evaluator and gives the variant's values.

    Points have weights of their own, so the model must have its weights as inputs or initializers.
    A model that has them folded into constants is not judged.
    """
    model = case.model
    if model is None or model.fault:
        fault = say("there is no model") if model is None else model.fault
        return _not_judged(fault)
    if model.problem is not None:
        return _failed(_problem(case, model, model.problem))
    if model.run is None:
        return _weightless(case, model)
    told: dict[str, object] = {"ops": list(model.ops), "file": model.name}
    difference = _compare(case, model.run, told)
    if difference is None:
        return _passed(model, say("{name} is the variant", name=_name(model)), told)
    if isinstance(difference, CheckResult):
        return difference
    if model.partly_folded and model.own_run and _compare(case, model.own_run, told) is None:
        message = say("{name} is the variant, at the weights in it", name=_name(model))
        shown = ", ".join(
            f"{name}={weight:.6g}"
            for name, weight in zip(case.weight_names, model.own_weights or (), strict=False)
        )
        note = say("its weights are folded into constants: {weights}", weights=shown)
        return _passed(model, message, told, (Finding("folded-weights", note, "note"),))
    wrong = Finding(
        "wrong-value",
        say("{name} does not give the variant's value: {text}", name=_name(model), text=difference),
        hint=_same_forward(case, model),
    )
    outcome, credit, counts = credited(rules, 1)
    return CheckResult(ID, outcome, credit, wrong.message, BASIS, (wrong,), told, faults=counts)


def _compare(case: Case, run: ModelRun, told: dict[str, object]) -> str | CheckResult | None:
    """None when the values are right, else how they differ; a result where no point can be judged.

    As for values of the child's own: float32, so with the wider allowance."""
    expected, got = run
    judged = expected.judged & told_by_single(expected, case.tolerance, [VALUE])
    right = expected.outputs[VALUE][:, 0]
    if no_points(judged):
        return _not_judged(say("no point was well-conditioned"))
    case = replace(case, tolerance=observed_tolerance(case.tolerance))
    regimes = expected.regimes
    singular = on_singularities(got, judged, regimes)
    found = mismatch(got, right, judged & ~singular, case.tolerance, regimes)
    if found is None:
        told |= {"points": int(judged.sum()), "of": len(judged)}
        return None
    difference = Difference(0, found, got, right, judged & ~singular)
    told |= details(case, expected, difference, "forward")
    told.pop("reproducer", None)  # it runs the module, not the model
    return describe(case, expected, difference)


def _passed(
    model: ModelCase, message: str, told: dict[str, object], more: tuple[Finding, ...] = ()
) -> CheckResult:
    notes = tuple(Finding("model-file", note, "note") for note in model.notes)
    return CheckResult(ID, "passed", 1.0, message, BASIS, (*more, *notes), told)


def _failed(finding: Finding) -> CheckResult:
    """A model that does not run: there is nothing to give a part of the points for."""
    return CheckResult(ID, "failed", 0.0, finding.message, BASIS, (finding,))


def _not_judged(reason: str, *findings: Finding) -> CheckResult:
    message = say("not judged: {reason}", reason=reason)
    details = {"reason": reason}
    return CheckResult(ID, "not_judged", 0.0, message, BASIS, findings, details)


def _weightless(case: Case, model: ModelCase) -> CheckResult:
    reason = say(
        "{name} has its weights neither as initializers nor as inputs: they are folded into constants",
        name=_name(model),
    )
    hint = say("export with the weights left as they are: `{line}`", line=_export_line(case, model))
    return _not_judged(reason, Finding("folded-weights", reason, "note", hint=hint))


# -- words ----------------------------------------------------------------------------------


def _name(model: ModelCase) -> str:
    return say("the export of forward") if model.name is None else model.name


def _export_line(case: Case, model: ModelCase) -> str:
    """What a student can paste; it works with torch 2.8 and later, and onnxscript."""
    count, quoted = len(case.input_names), ", ".join(f'"{name}"' for name in case.input_names)
    return (
        f'torch.onnx.export(model, tuple(torch.rand({count})), "{model.name or "model.onnx"}", '
        f"input_names=[{quoted}], dynamo=True, optimize=False, external_data=False)"
    )


def _same_forward(case: Case, model: ModelCase) -> str:
    if model.name is None:
        return say("compare the expression in forward with the variant, operation by operation")
    return say(
        "check that forward is the variant, then export it again: `{line}`",
        line=_export_line(case, model),
    )


MESSAGES: Mapping[str, Callable[[str, str, str], str]] = {
    "unreadable-model": lambda name, about, reason: say(
        "{name} cannot be read: {reason}", name=name, reason=reason
    ),
    "large-model": lambda name, about, reason: say(
        "{name} is far larger than the graph of a function", name=name
    ),
    "invalid-model": lambda name, about, reason: say(
        "{name} is not a valid ONNX model: {reason}", name=name, reason=reason
    ),
    "external-data": lambda name, about, reason: say(
        "{name} keeps its numbers in another file, {about}, which is not read",
        name=name, about=about,
    ),
    "baked-in-input": lambda name, about, reason: say(
        "{name} has no input for {about}: its value at export is baked in, or forward does not use "
        "it (inputs of the model: {inputs})",
        name=name, about=about, inputs=reason,
    ),
    "unused-input": lambda name, about, reason: say(
        "{name} takes {about} and does not use it", name=name, about=about
    ),
    "wrong-inputs": lambda name, about, reason: say(
        "the input {about} of {name} does not fit the variant's: {reason}",
        name=name, about=about, reason=reason,
    ) if about else say(
        "{name} has other inputs than the variant: {reason}", name=name, reason=reason
    ),
    "wrong-dtype": lambda name, about, reason: say(
        "the input {about} of {name} has the type {reason}, not float32 or float64",
        name=name, about=about, reason=reason,
    ),
    "wrong-output": lambda name, about, reason: say(
        "{name} does not give one floating-point number: {reason}", name=name, reason=reason
    ),
    "cannot-run": lambda name, about, reason: say(
        "onnx's reference evaluator cannot run {name}: {reason}", name=name, reason=reason
    ),
    "cannot-export": lambda name, about, reason: say(
        "forward cannot be exported: {reason}", reason=reason
    ),
    "unfinished": lambda name, about, reason: say(
        "exporting forward did not come to its end: {reason}", reason=reason
    ) if about else say(
        "evaluating {name} did not come to its end: {reason}", name=name, reason=reason
    ),
}  # fmt: skip


def _problem(case: Case, model: ModelCase, problem: ModelProblem) -> Finding:
    message = MESSAGES[problem.kind](_name(model), problem.about, problem.reason)
    return Finding(problem.kind, message, place=model.place, hint=_hint(case, model, problem))


def _hint(case: Case, model: ModelCase, problem: ModelProblem) -> str:
    line = _export_line(case, model)
    if problem.kind == "cannot-export" or (problem.kind == "unfinished" and problem.about):
        if "data-dependent" in problem.reason:
            return say(
                "no if, `float()` or `.item()` on a tensor's value in forward: an export "
                "knows no values; choose between results with `torch.where`"
            )
        return say("keep forward to operations on tensors, from its inputs and `self.w` to y")
    if problem.kind == "baked-in-input":
        return say("export with tensors as arguments, one an input: `{line}`", line=line)
    return say("export the model again and hand in the file as it is: `{line}`", line=line)
