"""What is told of the gradients of intermediates, which the student has torch's engine keep:
what was returned in their place, and which was not taken from the graph at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

import torch
from msgspec.structs import replace

from ...judging.beside import differs, exactly
from ...judging.case import Beside, Case, PassCase
from ...messages import phrase, say
from ...model import Finding, Observation, Place, Span, Tensor, gradient_of
from ...trace.calls import NotReplayable
from ...trace.replay import Replayed
from . import WITH_TENSORS
from .facts import AGAIN, IntermediateReference

LARGER, MOVED = 1.5, 0.05
"""By what factor, and by which part of its size a gradient then changes at least."""
FEW = 16
"""Points."""

AS_WANTED = phrase(
    "return a dict, with the names as keys, or a tuple with the gradients in this order: {names}"
)
KEPT = phrase(
    "call `{name}.retain_grad()` before `backward()` and return `{name}.grad`, or take it in "
    "a hook, or ask `torch.autograd.grad(loss, {name})`"
)
KEEP_NOTHING = phrase(
    "make the dict or list anew in each call, and keep nothing in a global, a default argument or "
    "an attribute"
)


def explained(case: Case, name: str, finding: Finding | None) -> Finding | None:
    """What is wrong with the gradient of an intermediate, in the words of the mistake; `finding`
    where none is known, or nothing is wrong."""
    plain = next((b for b in case.beside if b.reference.label == "plain"), None)
    wrong = finding is not None and finding.level == "fault"
    first = case.evidence.pass_runs[0]
    told = first.tensor(gradient_of(name))
    if wrong and told is None:
        return _nothing(case, name, first)
    mistaken = None if plain is None else _mistaken(case, plain, name)
    if mistaken is not None and wrong:
        return mistaken
    if told is not None and told.dtype != _dtype(case):
        return Finding(
            "wrong-dtype",
            say(
                "the gradient of {name} is {dtype}; the intermediate is {wanted}",
                name=name,
                dtype=told.dtype,
                wanted=_dtype(case),
            ),
            place=returned_at(case, name),
            name=name,
            hint=say("return the gradient as the engine gives it, without a conversion"),
        )
    if wrong and case.is_misshapen(name) and told is not None:
        return _misshapen(case, name, told)
    stale = _stale(case, name)
    if stale is not None:
        return stale
    if wrong and finding is not None and finding.kind == "wrong-gradient":
        return replace(finding, place=returned_at(case, name))
    if wrong and finding is not None and finding.kind == "hidden-work":
        place = finding.place or returned_at(case, name)
        return replace(finding, place=place, name=name, hint=say(WITH_TENSORS))
    return finding


def by_hand(case: PassCase) -> Iterator[tuple[str, Span | None]]:
    """The intermediates whose gradients depend on what is given, and not on what torch's engine
    calculates; with the place where each is made."""
    recording, flow = case.recording, case.flow
    leaves = {v.storage for v in recording.values if v.origin in ("weight", "input")}
    scaled = _with_scaled_engine(case)
    for name in case.gradients:
        output = gradient_of(name)
        ops = [recording.ops[p] for p in sorted(flow.upstream(flow.sources[output]))]
        reads = {recording.values[value].storage for op in ops for value in op.reads}
        if output not in recording.outputs or not reads & leaves:
            continue
        engine = any(op.context == "engine" for op in ops)
        if engine and not (scaled is not None and _stays(case, scaled, output)):
            continue
        sites = [op.site for op in ops if op.site is not None]
        yield name, sites[-1] if sites else None


def _with_scaled_engine(case: PassCase) -> Replayed | None:
    """The gradients at some points, where all that torch's engine calculates is larger than it
    is; None where they cannot be had."""
    replayed, expected = case.manual.replayed, case.manual.expected
    program = case.manual.verified.program
    if replayed is None or program is None:
        return None
    ops = case.recording.ops

    def change(position: int, made: torch.Tensor) -> torch.Tensor:
        return made * LARGER if ops[position].context == "engine" else made

    try:
        return program.run_anyhow(expected.weights[:FEW], expected.inputs[:FEW], change)
    except NotReplayable:
        return None


def _stays(case: PassCase, scaled: Replayed, output: str) -> bool:
    """Whether none of an output's numbers is another for a larger engine, though some are no
    zeros. A wrong gradient, such as a normalised one, is told as that."""
    assert case.manual.replayed is not None
    other, expected = scaled.outputs.get(output), case.manual.expected
    own = case.manual.replayed.outputs.get(output)
    if own is None or other is None:
        return False
    count = len(other)
    own, right, points = own[:count], expected.outputs[output][:count], expected.judged[:count]
    judged = own.isfinite() & (own != 0) & points[:, None]
    if bool(((own - right).abs() > MOVED * right.abs())[judged].any()):
        return False
    return bool(judged.any()) and not bool(((other - own).abs() > MOVED * own.abs())[judged].any())


def returned_at(case: Case, name: str) -> Place | None:
    """The line on which the function returns the gradient of an intermediate: that of its entry
    in the dict or the tuple, else of the statement; the `def` where there is none."""
    function = _function(case)
    site = case.evidence.pass_site
    if function is None or site is None:
        return case.place(site)
    found: ast.expr | ast.stmt | None = None
    for node in ast.walk(function):
        entry = _entry(node, name, list(case.gradients))
        found = entry or found
    if found is None:
        found = next((n for n in reversed(function.body) if isinstance(n, ast.Return)), None)
    if found is None:
        return case.place(site)
    end = (found.end_lineno or found.lineno, found.end_col_offset or 0)
    return case.place(Span(site.unit, found.lineno, found.col_offset, *end))


def _function(case: Case) -> ast.FunctionDef | None:
    submission, site = case.submission, case.evidence.pass_site
    if submission is None or site is None or not 0 <= site.unit < len(submission.units):
        return None
    try:
        nodes = ast.walk(ast.parse(submission.units[site.unit].text))
        return next(
            (
                n
                for n in nodes
                if isinstance(n, ast.FunctionDef)
                and site.line in (n.lineno, *(d.lineno for d in n.decorator_list))
            ),
            None,
        )
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _entry(node: ast.AST, name: str, names: Sequence[str]) -> ast.expr | ast.stmt | None:
    """The part of a node that is the gradient of `name`."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return next((v for k, v in pairs if isinstance(k, ast.Constant) and k.value == name), None)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dict":
        return next((k.value for k in node.keywords if k.arg == name), None)
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple | ast.List):
        parts = node.value.elts
        return parts[names.index(name)] if len(parts) == len(names) else None
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        key = node.targets[0].slice
        return node if isinstance(key, ast.Constant) and key.value == name else None
    return None


