"""The checks of a Function."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from ...judging import forward, gradient, integrity, unused_nodes
from ...judging.backward import not_of_all, ran
from ...judging.case import Case, PassCase
from ...judging.credit import by_findings
from ...judging.gradient import gradient_place
from ...judging.release import HOLD_NONE, called
from ...judging.unused_nodes import wasted_ops
from ...messages import phrase, say
from ...model import VALUE, CheckResult, CheckRules, Finding, Place, Recording, Span, gradient_of
from ...submission.parse import node_span, tree_of
from ..adjoint import GRAD_OUTPUT
from ..adjoint.checks import held, judge_second
from . import TWICE

NEEDS_INPUT_GRAD = "needs-input-grad"
"""For an input that needs no gradient backward computes nothing and returns None. Credit per
input."""
SAVED = "saved"
"""What backward needs of forward goes through `ctx.save_for_backward`, and nothing else does; all
of it is gone after backward."""
DOUBLE_BACKWARD = "double-backward"
"""The derivatives of the gradients, which torch's engine takes through the student's backward,
equal autograd's. Asked for by a task with `ORDER = 2`; credit per input."""
DIFFERENTIABLE = phrase(
    "write backward with differentiable ops on the saved inputs and outputs: no `.data`, "
    "`.detach()` or values computed in forward and saved"
)
ALIASES = ("aten::detach", "aten::alias")
"""What torch runs when a saved output is unpacked."""


