"""The checks of hooks for saved tensors: gradients, what is on disk, what is left there, and what
the hooks change. The grader lists the files itself while the child has stopped."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from msgspec.structs import replace

from ...judging.case import Beside, ObservedCase
from ...judging.credit import by_findings, failed
from ...messages import listed, phrase, say
from ...model import CheckResult, CheckRules, Finding, Place, Tensor
from . import BACKWARD, GRAPH_COUNT, GRAPHS

STEPS = 16
"""Of a number's last bit: another layout in memory may have another order of sums."""
NO_FILE = phrase("not counted: no file was written")
RAISES = {
    "pack": phrase("pack_hook raises {text}"),
    "unpack": phrase("backward raises {text}"),
    "again": phrase("the second backward through one graph raises {text}"),
}


def judge_gradient(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when the gradients are those without hooks, bit by bit, in every run; the points are
    shared over the runs in which a tensor goes to disk."""
    wrong: dict[str, Finding] = {}
    for trial in case.beside:
        label, finding = trial.reference.label, next(_wrong_gradients(case, trial), None)
        if finding is not None:
            text = say("{message} (in the run `{label}`)", message=finding.message, label=label)
            wrong[f"`{label}`"] = replace(finding, message=text)
    count = sum(len(trial.reference.large) > 0 for trial in case.beside)
    message = say("as without hooks, bit by bit, in {count} runs", count=count)
    if wrong:
        message = say(
            "{wrong} of {count} runs are wrong: {names}",
            wrong=min(len(wrong), count),
            count=count,
            names=listed(list(wrong)),
        )
    findings = list(wrong.values())
    result = by_findings("gradient", rules, findings, message, {}, count, message, "replayed")
    first = {(finding.kind, finding.place): finding for finding in reversed(findings)}
    return replace(result, findings=tuple(f for f in findings if f in first.values()))


def _wrong_gradients(case: ObservedCase, trial: Beside) -> Iterator[Finding]:
    """The error that was raised, and the gradients that are not those without hooks."""
    facts, reference, wording = trial.facts, trial.reference, case.wording
    if facts.fault is not None:
        text = f"{facts.fault.kind}: {facts.fault.message}"
        message = say(RAISES.get(facts.step, RAISES["unpack"]), text=text)
        hint = say(wording.raises)
        if "Permission" in text or "not permitted" in text:
            hint = say(
                "write into `tempfile.gettempdir()`, or into the current folder: nothing "
                "else may be written where submissions are graded"
            )
        elif reference.scenario.variation != BACKWARD:
            hint = say(
                "give each save a file of its own, with a name that nobody else can have, and keep "
                "it as long as what pack_hook returned: unpack_hook may be called more than once"
            )
        place = case.place(facts.fault.site)
        place = place or (_pack(case) if facts.step == "pack" else _unpack(case))
        yield Finding("raises", message, place=place, hint=hint)
    names = [leaf.name for leaf in reference.scenario.leaves if leaf.kind == "weight"]
    hint = say(wording.wrong_gradient)
    for gradients in facts.gradients or ((),):
        for at, (name, right) in enumerate(zip(names, reference.gradients, strict=True)):
            got = gradients[at] if at < len(gradients) else None
            wrong, count = _wrong_numbers(got, right)
            if wrong:
                text = say(
                    "{wrong} of {count} numbers differ from those without hooks",
                    wrong=wrong,
                    count=count,
                )
                text = say(wording.gradient, weight=name, text=text)
                yield Finding("wrong-gradient", text, place=_unpack(case), name=name, hint=hint)


def _wrong_numbers(got: Tensor | None, right: Tensor) -> tuple[int, int]:
    """How many numbers of a gradient are wrong, and of how many. None is right where all are
    zero."""
    ours, count = right.data, len(right.data)
    if got is None:
        return sum(map(bool, ours)), count
    if (got.dtype, got.shape, len(got.data)) != (right.dtype, right.shape, count):
        return count, count
    eps = torch.finfo(getattr(torch, right.dtype)).eps
    allowed = STEPS * eps * max(map(abs, ours), default=0.0)
    return sum(not abs(a - b) <= allowed for a, b in zip(got.data, ours, strict=True)), count


def judge_threshold(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when tensors of as many elements as the threshold, or more, are on disk and nowhere
    else, and others are not on disk."""
    if not all(map(_is_packed, case.beside)):
        return failed("threshold", say("pack_hook does not run to its end"))
    kinds: dict[str, Finding] = {}
    for trial in case.beside:
        for finding in _misplaced(case, trial):
            kinds.setdefault(finding.kind, finding)
    passed = say(
        "tensors of {threshold} elements or more are on disk, and no others",
        threshold=case.beside[0].reference.threshold,
    )
    return by_findings("threshold", rules, list(kinds.values()), passed)


def _misplaced(case: ObservedCase, trial: Beside) -> Iterator[Finding]:
    """Tensors that are not where they should be."""
    facts, large, limit = trial.facts, trial.reference.large, trial.reference.threshold
    if _files(trial) < len(large) and not _is_shared(trial):
        message = say("a tensor of just {limit} elements is not on disk", limit=limit)
        if any(elements != limit for elements in large):
            message = say(
                "torch saves {count} tensors of {limit} elements or more, and there are {files} "
                "files",
                count=len(large),
                limit=limit,
                files=_files(trial),
            )
        hint = say(
            "write tensors of {limit} elements or more to files, whatever they are, "
            "and keep nothing of them but the name",
            limit=limit,
        )
        yield Finding("in-memory", message, place=_pack(case), hint=hint)
    elif 0 < len(trial.reference.saves) <= 2 * facts.kept:
        message = say(
            "{alive} large tensors of a graph and copies of them are still in memory when all is "
            "on disk",
            alive=facts.kept,
        )
        hint = say(
            "keep no tensor in a list, a dict or an attribute: what pack_hook returns is all that "
            "is needed, and it needs nothing but the name of the file"
        )
        yield Finding("kept", message, place=_pack(case), hint=hint)
    if facts.small:
        message = say("a tensor of fewer than {limit} elements is on disk", limit=limit)
        hint = say(
            "return it, or `x.detach()`, if `x.numel() < {limit}`: `numel()` counts "
            "all elements, not those of one dimension",
            limit=limit,
        )
        yield Finding("small-on-disk", message, place=_pack(case), hint=hint)


def judge_release(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when each file is gone when its graph is freed: after backward, and without one."""
    if not any(map(_files, case.beside)):
        return failed("release", say(NO_FILE))
    messages = []
    for trial in case.beside:
        packed, dropped = len(trial.stops["packed"]), len(trial.stops["dropped"])
        is_dropping = trial.reference.scenario.variation == GRAPHS
        if trial.facts.fault is not None:
            continue  # an error may hold what it came through
        if trial.stops["freed"]:
            messages.append(say("files are left after the backward"))
        elif is_dropping and dropped > packed - packed // GRAPH_COUNT:
            messages.append(say("files are left when the value is dropped without a backward"))
    hint = say(
        "return an object of a class from pack_hook that removes its file in "
        "__del__, or with `weakref.finalize`: it goes when the graph goes"
    )
    findings = [
        Finding("left", text, place=_pack(case), hint=hint) for text in dict.fromkeys(messages)
    ]
    return by_findings("release", rules, findings, say("each file is gone when its graph is freed"))


def judge_files(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when two saves never share a file."""
    if not any(map(_files, case.beside)):
        return failed("files", say(NO_FILE))
    hint = say(
        "make a new name for each save that nobody else has: "
        "`tempfile.mkstemp()` or `uuid.uuid4()`; `id(x)` and counters come again"
    )
    findings = []
    for trial in case.beside:
        if _is_packed(trial) and _is_shared(trial):
            message = say(
                "{count} saves are in {files} files (in the run `{label}`)",
                count=len(trial.reference.large),
                files=_files(trial),
                label=trial.reference.label,
            )
            findings.append(Finding("shared-file", message, place=_pack(case), hint=hint))
    return by_findings("files", rules, findings[:1], say("each save has a file of its own"))


def judge_integrity(case: ObservedCase, rules: CheckRules) -> CheckResult:
    """Passes when no tensor was changed."""
    findings, details = [], {}
    if any(trial.facts.changed for trial in case.beside):
        message = say("pack_hook changes the tensor that it is given")
        hint = say("write and return it as it is: it is the model's own, not a copy")
        findings = [Finding("mutation", message, place=_pack(case), hint=hint)]
        details = {"gate": say("the hooks change tensors")}
    passed = say("the hooks leave tensors as they are")
    return by_findings("integrity", rules, findings, passed, details)


# -- a run, as the child told of it and as it was seen from outside


def _files(trial: Beside) -> int:
    """How many files lay in the folder when all was packed."""
    return len({file.number for file in trial.stops["packed"] if file.plain})


def _is_packed(trial: Beside) -> bool:
    """Whether the hooks took all tensors."""
    return trial.facts.fault is None or trial.facts.step != "pack"


def _is_shared(trial: Beside) -> bool:
    """Whether there are fewer files than saves, as some were written to twice."""
    return 0 < _files(trial) < len(trial.reference.large) and trial.facts.again > 0


def _pack(case: ObservedCase) -> Place | None:
    """Where pack_hook is."""
    return case.place(case.evidence.pass_site)


def _unpack(case: ObservedCase) -> Place | None:
    """Where unpack_hook is."""
    return case.place(case.evidence.forward_site)


CHECKS = {
    "gradient": judge_gradient,
    "threshold": judge_threshold,
    "release": judge_release,
    "files": judge_files,
    "integrity": judge_integrity,
}