def _nothing(case: Case, name: str, run: Observation) -> Finding:
    """No tensor came back for an intermediate."""
    type_ = run.outputs.get(gradient_of(name), "")
    names = list(case.gradients)
    wanted = say(AS_WANTED, names=", ".join(names))
    if case.facts.answer:
        return Finding(
            "wrong-type",
            say(
                "`{function}` returns {told}, from which the gradient of {name} cannot be taken",
                function=case.evidence.pass_name,
                told=case.facts.answer,
                name=name,
            ),
            place=returned_at(case, name),
            name=name,
            hint=wanted,
        )
    if type_ == "":
        return Finding(
            "no-gradient",
            say("the dict has no key {name!r}", name=name),
            place=returned_at(case, name),
            name=name,
            hint=wanted,
        )
    if type_ is None:
        return Finding(
            "no-gradient",
            say(
                "the gradient of {name} is None: it is no leaf, and the engine keeps the gradients "
                "of leaves alone",
                name=name,
            ),
            place=returned_at(case, name),
            name=name,
            hint=say(KEPT, name=name),
        )
    return Finding(
        "wrong-type",
        say("what is returned for {name} is a {type}, not a tensor", name=name, type=type_),
        place=returned_at(case, name),
        name=name,
        hint=say("return the gradient itself, as a tensor"),
    )


