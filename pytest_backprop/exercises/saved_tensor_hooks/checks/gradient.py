"""`gradient`: the gradients under the student's hooks are those without hooks, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ....judging.credit import verdict
from ....messages import listed, say
from ....model import CheckResult, CheckRules, Fault, Finding, Place
from ..facts import AGAIN, BACKWARD, GRAPHS, Bits, HookFacts, HookReference
from .case import Trial, TrialCase

ID = "gradient"
COMPARED = (BACKWARD, AGAIN, GRAPHS)
"""The runs in which gradients come to an end."""
STEPS = 16
"""Of a number's last bit: another layout in memory may have another order of sums."""


def judge(case: TrialCase, rules: CheckRules) -> CheckResult:
    """Passes when they are in every run; the points are shared over the runs."""
    faults: dict[tuple[str, str, Place | None], tuple[Finding, list[str]]] = {}
    wrong = 0
    for trial in case.trials:
        finding = next(_faults(case, trial), None)
        if finding is None:
            continue
        wrong += 1
        key: tuple[str, str, Place | None] = (finding.kind, finding.message, None)
        if finding.kind == "raises":  # names of files are other names each time
            key = (finding.kind, trial.facts.step, finding.place)
        faults.setdefault(key, (finding, []))[1].append(trial.reference.label)
    total = sum(trial.reference.variation in COMPARED for trial in case.trials)
    wrong = min(wrong, total)
    findings = tuple(
        Finding(
            finding.kind,
            say("{message} (in the run `{label}`)", message=finding.message, label=labels[0]),
            place=finding.place,
            name=finding.name,
            hint=finding.hint,
        )
        for finding, labels in faults.values()
    )
    if wrong:
        names = listed([f"`{label}`" for _, labels in faults.values() for label in labels])
        message = say(
            "{wrong} of {count} runs are wrong: {names}", wrong=wrong, count=total, names=names
        )
    else:
        message = say("as without hooks, bit by bit, in {count} runs", count=total)
        findings = ()
    outcome, fraction = verdict(rules, wrong, total - wrong, total)
    details = {"runs": [trial.reference.label for trial in case.trials]}
    return CheckResult(ID, outcome, fraction, message, "replayed", findings, details)


def _faults(case: TrialCase, trial: Trial) -> Iterator[Finding]:
    facts, reference = trial.facts, trial.reference
    if facts.fault is not None:
        yield _raised(case, trial, facts.fault)
    if facts.unpacked:
        texts = {
            "type": say("unpack_hook returns no tensor"),
            "dtype": say("unpack_hook returns a tensor of another dtype than pack_hook was given"),
            "shape": say("unpack_hook returns a tensor of another shape than pack_hook was given"),
            "numbers": say("unpack_hook returns other numbers than pack_hook was given"),
        }
        text = texts.get(facts.unpacked, texts["numbers"])
        hint = say(case.exercise.wording.wrong_gradient)
        yield Finding("other-tensor", text, place=case.unpack, hint=hint)
    if reference.variation in COMPARED:
        yield from differences(case, reference, facts)
    if reference.variation == AGAIN:
        yield from differences(case, reference, facts, second=True)


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


def differences(
    case: TrialCase, reference: HookReference, facts: HookFacts, second: bool = False
) -> Iterator[Finding]:
    """The gradients of a backward, the first or the `second`, that are not those without hooks."""
    gradients = facts.second if second else facts.gradients
    for at, name in enumerate(reference.names):
        got = gradients[at] if at < len(gradients) else None
        right = reference.gradients[at]
        if got is None and not any(right.data):
            continue  # torch has none either
        if got is not None and (got == right or (_is_near(got, right) and not facts.unpacked)):
            continue
        text = say("there is none") if got is None else _difference(got, right)
        yield Finding(
            "no-gradient" if got is None else "wrong-gradient",
            say("the gradient of {name} in the second backward: {text}", name=name, text=text)
            if second
            else say(case.exercise.wording.gradient, weight=name, text=text),
            place=case.unpack,
            name=name,
            hint=say(case.exercise.wording.wrong_gradient),
        )


def _is_near(got: Bits, right: Bits) -> bool:
    """Whether only the order of sums can have been another, if the saved tensors came back bit by
    bit."""
    if (got.dtype, got.shape) != (right.dtype, right.shape) or len(got.data) != len(right.data):
        return False
    theirs, ours = _numbers(got), _numbers(right)
    allowed = STEPS * np.finfo(right.dtype).eps * np.abs(ours).max(initial=0)
    return bool((np.abs(theirs - ours) <= allowed).all())


def _difference(got: Bits, right: Bits) -> str:
    if got.dtype != right.dtype:
        return say("its dtype is {dtype}, not {wanted}", dtype=got.dtype[:40], wanted=right.dtype)
    if got.shape != right.shape or len(got.data) != len(right.data):
        shape, wanted = list(got.shape)[:8], list(right.shape)
        return say("its shape is {shape}, not {wanted}", shape=shape, wanted=wanted)
    wrong = int((_numbers(got) != _numbers(right)).sum())
    count = len(_numbers(right))
    return say(
        "{wrong} of {count} numbers differ from those without hooks", wrong=wrong, count=count
    )


def _numbers(tensor: Bits) -> np.ndarray:
    return np.frombuffer(tensor.data, dtype=tensor.dtype).astype(np.float64)
