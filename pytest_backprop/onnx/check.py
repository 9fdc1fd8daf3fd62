"""`onnx`: the submission's ONNX model is valid and is the variant, as a function of its inputs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..judging.case import Case
from ..judging.compare import (
    describe,
    details,
    mismatch,
    observed_tolerance,
    on_singularities,
    told_by_single,
)
from ..judging.credit import by_findings
from ..messages import phrase, say
from ..model import VALUE, Basis, CheckResult, CheckRules, Finding
from .protocol import ModelProblem

if TYPE_CHECKING:
    from .models import ModelCase

ID = "onnx"
BASIS: Basis = "replayed"


def judge(model: ModelCase, case: Case, rules: CheckRules) -> CheckResult:
    """Passes when the model runs in onnx's reference evaluator and gives the variant's values, with
    the weights that stand in it.

    A model that has all of them folded into constants is not judged."""
    name = say("the export of forward") if model.name is None else model.name
    export = _export_line(case, model)
    if model.problem is not None:
        message, hint = _message(model.problem, name), _hint(model.problem, export)
        finding = Finding(model.problem.kind, message, place=model.place, hint=hint)
        return CheckResult(ID, "failed", 0.0, message, BASIS, (finding,))
    expected, values = model.expected, model.values
    if expected is None or values is None:
        reason = say(
            "{name} has its weights neither as initializers nor as inputs: they are folded into "
            "constants",
            name=name,
        )
        hint = say("export with the weights left as they are: `{line}`", line=export)
        return not_judged(reason, Finding("folded-weights", reason, "note", hint=hint))
    points = expected.judged & told_by_single(expected, case.tolerance, [VALUE])
    if not points.any():
        return not_judged(say("no point was well-conditioned"))
    facts: dict[str, object] = {"ops": list(model.ops), "file": model.name}
    right = expected.outputs[VALUE][:, 0]
    # with the wider allowance, as for values of the child's own
    case = replace(case, tolerance=observed_tolerance(case.tolerance))
    regular = points & ~on_singularities(values, points, expected.regimes)
    worst = mismatch(values, right, regular, case.tolerance, expected.regimes)
    if worst is None:
        facts |= {"points": int(points.sum()), "of": len(points)}
        message = say("{name} is the variant", name=name)
        return CheckResult(ID, "passed", 1.0, message, BASIS, model.notes, facts)
    facts |= details(case, expected, worst, "forward")
    facts.pop("reproducer", None)  # it runs the module, not the model
    if model.name is None:
        hint = say("compare the expression in forward with the variant, operation by operation")
    else:
        hint = say("check that forward is the variant, then export it again: `{line}`", line=export)
    text = describe(case, expected, worst)
    message = say("{name} does not give the variant's value: {text}", name=name, text=text)
    wrong = Finding("wrong-value", message, hint=hint)
    return by_findings(ID, rules, [wrong], "", facts, basis=BASIS)


def not_judged(reason: str, *findings: Finding) -> CheckResult:
    """A verdict that costs nothing."""
    message = say("not judged: {reason}", reason=reason)
    return CheckResult(ID, "not_judged", 0.0, message, BASIS, findings, {"reason": reason})


# -- words ----------------------------------------------------------------------------------


def _export_line(case: Case, model: ModelCase) -> str:
    """What a student can paste; it works with torch 2.8 and later, and onnxscript."""
    count, quoted = len(case.variant.inputs), ", ".join(f'"{name}"' for name in case.variant.inputs)
    return (
        f'torch.onnx.export(model, tuple(torch.rand({count})), "{model.name or "model.onnx"}", '
        f"input_names=[{quoted}], dynamo=True, optimize=False, external_data=False)"
    )


MESSAGES = {
    "unreadable-model": phrase("{name} cannot be read: {reason}"),
    "large-model": phrase("{name} is far larger than the graph of a function"),
    "invalid-model": phrase("{name} is not a valid ONNX model: {reason}"),
    "external-data": phrase("{name} keeps its numbers in another file, {about}, which is not read"),
    "baked-in-input": phrase(
        "{name} has no input for {about}: its value at export is baked in, or forward does not use "
        "it (inputs of the model: {inputs})"
    ),
    "wrong-inputs": phrase("{name} has other inputs than the variant: {reason}"),
    "wrong-output": phrase("{name} does not give one floating-point number: {reason}"),
    "cannot-run": phrase("onnx's reference evaluator cannot run {name}: {reason}"),
    "cannot-export": phrase("forward cannot be exported: {reason}"),
    "unfinished": phrase("evaluating {name} did not come to its end: {reason}"),
}
"""Of the kinds of a ModelProblem."""
ABOUT = {
    "wrong-inputs": phrase("the input {about} of {name} does not fit the variant's: {reason}"),
    "unfinished": phrase("exporting forward did not come to its end: {reason}"),
}
"""In their place, where it says what it is about."""


def _message(problem: ModelProblem, name: str) -> str:
    about, reason = problem.about, problem.reason
    text = (ABOUT.get(problem.kind) if about else None) or MESSAGES[problem.kind]
    return say(text, name=name, about=about, reason=reason, inputs=reason)


def _hint(problem: ModelProblem, export: str) -> str:
    if problem.kind == "cannot-export" or (problem.kind == "unfinished" and problem.about):
        if "data-dependent" in problem.reason:
            return say(
                "no if, `float()` or `.item()` on a tensor's value in forward: an export "
                "knows no values; choose between results with `torch.where`"
            )
        return say("keep forward to operations on tensors, from its inputs and `self.w` to y")
    if problem.kind == "baked-in-input":
        return say("export with tensors as arguments, one an input: `{line}`", line=export)
    return say("export the model again and hand in the file as it is: `{line}`", line=export)
