"""`none`: an input that the value does not depend on has None for its gradient, not zeros, and
nothing is propagated along a way that does not lead to the value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from ...judging.case import Beside, Case, calling_site
from ...judging.credit import by_findings, failed
from ...messages import say
from ...model import CheckResult, CheckRules, Finding, Op, Recording, Span
from ...trace.graph import op_name
from ...trace.op_table import row_of

ID = "none"


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing flows where there is nothing to flow."""
    if not case.beside:
        return CheckResult(ID, "not_judged", 0.0, say("not judged at these sizes"), "observed")
    ran = [each for each in case.beside if each.evidence.pass_runs[0].fault is None]
    with_other = next((each for each in ran if each.facts.unrelated), None)
    if with_other is None or not any(run.outputs for run in with_other.evidence.pass_runs):
        return failed(ID, say("the pass did not run to its end"))
    if not any(each.gradient(name) for each in ran for name in each.reference.asked):
        return failed(ID, say("not counted: the pass leaves no gradient"))
    plain = next((each for each in ran if each.reference.label == "plain"), with_other)
    findings = [*_given(case, plain, with_other), *_propagated(case, plain, with_other)]
    if findings:
        return failed(ID, findings[0].message, *findings)
    passed = say("None comes back where nothing flows, and nothing is propagated there")
    return by_findings(ID, rules, [], passed)


def _given(case: Case, plain: Beside, with_other: Beside) -> Iterator[Finding]:
    """Gradients that came back for what the value does not depend on."""
    unused = [name for name in plain.reference.unused if plain.gradient(name) is not None]
    if with_other.facts.unrelated == "given":
        unused.append("")
    for name in unused[:1]:
        yield Finding(
            "zero-gradient",
            say(
                "grad returns a Variable, not None, for {name}, which the value does not depend on",
                name=name,
            )
            if name
            else say("grad returns a Variable, not None, for a Variable that L does not depend on"),
            place=case.place(case.evidence.pass_site),
            name=name or None,
            hint=say(
                "None says that a gradient is zero without any work: return it for what the map "
                "has no "
                "gradient of"
            ),
        )


def _propagated(case: Case, plain: Beside, with_other: Beside) -> Iterator[Finding]:
    """Work of the backward that is there only where something else is on the tape."""
    if plain is with_other:
        return
    usual = Counter(map(_kind, _backward(plain)))
    recording = with_other.evidence.pass_recordings[0]
    for op in _phase(recording):
        usual[_kind(op)] -= 1
        if row_of(op_name(op)).is_filling:
            continue  # zeros that are returned: told as that
        if usual[_kind(op)] < 0:
            yield Finding(
                "needless-propagate",
                say("propagate runs (`{op}`) for an entry that does not lead to L", op=op_name(op)),
                place=case.place(
                    calling_site(case.submission, case.evidence.class_name, recording, op)
                ),
                hint=say("skip an entry in grad if the gradients of all its outputs are None"),
            )
            return


def _backward(run: Beside) -> list[Op]:
    """The student's ops of the backward."""
    return [op for recording in run.evidence.pass_recordings[:1] for op in _phase(recording)]


def _phase(recording: Recording) -> Iterator[Op]:
    starts = [*recording.phases, ("", len(recording.ops))]
    for (name, start), (_, end) in pairwise(starts):
        if name == "backward":
            yield from (op for op in recording.ops[start:end] if op.context == "student")


def _kind(op: Op) -> tuple[str, Span | None]:
    return op.target, op.site
