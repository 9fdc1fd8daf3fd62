"""Why a worker of a cluster may not grade, for whoever runs it."""

from __future__ import annotations

from ..errors import UsageProblem
from ..grading.judge.protocol import JudgeFault, Usage
from ..messages import say
from ..worker.sandbox import is_full
from .protocol import Answer, ClusterSetup, Enrolled


def refused(address: str, answer: Answer, setup: ClusterSetup, sandbox: str) -> UsageProblem:
    """The problem with a worker that does not fit. `sandbox` is the level that the others reach."""
    if isinstance(answer, Usage):
        return UsageProblem(
            say("the Dask worker {address} cannot grade: {reason}", address=address, reason=answer.message),
            answer.way_out,
        )  # fmt: skip
    if not isinstance(answer, Enrolled):
        reason = answer.message if isinstance(answer, JudgeFault) else type(answer).__name__
        return UsageProblem(
            say("the Dask worker {address} cannot grade: {reason}", address=address, reason=reason),
            say("install pytest-backprop where it runs, as here, and start it again"),
        )
    if answer.versions != setup.versions:
        return UsageProblem(
            say(
                "the Dask worker {address} has another version: {versions}",
                address=address,
                versions=", ".join(_differences(answer, setup)),
            ),
            say(
                "install there what is here and start it again, or start the cluster without it: a grade "
                "must not depend on which worker it came from"
            ),
        )
    if setup.required and not is_full(answer.sandbox):
        return UsageProblem(
            say(
                "--backprop-sandbox: 'require', but the Dask worker {address} reaches {level!r} only",
                address=address,
                level=answer.sandbox,
            ),
            say(
                "run workers on Linux 5.13 or later with Landlock and libseccomp, or use auto where you can "
                "lose the machine"
            ),
        )
    return UsageProblem(
        say(
            "the Dask worker {address} reaches the sandbox {level!r}, the others {others!r}",
            address=address,
            level=answer.sandbox,
            others=sandbox,
        ),
        say("start workers on machines of one kind, or give --backprop-sandbox off"),
    )


def _differences(answer: Enrolled, setup: ClusterSetup) -> list[str]:
    names = dict.fromkeys((*setup.versions, *answer.versions))
    told = []
    for name in names:
        there, here = answer.versions.get(name), setup.versions.get(name)
        if there != here:
            told.append(
                say("{package} {there} (here {here})", package=name, there=there, here=here)
            )
    return told
