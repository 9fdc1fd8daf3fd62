"""Where the submissions of a run are graded: by judges on this machine, or by those of a cluster."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Protocol

from ..errors import UsageProblem
from ..exercises.base import Exercise
from ..grading.judge.pool import at_a_time
from ..messages import say
from ..model import Grade
from ..options import Settings
from .plugins import Contributions


class Executor(Protocol):
    """Gives the grades of submissions. `sandbox` is the level that children reach, once it was started."""

    @property
    def sandbox(self) -> str: ...

    def start(self) -> None:
        """Is ready to grade when this returns. Raises UsageProblem, GraderFault."""

    def prepare(self, submissions: Iterable[tuple[Path, str]]) -> None:
        """Is told what there is to grade, in order. Raises UsageProblem before anything is graded."""

    def grade(self, path: Path, shown: str) -> Grade:
        """The grade of one, whatever it does. Raises UsageProblem where no more can be graded at all."""

    def close(self) -> None:
        """Ends what it started, also in the middle of a submission."""


def judges(settings: Settings) -> int:
    """How many judges may grade here at a time."""
    number = settings.executor.partition(":")[2]
    return int(number) if number else at_a_time(settings.memory_mb * 2**20)


def plan_values(settings: Settings, draws: bool) -> dict[str, Any]:
    """What settings make of a `GradingPlan`, as plain values."""
    return {
        "variant": settings.variant,
        "class_name": settings.class_name,
        "seed": settings.seed,
        "points": settings.points,
        "rtol": settings.rtol,
        "atol": settings.atol,
        "seconds": settings.timeout,
        "memory": settings.memory_mb * 2**20,
        "sandbox": settings.sandbox != "off",
        "drawing": draws,
    }


def refuse_plugins(contributions: Contributions, exercise: Exercise) -> None:
    """Raises UsageProblem for plugins that add to grading, where that is done by a cluster."""
    if plugins := contributions.judging(exercise):
        raise UsageProblem(
            say(
                "--backprop-executor: what the plugin {plugin} adds to grading is a function in this process, "
                "and cannot be sent to a cluster",
                plugin=", ".join(dict.fromkeys(plugins)),
            ),
            say("leave the plugin out, or grade here: on several cores with -n"),
        )


def refuse_workers(settings: Settings) -> None:
    """Raises UsageProblem: pytest-xdist's workers would each send what one process can send."""
    raise UsageProblem(
        say("--backprop-executor {executor} and -n: two ways to grade on several workers",
            executor=settings.executor),
        say("leave -n out: the cluster's workers grade at the same time"),
    )  # fmt: skip
