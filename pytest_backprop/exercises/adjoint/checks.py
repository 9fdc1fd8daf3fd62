"""What checks of these exercises have in common: what is still held when all of a call should be
gone, and the derivatives of the gradients in the runs beside the draws that have some."""

from __future__ import annotations

from ...judging.beside import differs
from ...judging.case import Beside, Case, PassCase
from ...judging.credit import by_findings, failed
from ...judging.gradient import gradient_place
from ...judging.release import called
from ...messages import say
from ...model import LOSS, CheckResult, CheckRules, Finding, Place, second_of


def held(
    case: PassCase, message: str, place: Place | None, hint: str, values: bool = True
) -> list[Finding]:
    """A finding for each of the inputs, at `place`, and for each of the student's own
    values unless `values` is false. The message says `{value}`."""
    still = [(name, place, name) for name in case.facts.kept]
    recording = case.recording
    # where the student's own operators make a loss of the value, all goes with the tape
    own = set() if LOSS in recording.outputs else recording.storages_of()
    for op in recording.ops:
        if op.context == "grader":  # what it puts together
            own |= {recording.values[value].storage for value in op.reads}
    own = own | case.flow.constants  # a mask that is made once saves nothing of this call
    for life in recording.lives:
        op = recording.ops[life.born]
        is_own = life.storage not in own and op.context in ("student", "engine")
        if values and life.dead_by is None and is_own:
            still.append((called(op), case.place(op.site), op.name))
    return [
        Finding("kept", say(message, value=value), place=at, name=name, hint=say(hint))
        for value, at, name in still
    ]


def once_a_line(findings: list[Finding]) -> list[Finding]:
    """The findings, of each kind one a line."""
    return list({(f.kind, f.place or f.name): f for f in reversed(findings)}.values())[::-1]


def judge_second(id: str, hint: str, case: Case, rules: CheckRules) -> CheckResult:
    """Passes when every second derivative is right in each run that has one. Credit per input."""
    asked = [run for run in case.beside if any(map(_is_second, run.reference.outputs))]
    if not asked:
        return by_findings(id, rules, [], say("the task does not ask for second derivatives"))
    names = asked[0].reference.asked
    # what raises, or has another shape, is told with the gradient
    judged = [
        run
        for run in asked
        if run.evidence.pass_runs[0].fault is None and not _is_misshapen(run, names)
    ]
    findings = []
    for name in names:
        output = second_of(name)
        having = (run for run in judged if output in run.reference.outputs)
        wrong = (run for run in having if differs(case, run, output))
        findings += [_finding(case, run, name, hint) for run in [*wrong][:1]]
    # on an empty batch all is zero, whatever is written
    runs = [run.evidence.pass_runs[0] for run in judged if run.reference.has_second]
    if not findings and not any(_is_second(output) for run in runs for output in run.outputs):
        return failed(id, say("the pass did not run to its end"))
    passed = say("the second derivatives equal autograd's")
    return by_findings(id, rules, findings, passed, parts=len(names))


def _is_misshapen(run: Beside, names: list[str]) -> bool:
    """Whether any gradient has another shape than its leaf."""
    shapes = {leaf.name: leaf.shape for leaf in run.reference.scenario.leaves}
    gradients = {name: run.gradient(name) for name in names}
    return any(g is not None and g.shape != shapes[name] for name, g in gradients.items())


def _finding(case: Case, run: Beside, name: str, hint: str) -> Finding:
    output, problem = second_of(name), run.facts.second_problem
    tensor, right = run.evidence.pass_runs[0].tensor(output), run.reference.outputs[output]
    place = gradient_place(case, name)
    if problem:
        message = say("the gradient cannot be differentiated again: {problem}", problem=problem)
        place = case.place(run.facts.second_site or case.evidence.pass_site)
    elif tensor is not None and len(tensor.data) != len(right.data):
        message = run.told(say("a gradient of the gradient of {name} has a wrong shape", name=name))
    else:
        message = run.told(say("the second derivative with respect to {name} is wrong", name=name))
        leaves = [
            leaf for leaf in run.reference.scenario.leaves if leaf.is_drawn and leaf.order == 1
        ]
        if constant := [leaf.name for leaf in leaves if not leaf.written]:
            names = ", ".join(constant)
            message = say(
                "{message}, where no gradient of {names} is needed", message=message, names=names
            )
    return Finding("wrong-second-order", message, place=place, name=name, hint=say(hint))


def _is_second(output: str) -> bool:
    return output.startswith(second_of(""))
