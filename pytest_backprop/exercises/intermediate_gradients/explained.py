"""What is told of a wrong gradient of an intermediate: what was returned in its place."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from ...judging.beside import differs
from ...judging.case import Beside, Case
from ...messages import phrase, say
from ...model import Finding, Place, gradient_of
from ...submission.parse import node_span, tree_of
from ..adjoint import leaf_gradient_of
from . import AFTER_ANOTHER, WITH_TENSORS

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


class _Mistake(NamedTuple):
    kind: str
    message: str
    hint: str


def explained(case: Case, name: str, finding: Finding | None) -> Finding | None:
    """What is wrong with the gradient of an intermediate, in the words of the mistake; `finding`
    where none is known, or nothing is wrong."""
    wrong = finding is not None and finding.level == "fault"
    mistake = _mistake(case, name, wrong)
    if mistake is not None:
        kind, message, hint = mistake
        return Finding(kind, message, place=returned_at(case, name), name=name, hint=hint)
    if finding is not None and wrong and finding.kind == "wrong-gradient":
        return replace(finding, place=returned_at(case, name))
    if finding is not None and wrong and finding.kind == "hidden-work":
        place = finding.place or returned_at(case, name)
        return replace(finding, place=place, name=name, hint=say(WITH_TENSORS))
    return finding


def _mistake(case: Case, name: str, wrong: bool) -> _Mistake | None:
    """What was done in place of what is asked, where that is known. `wrong`: the gradient is."""
    gradient = case.evidence.pass_runs[0].tensor(gradient_of(name))
    if gradient is None:
        return _nothing(case, name) if wrong else None
    if wrong and (mistaken := _of_another(case, name)) is not None:
        return mistaken
    leaf = next(leaf for leaf in case.leaves if leaf.name == name)
    if gradient.dtype != leaf.dtype:
        return _Mistake(
            "wrong-dtype",
            say(
                "the gradient of {name} is {dtype}; the intermediate is {wanted}",
                name=name,
                dtype=gradient.dtype,
                wanted=leaf.dtype,
            ),
            say("return the gradient as the engine gives it, without a conversion"),
        )
    if wrong and case.is_misshapen(name):
        return _Mistake(
            "wrong-shape",
            say(
                "the gradient of {name} has the shape {shape}; the intermediate has {wanted}",
                name=name,
                shape=list(gradient.shape),
                wanted=list(leaf.shape),
            ),
            say(
                "a gradient has the shape of what it is the gradient of: return it without a sum, "
                "an index or a reshape"
            ),
        )
    if is_stale(case, name):
        message = say("the gradient of {name} depends on earlier calls", name=name)
        return _Mistake("stale-gradient", message, say(KEEP_NOTHING))
    return None


def _nothing(case: Case, name: str) -> _Mistake:
    """No tensor came back for an intermediate."""
    outputs = case.evidence.pass_runs[0].outputs
    hint = say(AS_WANTED, names=", ".join(case.gradients))
    if case.facts.answer:
        message = say(
            "`{function}` returns {told}, from which the gradient of {name} cannot be taken",
            function=case.evidence.pass_name,
            told=case.facts.answer,
            name=name,
        )
        return _Mistake("wrong-type", message, hint)
    if gradient_of(name) not in outputs:
        return _Mistake("no-gradient", say("the dict has no key {name!r}", name=name), hint)
    type_ = outputs[gradient_of(name)]
    if type_ is None:
        message = say(
            "the gradient of {name} is None: it is no leaf, and the engine keeps the gradients of "
            "leaves alone",
            name=name,
        )
        return _Mistake("no-gradient", message, say(KEPT, name=name))
    message = say("what is returned for {name} is a {type}, not a tensor", name=name, type=type_)
    return _Mistake("wrong-type", message, say("return the gradient itself, as a tensor"))


def _of_another(case: Case, name: str) -> _Mistake | None:
    """The mistake of a gradient that is that of something else, by the numbers of one run."""
    plain = _run(case, "")
    if plain is None:
        return None
    # what is zero is like any other that is
    outputs = [n for n, each in plain.reference.outputs.items() if any(each.data)]
    same = {other for other in outputs if not differs(case, plain, gradient_of(name), other)}
    if gradient_of(name) in same:
        return None
    for other in case.gradients:
        if gradient_of(other) in same:
            message = say(
                "what is returned for {name} is the gradient of {other}", name=name, other=other
            )
            hint = say(
                "return each under its own name; hooks run from the loss backwards, the last "
                "intermediate first"
            )
            return _Mistake("another-gradient", message, hint)
    for leaf in case.leaves:
        if leaf_gradient_of(leaf.name) in same:
            message = say(
                "what is returned for {name} is `{leaf}.grad`, the gradient of a leaf",
                name=name,
                leaf=leaf.name,
            )
            return _Mistake("leaf-gradient", message, say(KEPT, name=name))
    return None


def is_stale(case: Case, name: str) -> bool:
    """Whether a gradient is right in a first call, and another when the function was called with
    other tensors before."""
    plain, after = _run(case, ""), _run(case, AFTER_ANOTHER)
    return (
        plain is not None
        and after is not None
        and after.evidence.pass_runs[0].fault is None
        and not differs(case, plain, gradient_of(name))
        and differs(case, after, gradient_of(name))
    )


def returned_at(case: Case, name: str) -> Place | None:
    """The line on which the function returns the gradient of an intermediate: that of its entry
    in the dict or the tuple, else of the statement; the `def` where there is none."""
    submission, site = case.submission, case.evidence.pass_site
    if submission is None or site is None:
        return case.place(site)
    for node in ast.walk(tree_of(submission.units[site.unit])):
        if isinstance(node, ast.FunctionDef) and site.line in (
            node.lineno,
            *(decorator.lineno for decorator in node.decorator_list),
        ):
            entry = _entries(node, list(case.gradients)).get(name)
            entry = entry or next((n for n in node.body[::-1] if isinstance(n, ast.Return)), None)
            return case.place(site if entry is None else node_span(site.unit, entry))
    return case.place(site)


def _entries(function: ast.FunctionDef, names: Sequence[str]) -> dict[object, ast.expr | ast.stmt]:
    """What stands for each name in a dict or a tuple of a function."""
    entries: dict[object, ast.expr | ast.stmt] = {}
    for node in ast.walk(function):
        match node:
            case ast.Dict(keys=keys, values=values):
                pairs = zip(keys, values, strict=True)
                entries |= {k.value: value for k, value in pairs if isinstance(k, ast.Constant)}
            case ast.Call(func=ast.Name(id="dict"), keywords=keywords):
                entries |= {keyword.arg: keyword.value for keyword in keywords}
            case ast.Return(value=ast.Tuple(elts=parts) | ast.List(elts=parts)):
                entries |= zip(names, parts, strict=True) if len(parts) == len(names) else ()
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=key))]):
                entries[key] = node
    return entries


def _run(case: Case, variation: str) -> Beside | None:
    runs = (run for run in case.beside if run.reference.scenario.variation == variation)
    return next(runs, None)