def judge_needs_input_grad(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when nothing is done for an input without need."""
    if not (case.needs_all or isinstance(case, PassCase)):
        return not_of_all(NEEDS_INPUT_GRAD)  # `gradient` tells that it raises
    case_or_result = ran(case, NEEDS_INPUT_GRAD, needs_backward=case.needs_all)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case = case_or_result
    tensors = [leaf for leaf in case.leaves[:-1] if not leaf.literal]
    findings = [
        Finding(
            "unneeded-gradient",
            say(
                "{method} returns a gradient for {name}, which needs none",
                name=leaf.name,
                method=case.evidence.pass_name,
            ),
            place=gradient_place(case, leaf.name),
            name=leaf.name,
            hint=say(
                "return None in its place, unless `ctx.needs_input_grad` says that it is needed"
            ),
        )
        for leaf in tensors
        if leaf.kind == "input" and gradient_of(leaf.name) in case.recording.outputs
    ]
    if not findings and not case.needs_all:
        findings += _computed(case)
    passed = say("nothing is computed for an input that needs no gradient")
    count = len(tensors)
    return by_findings(NEEDS_INPUT_GRAD, rules, findings, passed, {"parts": count}, parts=count)


def _computed(case: PassCase) -> Iterator[Finding]:
    """Ops of the backward from which no data reaches a gradient that is needed, and of which no
    other such op reads the result, one a line."""
    recording = case.recording
    start = dict(recording.phases).get("backward", len(recording.ops))
    wasted = [recording.ops[position] for position in wasted_ops(case) if position >= start]
    ops = [op for op in wasted if op.context == "student"]
    read = {value for op in ops for value in op.reads}
    last = {op.site or op.statement: op for op in ops if not read.intersection(op.outputs)}
    for op in last.values():
        yield Finding(
            "unneeded-gradient",
            say(
                "{value} is computed though only {needed} needs a gradient",
                value=called(op),
                needed=", ".join(case.gradients),
            ),
            place=case.place(op.site or case.evidence.pass_site),
            name=op.name,
            hint=say("compute it where `ctx.needs_input_grad` says that it is needed"),
        )


def judge_saved(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when each saved tensor is read by backward, none is kept otherwise, and none is
    left."""
    if not case.needs_all:
        return not_of_all(SAVED)
    case_or_result = ran(case, SAVED)
    if isinstance(case_or_result, CheckResult):
        return case_or_result
    case = case_or_result
    findings = [*_on_ctx(case), *_unsaved(case), *_unread(case)]
    count = len(case.facts.saved)
    passed = say("backward reads all that is saved ({count}), and nothing is left", count=count)
    return by_findings(SAVED, rules, findings, passed)


def _on_ctx(case: PassCase) -> Iterator[Finding]:
    for name in case.facts.on_ctx:
        yield Finding(
            "on-ctx",
            say("`ctx.{name}` holds a tensor or the numbers of one", name=name),
            place=_last(case, name, ast.Store),
            name=name,
            hint=say(
                "give the tensor to `ctx.save_for_backward`: what is kept as an "
                "attribute leaks, and torch cannot check that it is unchanged"
            ),
        )


def _unsaved(case: PassCase) -> list[Finding]:
    """What is held after backward; else what backward reads of forward, an input or a value made
    there, though it was not saved, wherever it was kept meanwhile."""
    here = case.place(case.evidence.forward_site)
    message = phrase("{value} is still held after backward")
    # ctx lives as long as its output, and with it what it holds
    findings = held(case, message, here, HOLD_NONE, values=not case.facts.on_ctx)
    if findings or case.facts.on_ctx:
        return findings
    recording, values = case.recording, case.recording.values
    backward, own = _backward(recording), _own(case)
    ops = [recording.ops[p] for p in backward if recording.ops[p].context == "student"]
    for storage in dict.fromkeys(values[value].storage for op in ops for value in op.reads):
        if storage in own.keys() - {*case.facts.saved, *case.flow.constants}:
            name, site = own[storage]
            text = say(
                "{value} comes from forward to backward without `ctx.save_for_backward`",
                value=_called(name),
            )
            place, hint = case.place(site or case.evidence.forward_site), say(HOLD_NONE)
            findings.append(Finding("kept", text, place=place, name=name, hint=hint))
    return findings


def _own(case: PassCase) -> dict[int, tuple[str | None, Span | None]]:
    """What forward has, by storage: the inputs and the values that it makes, each with its name
    and where it is made."""
    recording, start = case.recording, _backward(case.recording).start
    makers = {x.storage: recording.ops[x.born] for x in recording.lives if x.born < start}
    names = [leaf.name for leaf in case.leaves if leaf.is_drawn]
    leaves = [v.storage for v in recording.values if v.origin in ("weight", "input")]
    inputs = {s: (n, None) for s, n in zip(leaves, names, strict=False) if n != GRAD_OUTPUT}
    return {storage: (op.name, op.site) for storage, op in makers.items()} | inputs


def _called(name: str | None) -> str:
    return f"`{name}`" if name else say("a value")


def _unread(case: PassCase) -> Iterator[Finding]:
    recording, values = case.recording, case.recording.values
    ops = [recording.ops[position] for position in _backward(recording)]
    read = {values[v].storage for op in ops if op.target not in ALIASES for v in op.reads}
    read |= recording.storages_of(VALUE)
    own = _own(case)
    for storage in case.facts.saved:
        if storage >= 0 and storage not in read:
            name, _ = own.get(storage, (None, None))
            yield Finding(
                "saved-unread",
                say("{value} is saved, and backward does not read it", value=_called(name)),
                place=_last(case, "save_for_backward", ast.Load),
                name=name,
                hint=say("save only what backward needs: it is kept from forward to backward"),
            )


def _backward(recording: Recording) -> range:
    """The positions of the ops of the backward, once."""
    phases = dict(recording.phases)
    return range(phases.get("backward", 0), phases.get(TWICE, len(recording.ops)))


def _last(case: PassCase, attribute: str, context: type[ast.expr_context]) -> Place | None:
    """Where the unit with forward last has an attribute of that name, set or read; the place of
    forward where there is none."""
    submission, site = case.submission, case.evidence.forward_site
    if submission is None or site is None:
        return case.place(site)
    spans = [
        node_span(site.unit, node)
        for node in ast.walk(tree_of(submission.units[site.unit]))
        if isinstance(node, ast.Attribute)
        and node.attr == attribute
        and isinstance(node.ctx, context)
    ]
    return case.place(max(spans, key=lambda span: span.line, default=site))


CHECKS = {check.ID: check.judge for check in (forward, gradient, unused_nodes)} | {
    NEEDS_INPUT_GRAD: judge_needs_input_grad,
    SAVED: judge_saved,
    DOUBLE_BACKWARD: functools.partial(judge_second, DOUBLE_BACKWARD, DIFFERENTIABLE),
    integrity.ID: integrity.judge_untouched,
}