def _mistaken(case: Case, plain: Beside, name: str) -> Finding | None:
    """The finding for the gradient of something else, or a value: by the numbers of one run."""
    reference: IntermediateReference = plain.reference
    told = plain.gradient(name)
    if told is None or not differs(case, told, exactly(reference.outputs[gradient_of(name)])):
        return None
    place = returned_at(case, name)
    for other in case.gradients:
        numbers = reference.outputs[gradient_of(other)]
        if other != name and any(numbers.data) and not differs(case, told, exactly(numbers)):
            return Finding(
                "another-gradient",
                say(
                    "what is returned for {name} is the gradient of {other}", name=name, other=other
                ),
                place=place,
                name=name,
                hint=say(
                    "return each under its own name; hooks run from the loss backwards, the last "
                    "intermediate "
                    "first"
                ),
            )
    for known in reference.known:
        same = known.numbers.shape == told.shape and not differs(case, told, exactly(known.numbers))
        if same and any(known.numbers.data) and known.kind == "leaf":
            return Finding(
                "leaf-gradient",
                say(
                    "what is returned for {name} is `{leaf}.grad`, the gradient of a leaf",
                    name=name,
                    leaf=known.name,
                ),
                place=place,
                name=name,
                hint=say(KEPT, name=name),
            )
        if same and any(known.numbers.data):
            return Finding(
                "value-returned",
                say(
                    "what is returned for {name} is the value of {other}, not its gradient",
                    name=name,
                    other=known.name,
                ),
                place=place,
                name=name,
                hint=say(KEPT, name=name),
            )
    return None


def _stale(case: Case, name: str) -> Finding | None:
    """The finding for a gradient that is another when the function is called again with the same
    tensors, or the very same with others."""
    if _is_of_first_call(case, name):
        message = say("the gradient of {name} is that of an earlier call", name=name)
        return Finding(
            "stale-gradient",
            message,
            place=returned_at(case, name),
            name=name,
            hint=say(KEEP_NOTHING),
        )
    if name not in case.facts.stale:
        return None
    again = next((b for b in case.beside if b.reference.label == AGAIN), None)
    twice = False
    if again is not None:
        second = again.gradient(name)
        once = again.reference.outputs[gradient_of(name)]
        doubled = replace(once, data=tuple(2 * number for number in once.data))
        twice = not differs(case, second, exactly(doubled))
    message = (
        say(
            "the gradient of {name} is added to that of earlier calls: a second call returns it "
            "twice",
            name=name,
        )
        if twice
        else say(
            "the gradient of {name} depends on earlier calls: a second call with the same tensors "
            "returns "
            "another",
            name=name,
        )
    )
    return Finding(
        "stale-gradient", message, place=returned_at(case, name), name=name, hint=say(KEEP_NOTHING)
    )


def _is_of_first_call(case: Case, name: str) -> bool:
    """Whether a gradient is right in a first call, and its numbers stay at all points, where
    they should not."""
    plain = next((b for b in case.beside if b.reference.label == "plain"), None)
    told = None if plain is None else plain.gradient(name)
    if plain is None or differs(case, told, exactly(plain.reference.outputs[gradient_of(name)])):
        return False
    output = gradient_of(name)
    runs = [run.outputs[output] for run in case.evidence.pass_runs if output in run.outputs]
    right = case.manual.expected.outputs[output]
    moves = bool((right != right[:1]).any())
    return moves and len(runs) > 1 and all(run == runs[0] for run in runs)


def _misshapen(case: Case, name: str, told: Tensor) -> Finding:
    leaf = next(leaf for leaf in case.leaves if leaf.name == name)
    return Finding(
        "wrong-shape",
        say(
            "the gradient of {name} has the shape {shape}; the intermediate has {wanted}",
            name=name,
            shape=list(told.shape),
            wanted=list(leaf.shape),
        ),
        place=returned_at(case, name),
        name=name,
        hint=say(
            "a gradient has the shape of what it is the gradient of: return it without a sum, an "
            "index or a "
            "reshape"
        ),
    )


def _dtype(case: Case) -> str:
    return next(leaf.dtype for leaf in case.leaves if leaf.kind == "weight")
