"""The checks of hooks for saved tensors: gradients, what is on disk, what is left there, and what
the hooks change.

The grader lists the files itself while the child has stopped. In one run it empties them before the
backward: whoever still has the right gradients did not read them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from ...judging.credit import by_findings, failed, verdict
from ...messages import listed, phrase, say, say_count
from ...model import CheckResult, CheckRules, Fault, Finding, Place
from .case import Trial as Trial, TrialCase as TrialCase
from .facts import AGAIN, BACKWARD, DROPPED, GRAPHS, Bits, HookFacts, HookReference

COMPARED = (BACKWARD, AGAIN, GRAPHS)
"""The runs in which gradients come to an end."""
STEPS = 16
"""Of a number's last bit: another layout in memory may have another order of sums."""
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
NO_FILE = phrase("not counted: no file was written")


# -- gradient


def judge_gradient(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when the gradients are those without hooks, bit by bit, in every run; the points are
    shared over the runs in which a tensor goes to disk."""
    findings: dict[tuple[str, Place | None], Finding] = {}
    wrong: list[str] = []
    for trial in case.trials:
        finding = next(_gradient_faults(case, trial), None)
        if finding is None:
            continue
        label = trial.reference.label
        wrong.append(f"`{label}`")
        message = say("{message} (in the run `{label}`)", message=finding.message, label=label)
        place, name = finding.place, finding.name
        told = Finding(finding.kind, message, place=place, name=name, hint=finding.hint)
        findings.setdefault((finding.kind, place), told)
    runs = [trial.reference for trial in case.trials]
    total = sum(run.variation in COMPARED and len(run.large) > 0 for run in runs)
    count = min(len(wrong), total)
    message = say("as without hooks, bit by bit, in {count} runs", count=total)
    if wrong:
        message = say(
            "{wrong} of {count} runs are wrong: {names}",
            wrong=count,
            count=total,
            names=listed(wrong),
        )
    outcome, share = verdict(rules, count, total - count, total)
    return CheckResult("gradient", outcome, share, message, "replayed", tuple(findings.values()))


def _gradient_faults(case: TrialCase, trial: Trial) -> Iterator[Finding]:
    facts = trial.facts
    if facts.fault is not None:
        yield _raised(case, trial, facts.fault)
    if facts.unpacked:
        texts = {
            "type": say("unpack_hook returns no tensor"),
            "dtype": say("unpack_hook returns a tensor of another dtype than pack_hook was given"),
            "shape": say("unpack_hook returns a tensor of another shape than pack_hook was given"),
        }
        numbers = say("unpack_hook returns other numbers than pack_hook was given")
        hint = say(case.exercise.wording.wrong_gradient)
        text = texts.get(facts.unpacked, numbers)
        yield Finding("other-tensor", text, place=case.unpack, hint=hint)
    if trial.reference.variation in COMPARED:
        yield from _differences(case, trial.reference, facts)


def _raised(case: TrialCase, trial: Trial, fault: Fault) -> Finding:
    text, step = f"{fault.kind}: {fault.message}", trial.facts.step
    if step == "pack":
        message = say("pack_hook raises {text}", text=text)
    elif step == "again":
        message = say("the second backward through one graph raises {text}", text=text)
    else:
        message = say("backward raises {text}", text=text)
    if fault.kind in ("PermissionError", "OSError", "RuntimeError") and "ermi" in fault.message:
        hint = say(
            "write into `tempfile.gettempdir()`, or into the current folder: nothing "
            "else may be written where submissions are graded"
        )
    elif step == "again":
        hint = say(
            "keep the file as long as what pack_hook returned: unpack_hook may be called more "
            "than once"
        )
    elif trial.reference.variation == GRAPHS:
        hint = say(
            "give each save a file of its own, with a name that nobody else can have, and remove "
            "that alone"
        )
    else:
        hint = say(case.exercise.wording.raises)
    usual = case.pack if step == "pack" else case.unpack
    return Finding("raises", message, place=case.place(fault.site) or usual, hint=hint)


def _differences(case: TrialCase, reference: HookReference, facts: HookFacts) -> Iterator[Finding]:
    """The gradients of each backward that are not those without hooks."""
    wording = case.exercise.wording
    for gradients in facts.gradients or ((),):
        for at, (name, right) in enumerate(zip(reference.names, reference.gradients, strict=True)):
            got = gradients[at] if at < len(gradients) else None
            wrong, count = _wrong_numbers(got, right, bool(facts.unpacked))
            if wrong:
                text = say(
                    "{wrong} of {count} numbers differ from those without hooks",
                    wrong=wrong,
                    count=count,
                )
                yield Finding(
                    "no-gradient" if got is None else "wrong-gradient",
                    say(
                        wording.gradient,
                        weight=name,
                        text=say("there is none") if got is None else text,
                    ),
                    place=case.unpack,
                    name=name,
                    hint=say(wording.wrong_gradient),
                )


def _wrong_numbers(got: Bits | None, right: Bits, is_exact: bool) -> tuple[int, int]:
    """How many numbers of a gradient are wrong, and of how many. None is right where all are zero;
    unless it `is_exact`, the order of sums may have been another."""
    ours = np.frombuffer(right.data, right.dtype).astype(np.float64)
    if got is None:
        return int(np.count_nonzero(ours)), ours.size
    if got == right:
        return 0, ours.size
    if (got.dtype, got.shape, len(got.data)) != (right.dtype, right.shape, len(right.data)):
        return ours.size, ours.size
    theirs = np.frombuffer(got.data, got.dtype).astype(np.float64)
    allowed = 0 if is_exact else STEPS * np.finfo(right.dtype).eps * np.abs(ours).max(initial=0)
    return int((~(np.abs(theirs - ours) <= allowed)).sum()), ours.size


# -- threshold


def judge_threshold(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when tensors of as many elements as the threshold, or more, are on disk and nowhere
    else, and others are not on disk."""
    if not all(trial.is_packed for trial in case.trials):
        return failed("threshold", say("pack_hook does not run to its end"))
    limit = case.trials[0].reference.threshold
    findings = [finding for trial in case.trials for finding in _misplaced(case, trial)]
    if all(f.kind != "in-memory" for f in findings) and case.trials[0].facts.fault is None:
        unread = [finding for emptied in case.emptied for finding in _unread(case, *emptied)]
        findings += unread or _kept(case)
    kinds: dict[str, Finding] = {}
    for finding in findings:
        kinds.setdefault(finding.kind, finding)
    passed = say(
        "tensors of {threshold} elements or more are on disk, and no others", threshold=limit
    )
    return by_findings("threshold", rules, list(kinds.values()), passed)


def _misplaced(case: TrialCase, trial: Trial) -> Iterator[Finding]:
    """Tensors that are not where they should be, by the files that there are."""
    large, limit = trial.reference.large, trial.reference.threshold
    if trial.files < len(large) and not trial.is_shared:
        yield Finding(
            "in-memory",
            say("a tensor of just {limit} elements is not on disk", limit=limit)
            if all(elements == limit for elements in large)
            else say(
                "torch saves {count} tensors of {limit} elements or more, and there are {files} "
                "files",
                count=len(large),
                limit=limit,
                files=trial.files,
            ),
            place=case.pack,
            hint=say(
                "write tensors of {limit} elements or more to files, whatever they are, "
                "and keep nothing of them but the name",
                limit=limit,
            ),
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


def _unread(
    case: TrialCase, reference: HookReference, facts: HookFacts | None
) -> Iterator[Finding]:
    """Tensors that came back from empty files."""
    if not facts:
        return
    if facts.gradients and not facts.lost and not any(_differences(case, reference, facts)):
        message = say(
            "the gradients are right though the grader had emptied all files: the tensors are "
            "also in memory"
        )
    elif facts.from_memory:
        message = say_count(
            "{count} tensor comes back though the grader had emptied all files: it is also in "
            "memory",
            "{count} tensors come back though the grader had emptied all files: they are also in "
            "memory",
            facts.from_memory,
        )
    else:
        return
    hint = say(
        "read the tensor from its file in unpack_hook, and keep nothing but the name in pack_hook"
    )
    yield Finding("not-read", message, place=case.unpack, hint=hint)


def _kept(case: TrialCase) -> list[Finding]:
    """Tensors that stay in memory, beside files which are read."""
    kept = [t.facts for t in case.trials if 0 < HELD * t.facts.storages <= t.facts.alive]
    hint = phrase(
        "keep no tensor in a list, a dict or an attribute: what pack_hook returns is all "
        "that is needed"
    )
    return [
        Finding(
            "kept",
            say(
                "of {count} large tensors and copies of them {alive} are still in memory when all "
                "is on disk",
                alive=facts.alive,
                count=facts.storages,
            ),
            place=case.pack,
            hint=say(hint),
        )
        for facts in kept[:1]
    ]


# -- release, files, integrity


def judge_release(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when each file is gone when its graph is freed: after backward, and without one."""
    if not case.writes:
        return failed("release", say(NO_FILE))
    messages = [message for trial in case.trials for message in _left(trial)]
    messages = messages or [
        say("{file} is left in the folder after the run", file=file.path[:80])
        for file in case.left[:1]
    ]
    hint = say(
        "return an object of a class from pack_hook that removes its file in "
        "__del__, or with `weakref.finalize`: it goes when the graph goes"
    )
    place = case.call_of(REMOVERS)
    findings = [Finding("left", text, place=place, hint=hint) for text in dict.fromkeys(messages)]
    return by_findings("release", rules, findings, say("each file is gone when its graph is freed"))


def _left(trial: Trial) -> Iterator[str]:
    """What is said of files that are still there."""
    variation, stops = trial.reference.variation, trial.stops
    if trial.facts.fault is not None:
        return  # an error may hold what it came through
    if stops["freed"] and variation == DROPPED:
        yield say("files are left when the value is dropped without a backward")
    elif stops["freed"]:
        yield say("files are left after the backward")
    elif variation == GRAPHS:
        packed, half = len(stops["packed"]), len(stops["half"])
        if half > packed - packed // 3:
            yield say("files of one graph are left as long as there is another")


def judge_files(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when two saves never share a file."""
    if not case.writes:
        return failed("files", say(NO_FILE))
    shared = [trial for trial in case.trials if trial.is_packed and trial.is_shared]
    hint = phrase(
        "make a new name for each save that nobody else has: "
        "`tempfile.mkstemp()` or `uuid.uuid4()`; `id(x)` and counters come again"
    )
    findings = [
        Finding(
            "shared-file",
            say(
                "{count} saves are in {files} files (in the run `{label}`)",
                count=len(trial.reference.large),
                files=trial.files,
                label=trial.reference.label,
            ),
            place=case.call_of(WRITERS),
            hint=say(hint),
        )
        for trial in shared[:1]
    ]
    return by_findings("files", rules, findings, say("each save has a file of its own"))


def judge_integrity(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when no tensor was changed."""
    findings, details = [], {}
    if any(trial.facts.changed for trial in case.trials):
        message = say("pack_hook changes the tensor that it is given")
        hint = say("write and return it as it is: it is the model's own, not a copy")
        findings = [Finding("mutation", message, place=case.pack, hint=hint)]
        details = {"gate": say("the hooks change tensors")}
    passed = say("the hooks leave tensors as they are")
    return by_findings("integrity", rules, findings, passed, details)


CHECKS: Mapping[str, Callable[[Any, CheckRules], CheckResult]] = MappingProxyType(
    {
        "gradient": judge_gradient,
        "threshold": judge_threshold,
        "release": judge_release,
        "files": judge_files,
        "integrity": judge_integrity,
    }
)
