"""`threshold`: tensors of as many elements as the threshold, or more, are on disk and nowhere else; others are not.

The grader lists the folder itself while the child has stopped, and searches the files for the bytes that torch
saves. Then it empties the files of a run on large tensors: who still has the right gradients did not read them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ....judging.credit import credited
from ....messages import say, say_count
from ....model import CheckResult, CheckRules, Finding
from .case import EmptiedTrial, Trial, TrialCase
from .numbers import _different

ID = "threshold"
SMALLEST = 64
"""Bytes of a tensor that are looked for in files: fewer may be there by chance."""
SHARE = 0.5
"""Of what is left of a tensor's bytes when they are packed, a file has at least so much: others may pack better."""
KEPT = 0.5
"""Of the bytes that only the graph holds: where memory grows by more, they are still there."""
LEAST_HELD = 3 * 2**20


def judge(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when what was seen from outside is so."""
    packed = case.trials
    if not all(trial.is_packed for trial in packed):
        message = say("pack_hook does not run to its end")
        return CheckResult(ID, "failed", 0.0, message, "observed")
    findings: dict[str, Finding] = {}
    for trial in packed:
        for finding in _of(case, trial):
            findings.setdefault(finding.kind, finding)
    if "in-memory" not in findings and case.trials[0].facts.fault is None:
        for emptied in case.emptied:
            for finding in _kept(case, emptied):
                findings.setdefault(finding.kind, finding)
    details = {"memory": [_memory(emptied) for emptied in case.emptied]}
    if not findings:
        message = say("tensors of {threshold} elements or more are on disk, and no others",
                      threshold=packed[0].reference.threshold)  # fmt: skip
        return CheckResult(ID, "passed", 1.0, message, "observed", (), details)
    told = tuple(findings.values())
    outcome, credit, counts = credited(rules, len(told))
    return CheckResult(
        ID, outcome, credit, told[0].message, "observed", told, details, faults=counts
    )


def _of(case: TrialCase, trial: Trial) -> Iterator[Finding]:
    reference, facts = trial.reference, trial.facts
    large, limit = reference.large, reference.threshold
    if trial.file_count < len(large) and not trial.is_shared:
        exact = all(save.elements == limit for save in large)
        yield Finding(
            "in-memory",
            say("a tensor of just {limit} elements is not on disk", limit=limit)
            if exact and facts.nothing
            else say("torch saves {count} tensors of {limit} elements or more, and there are {files} files",
                     count=len(large), limit=limit, files=trial.file_count),
            place=case.pack,
            hint=say("write tensors of {limit} elements or more to files, whatever they are, "
                     "and keep nothing of them but the name", limit=limit),
        )  # fmt: skip
    elif not facts.nameless and _too_small(trial):
        yield Finding(
            "too-small",
            say("the files have fewer bytes than the tensors that they are to hold"),
            place=case.call_of(()),
            hint=say("write all numbers of the tensor to its file"),
        )
    found = not large and trial.file_count
    found = found or facts.small
    found = found or any(
        len(save.content) >= SMALLEST and trial.on_disk(save.content) for save in reference.small
    )
    if found:
        yield Finding(
            "small-on-disk",
            say("a tensor of fewer than {limit} elements is on disk", limit=limit),
            place=case.pack,
            hint=say("return it, or `x.detach()`, if `x.numel() < {limit}`: `numel()` counts "
                     "all elements, not those of one dimension", limit=limit),
        )  # fmt: skip


def _too_small(trial: Trial) -> bool:
    """Whether the files, from the largest on, have not room for the tensors, packed however well."""
    saves = sorted((save.packed for save in trial.reference.large), reverse=True)
    sizes = {file.number: file.size for file in trial.files}
    files = sorted(sizes.values(), reverse=True)
    return any(file < SHARE * save for file, save in zip(files, saves, strict=False))


def _kept(case: TrialCase, large: EmptiedTrial) -> Iterator[Finding]:
    """What a run shows whose files were emptied."""
    facts = large.facts
    if facts and facts.fault is not None and facts.step == "pack":
        text = f"{facts.fault.kind}: {facts.fault.message}"
        yield Finding(
            "raises",
            say(
                "pack_hook raises {text} (in the run `{label}`)",
                text=text,
                label=large.reference.label,
            ),
            place=case.place(facts.fault.site) or case.pack,
            hint=say("write tensors of any size"),
        )
        return
    if facts and facts.kept and facts.lost:
        yield _not_read(case, say_count(
            "{count} tensor comes back though the grader had emptied all files: it is also in memory",
            "{count} tensors come back though the grader had emptied all files: they are also in memory",
            facts.kept,
        ))  # fmt: skip
        return
    if facts and facts.fault is None and facts.gradients and not facts.lost:
        trial = Trial(large.reference, facts, large.stops)
        if next(_different(case, trial, facts.gradients, ""), None) is None:
            yield _not_read(case, say(
                "the gradients are right though the grader had emptied all files: the tensors are also in memory"))  # fmt: skip
            return
    taken = _memory(large)
    if taken is not None and taken["grown"] - taken["value"] > KEPT * taken["held"]:
        yield Finding(
            "kept",
            say("the process has {grown:.0f} MB more once {held:.0f} MB of saved tensors are on disk: they are "
                "also in memory", grown=taken["grown"] / 2**20, held=taken["held"] / 2**20),
            place=case.pack,
            hint=say("keep no tensor in a list, a dict or an attribute: what pack_hook returns is all that is "
                     "needed"),
        )  # fmt: skip


def _not_read(case: TrialCase, message: str) -> Finding:
    return Finding(
        "not-read",
        message,
        place=case.unpack,
        hint=say("read the tensor from its file in unpack_hook, and keep nothing but the name in "
                 "pack_hook"),
    )  # fmt: skip


def _memory(large: EmptiedTrial) -> dict[str, int] | None:
    """What the process's own memory grew by, by the kernel, in bytes; None where it was not measured, or too little
    is held by the graph alone."""
    if large.reference.held < LEAST_HELD or "start" not in large.stops:
        return None
    before, after = large.stops["start"].memory, large.stops["packed"].memory
    if not before or not after:
        return None
    grown = after - before
    return {"grown": grown, "held": large.reference.held, "value": large.reference.value}
