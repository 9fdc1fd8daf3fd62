"""The checks of hooks for saved tensors: what is on disk, what is left there, and what the hooks
change.

The grader lists the files itself while the child has stopped. In one run it empties them before the
backward: whoever still has the right gradients did not read them. `gradient` compares the
gradients, `case` is what all checks are given.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from ....judging.credit import by_findings
from ....messages import say, say_count
from ....model import CheckResult, CheckRules, Finding
from ..facts import DROPPED, GRAPHS, RAISES
from . import gradient
from .case import EmptiedTrial, Trial, TrialCase

COMPRESSED = 0.5
"""A file has at least this share of a tensor's bytes as zlib packs them: others may pack better."""
HELD = 0.5
"""Tensors are kept in memory where this share of their storages is alive."""
WRITERS = (
    "save",
    "save_file",
    "savez",
    "savez_compressed",
    "tofile",
    "dump",
    "write_bytes",
    "write",
)
REMOVERS = ("remove", "unlink", "rmtree", "cleanup")


def judge_threshold(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when tensors of as many elements as the threshold, or more, are on disk and nowhere
    else, and others are not on disk."""
    if not all(trial.is_packed for trial in case.trials):
        return _failed("threshold", say("pack_hook does not run to its end"))
    findings = [finding for trial in case.trials for finding in _misplaced(case, trial)]
    if all(f.kind != "in-memory" for f in findings) and case.trials[0].facts.fault is None:
        unread = [finding for emptied in case.emptied for finding in _unread(case, emptied)]
        findings += unread or _kept(case)
    message = say(
        "tensors of {threshold} elements or more are on disk, and no others",
        threshold=case.trials[0].reference.threshold,
    )
    kinds: dict[str, Finding] = {}
    for finding in findings:
        kinds.setdefault(finding.kind, finding)
    return by_findings("threshold", rules, list(kinds.values()), message)


def _misplaced(case: TrialCase, trial: Trial) -> Iterator[Finding]:
    """Tensors that are not where they should be, by the files that there are."""
    reference, sizes = trial.reference, trial.file_sizes
    large, limit = reference.large, reference.threshold
    if len(sizes) < len(large) and not trial.is_shared:
        yield Finding(
            "in-memory",
            say("a tensor of just {limit} elements is not on disk", limit=limit)
            if all(save.elements == limit for save in large)
            else say(
                "torch saves {count} tensors of {limit} elements or more, and there are {files} "
                "files",
                count=len(large),
                limit=limit,
                files=len(sizes),
            ),
            place=case.pack,
            hint=say(
                "write tensors of {limit} elements or more to files, whatever they are, "
                "and keep nothing of them but the name",
                limit=limit,
            ),
        )
    else:
        packed = sorted((len(zlib.compress(save.content)) for save in large), reverse=True)
        if any(size < COMPRESSED * least for size, least in zip(sizes, packed, strict=False)):
            yield Finding(
                "too-small",
                say("the files have fewer bytes than the tensors that they are to hold"),
                place=case.pack,
                hint=say("write all numbers of the tensor to its file"),
            )
    if trial.facts.small:
        yield Finding(
            "small-on-disk",
            say("a tensor of fewer than {limit} elements is on disk", limit=limit),
            place=case.pack,
            hint=say(
                "return it, or `x.detach()`, if `x.numel() < {limit}`: `numel()` counts "
                "all elements, not those of one dimension",
                limit=limit,
            ),
        )


def _unread(case: TrialCase, emptied: EmptiedTrial) -> Iterator[Finding]:
    """Tensors that came back from empty files."""
    facts = emptied.facts
    if not facts:
        return
    if facts.from_memory and facts.lost:
        message = say_count(
            "{count} tensor comes back though the grader had emptied all files: it is also in "
            "memory",
            "{count} tensors come back though the grader had emptied all files: they are also in "
            "memory",
            facts.from_memory,
        )
    elif facts.fault or facts.lost or any(gradient.differences(case, emptied.reference, facts)):
        return
    else:
        message = say(
            "the gradients are right though the grader had emptied all files: the tensors are "
            "also in memory"
        )
    hint = say(
        "read the tensor from its file in unpack_hook, and keep nothing but the name in pack_hook"
    )
    yield Finding("not-read", message, place=case.unpack, hint=hint)


def _kept(case: TrialCase) -> list[Finding]:
    """Tensors that stay in memory, beside files which are read."""
    kept = [t.facts for t in case.trials if 0 < HELD * t.facts.storages <= t.facts.alive]
    return [
        Finding(
            "kept",
            say(
                "of {count} large tensors and copies of them {alive} are still in memory when all "
                "is "
                "on disk",
                alive=facts.alive,
                count=facts.storages,
            ),
            place=case.pack,
            hint=say(
                "keep no tensor in a list, a dict or an attribute: what pack_hook returns is all "
                "that is needed"
            ),
        )
        for facts in kept[:1]
    ]


def judge_release(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when each file is gone when its graph is freed: after backward, without one, and when
    backward raises."""
    if not case.writes:
        return _not_counted("release")
    messages = [message for trial in case.trials for message in _left(trial)]
    messages = messages or [
        say("{file} is left in the folder after the run", file=file.path[:80])
        for file in case.left[:1]
    ]
    hint = say(
        "return an object of a class from pack_hook that removes its file in "
        "__del__, or with `weakref.finalize`: it goes when the graph goes"
    )
    place = case.call_of(*REMOVERS)
    findings = {text: Finding("left", text, place=place, hint=hint) for text in messages}
    return by_findings(
        "release", rules, list(findings.values()), say("each file is gone when its graph is freed")
    )


def _left(trial: Trial) -> Iterator[str]:
    """What is said of files that are still there."""
    variation, stops = trial.reference.variation, trial.stops
    if trial.facts.fault is not None:
        return  # an error may hold what it came through
    if stops["freed"]:
        yield {
            DROPPED: say("files are left when the value is dropped without a backward"),
            RAISES: say("files are left when an error ends the backward"),
        }.get(variation, say("files are left after the backward"))
    elif variation == GRAPHS:
        packed, half = len(stops["packed"]), len(stops["half"])
        if half > packed - packed // 3:
            yield say("files of one graph are left as long as there is another")


def judge_files(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when two saves never share a file."""
    if not case.writes:
        return _not_counted("files")
    shared = [trial for trial in case.trials if trial.is_packed and trial.is_shared]
    findings = {}
    for trial in shared[:1]:
        message = say(
            "{count} saves are in {files} files (in the run `{label}`)",
            count=len(trial.reference.large),
            files=len(trial.file_sizes),
            label=trial.reference.label,
        )
        hint = say(
            "make a new name for each save that nobody else has: "
            "`tempfile.mkstemp()` or `uuid.uuid4()`; `id(x)` and counters come again"
        )
        place = case.call_of(*WRITERS)
        findings["shared-file"] = Finding("shared-file", message, place=place, hint=hint)
    return by_findings(
        "files", rules, list(findings.values()), say("each save has a file of its own")
    )


def judge_integrity(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when no tensor was changed; notes where a graph would hold itself."""
    if any(trial.facts.changed for trial in case.trials):
        message = say("pack_hook changes the tensor that it is given")
        hint = say("write and return it as it is: it is the model's own, not a copy")
        finding = Finding("mutation", message, place=case.pack, hint=hint)
        return _failed("integrity", message, (finding,), {"gate": say("the hooks change tensors")})
    notes: tuple[Finding, ...] = ()
    if any(trial.facts.itself for trial in case.trials):
        message = say(
            "pack_hook returns the very tensor that it is given: a result of the op then holds the "
            "graph, and the graph holds the result, so that nothing of it is freed without a "
            "backward"
        )
        hint = say("return `x.detach()`")
        notes = (Finding("cycle", message, level="note", place=case.pack, hint=hint),)
    message = say("the hooks leave tensors as they are")
    return CheckResult("integrity", "passed", 1.0, message, "observed", notes)


def _failed(
    id: str, message: str, findings: tuple[Finding, ...] = (), details: dict[str, Any] | None = None
) -> CheckResult:
    return CheckResult(id, "failed", 0.0, message, "observed", findings, details or {})


def _not_counted(id: str) -> CheckResult:
    return _failed(id, say("not counted: no file was written"))


CHECKS: Mapping[str, Callable[[Any, CheckRules], CheckResult]] = MappingProxyType(
    {
        "gradient": gradient.judge,
        "threshold": judge_threshold,
        "release": judge_release,
        "files": judge_files,
        "integrity": judge_integrity,
    }
)

__all__ = ["CHECKS", "EmptiedTrial", "Trial", "TrialCase"]
