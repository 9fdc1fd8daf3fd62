"""`saved`: what backward needs of forward goes through `ctx.save_for_backward`, and nothing else
does; all of it is gone after backward."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...judging.backward import attempted
from ...judging.case import Case, PassCase
from ...judging.credit import by_findings, failed
from ...judging.release import HOLD_NONE, kept
from ...messages import say
from ...model import VALUE, CheckResult, CheckRules, Finding, Place, Recording, Span
from ..adjoint.facts import GRAD_OUTPUT
from .facts import TWICE

ID = "saved"
ALIASES = ("aten::detach", "aten::alias")
"""What torch runs when a saved output is unpacked."""


def judge(case: Case, rules: CheckRules) -> CheckResult:
    """Passes when each saved tensor is read by backward, none is kept otherwise, and none is
    left."""
    if not isinstance(case, PassCase) or not case.recording.phases:
        return failed(ID, say("the pass did not run to its end"))
    if not case.needs_all:
        message = say("not judged: not every input needs a gradient")
        return CheckResult(ID, "not_judged", 0.0, message, "observed")
    missing = attempted(case)
    if missing is not None:
        return failed(ID, missing)
    count = len(case.facts.saved)
    passed = say("backward reads all that is saved ({count}), and nothing is left", count=count)
    return by_findings(ID, rules, [*_on_ctx(case), *_kept(case), *_unread(case)], passed)


def _on_ctx(case: PassCase) -> Iterator[Finding]:
    for name in case.facts.on_ctx:
        yield Finding(
            "on-ctx",
            say("`ctx.{name}` holds a tensor or the numbers of one", name=name),
            place=_assignment(case, name) or case.place(case.evidence.forward_site),
            name=name,
            hint=say(
                "give the tensor to `ctx.save_for_backward`: what is kept as an "
                "attribute leaks, and torch cannot check that it is unchanged"
            ),
        )


def _kept(case: PassCase) -> Iterator[Finding]:
    for name in case.facts.kept:
        yield Finding(
            "kept",
            say("{value} is still held after backward", value=name),
            place=case.place(case.evidence.forward_site),
            name=name,
            hint=say(HOLD_NONE),
        )
    if case.facts.on_ctx:
        return  # ctx lives as long as its output, and with it what it holds
    start = _backward(case.recording).start
    left = kept(case)[:1]
    if not left and not case.facts.kept:
        yield from _unsaved(case)
    for life, made in left:
        shown = f"`{made.name}`" if made.name else say("a value")
        yield Finding(
            "kept",
            say("{value} is still held after backward", value=shown)
            if life.born < start
            else say("{value} of the backward is still held after it", value=shown),
            place=case.place(made.site),
            name=made.name,
            hint=say(HOLD_NONE),
        )


def _unsaved(case: PassCase) -> Iterator[Finding]:
    """What backward reads of forward though it was not saved, wherever it was kept meanwhile: an
    input, or a value made there."""
    recording, values, backward = case.recording, case.recording.values, _backward(case.recording)
    drawn = [leaf for leaf in case.leaves if leaf.is_drawn]
    given = [v.storage for v in values if v.origin in ("weight", "input")]
    names = {
        s: leaf.name for s, leaf in zip(given, drawn, strict=False) if leaf.name != GRAD_OUTPUT
    }
    born = {life.storage: life.born for life in recording.lives if life.born < backward.start}
    for storage in dict.fromkeys(
        values[value].storage
        for op in recording.ops[backward.start : backward.stop]
        if op.context == "student"
        for value in op.reads
    ):
        if storage in case.facts.saved or not (storage in names or storage in born):
            continue
        made = None if storage in names else recording.ops[born[storage]]
        name = names.get(storage) if made is None else made.name
        yield Finding(
            "kept",
            say(
                "{value} comes from forward to backward without `ctx.save_for_backward`",
                value=f"`{name}`" if name else say("a value"),
            ),
            place=case.place(case.evidence.forward_site if made is None else made.site),
            name=name,
            hint=say(HOLD_NONE),
        )


def _backward(recording: Recording) -> range:
    """The ops of the backward, once."""
    phases = dict(recording.phases)
    return range(phases.get("backward", 0), phases.get(TWICE, len(recording.ops)))


def _unread(case: PassCase) -> Iterator[Finding]:
    recording, values, backward = case.recording, case.recording.values, _backward(case.recording)
    read = {
        values[value].storage
        for op in recording.ops[backward.start : backward.stop]
        if op.target not in ALIASES
        for value in op.reads
    }
    returned = recording.storages_of(VALUE)
    names, place = _save_call(case)
    for at, storage in enumerate(case.facts.saved):
        if storage < 0 or storage in read | returned:
            continue
        name = names[at] if at < len(names) else None
        yield Finding(
            "saved-unread",
            say("{value} is saved, and backward does not read it", value=f"`{name}`")
            if name
            else say("a tensor is saved, and backward does not read it"),
            place=place or case.place(case.evidence.forward_site),
            name=name,
            hint=say("save only what backward needs: it is kept from forward to backward"),
        )


def _trees(case: Case) -> Iterator[tuple[int, ast.AST]]:
    submission, site = case.submission, case.evidence.forward_site
    for number, unit in enumerate(() if submission is None else submission.units):
        if site is not None and number != site.unit:
            continue
        try:
            yield number, ast.parse(unit.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue


def _save_call(case: Case) -> tuple[list[str | None], Place | None]:
    """The names of what the last call of `save_for_backward` is given, and its place."""
    names: list[str | None] = []
    place = None
    for number, tree in _trees(case):
        for node in ast.walk(tree):
            called = node.func if isinstance(node, ast.Call) else None
            if isinstance(called, ast.Attribute) and called.attr == "save_for_backward":
                assert isinstance(node, ast.Call)
                names = [arg.id if isinstance(arg, ast.Name) else None for arg in node.args]
                place = case.place(_span(number, node))
    return names, place


def _assignment(case: Case, name: str) -> Place | None:
    for number, tree in _trees(case):
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Attribute)
                and node.attr == name
                and isinstance(node.ctx, ast.Store)
            ):
                return case.place(_span(number, node))
    return None


def _span(unit: int, node: ast.expr) -> Span:
    return Span(
        unit, node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0
    )
