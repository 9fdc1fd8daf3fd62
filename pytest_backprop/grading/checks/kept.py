"""What is alive when all is over, and should not be: after torch's engine has called a Function's backward, or
after a tape was reset."""

from __future__ import annotations

from ...messages import phrase, say, say_count
from ...model import CheckResult, CheckRules, Finding, Life, Op
from ...submission.definitions import definitions
from ...trace.copies import copies
from ...trace.graph import op_name
from .case import PassCase
from .credit import credited

HOLD_NONE = phrase("keep no tensor in a global, a class or an attribute")
RESET = "reset"
"""The phase in which all is to be let go."""


def kept(case: PassCase) -> list[tuple[Life, Op]]:
    """The student's own values that outlived the run, with the ops that made them; gradients and what the
    grader itself puts together are not among them."""
    recording, values = case.recording, case.recording.values
    own = recording.storages_of()
    own |= {storage for storage in case.facts.returned if storage is not None}
    own |= {values[v].storage for op in recording.ops if op.context == "grader" for v in op.reads}
    return [
        (life, recording.ops[life.born])
        for life in recording.lives
        if life.dead_by is None
        and life.storage not in own
        and recording.ops[life.born].context in ("student", "engine")
    ]


def judge_reset(id: str, case: PassCase, rules: CheckRules) -> CheckResult:
    """Passes when no value is alive after the tape was reset, as the pass itself or as a copy."""
    hint = say("clear all that holds entries, Variables or their values in reset_tape")
    resets = definitions(case.submission, "reset_tape")
    findings = [
        Finding(
            "kept",
            say("{value} is still alive after `reset_tape()`", value=name),
            place=next((case.place(span) for span in reversed(resets)), None),
            name=name,
            hint=hint,
        )
        for name in case.facts.kept
    ]
    for _, made in kept(case):
        findings.append(Finding(
            "kept",
            say("{value} is still alive after `reset_tape()`", value=_called(made)),
            place=case.place(made.site),
            name=made.name,
            hint=hint,
        ))  # fmt: skip
    findings += _copied(case)
    if not findings:
        message = say("nothing is alive after `reset_tape()`")
        return CheckResult(id, "passed", 1.0, message, "observed")
    outcome, credit, counts = credited(rules, len(findings))
    message = findings[0].message
    if len(findings) > 1:
        message = say_count("{message} (and {count} more)", "{message} (and {count} more)",
                            len(findings) - 1, message=message)  # fmt: skip
    return CheckResult(
        id, outcome, credit, message, "observed", tuple(_once_a_line(findings)), faults=counts
    )


def judge_call(id: str, case: PassCase, rules: CheckRules) -> CheckResult:
    """Passes when a call leaves nothing behind but the gradients that it returns: no value of its graph, no hook on
    a leaf, nothing that grows from call to call."""
    facts = case.facts
    here = case.place(case.evidence.pass_site)
    findings = [
        Finding(
            "hook-left",
            say("a hook stays on {name}, a leaf, after the call: each call adds one more", name=name),
            place=here,
            name=name,
            hint=say("keep what register_hook returns and call its `remove()`, or register "
                     "it on the intermediate, with which it goes"),
        )
        for name in facts.hooked
    ]  # fmt: skip
    findings += [
        Finding(
            "graph-kept",
            say("the gradient of {name} holds a graph of its own after the call", name=name),
            place=here,
            name=name,
            hint=say("leave `create_graph=True` out, or return the gradient's `detach()`"),
        )
        for name in facts.graphs
    ]
    findings += [
        Finding("kept", say("{value} is still held after the call", value=name), place=here,
                name=name, hint=say(HOLD_NONE))
        for name in facts.kept
    ]  # fmt: skip
    if not facts.graphs:
        findings += [
            Finding("kept", say("{value} is still held after the call", value=_called(made)),
                    place=case.place(made.site), name=made.name, hint=say(HOLD_NONE))
            for _, made in kept(case)
        ]  # fmt: skip
    if facts.grown and not findings:
        findings.append(Finding(
            "kept", say("the gradients of an earlier call are still held after the next"), place=here,
            hint=say("make the dict or list anew in each call"),
        ))  # fmt: skip
    if not findings:
        return CheckResult(id, "passed", 1.0, say("a call leaves nothing behind"), "observed")
    findings = _once_a_line(findings)
    outcome, credit, counts = credited(rules, len(findings))
    return CheckResult(
        id, outcome, credit, findings[0].message, "observed", tuple(findings), faults=counts
    )


def _copied(case: PassCase) -> list[Finding]:
    """Values that left torch as a whole, into memory that nobody sees."""
    found = []
    for copy in copies(case.recording).values():
        if copy.is_used:
            continue  # numbers that the pass goes on with are not put away
        look = case.recording.ops[copy.looks[0]]
        found.append(Finding(
            "hidden-values",
            say("a value leaves torch (`{way}`) and counts as kept: whether `reset_tape()` "
                "lets it go cannot be seen",
                way=op_name(look)),
            place=case.place(look.site),
            hint=say("keep to tensors, or take a single number with `.item()`"),
        ))  # fmt: skip
    return found


def _once_a_line(findings: list[Finding]) -> list[Finding]:
    return list({(f.kind, f.place or f.name): f for f in reversed(findings)}.values())[::-1]


def _called(made: Op) -> str:
    return f"`{made.name}`" if made.name else say("the result of `{op}`", op=op_name(made))
