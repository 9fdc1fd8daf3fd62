"""A judge's own side: has the graders, and answers what is asked of judges."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ...errors import GraderFault, UsageProblem
from ...model import Grade
from ...processes.client import Worker
from ...processes.limits import limit_memory
from ...processes.protocol import Broke, NoMemory
from .judges import MEMORY, Answer, Ask, Build, Done, Prepare, Setup, Usage

if TYPE_CHECKING:
    from ..pipeline import Grader


def build_by(setup: Setup) -> Build:
    """How graders are made in a process that is told the setup."""

    def build(children: Worker) -> list[Grader]:
        from ...exercises import BUILT_IN

        folder = Path(os.fsdecode(setup.bank))
        kinds = {part.kind: BUILT_IN[part.kind] for part in setup.parts}
        banks = {kind: exercise.load_bank(folder) for kind, exercise in kinds.items()}
        return setup.graders(kinds, banks, children)

    return build


class Judging:
    """Prepares tasks and grades submissions."""

    def __init__(self, build: Build, children: Worker, is_alone: bool) -> None:
        """`children` runs submissions. `is_alone`: these are no descendants of a judge, which then
        can be limited."""
        self.graders: Sequence[Grader] | Exception
        self._is_alone = is_alone
        with contextlib.suppress(GraderFault, OSError):  # is tried again when it is needed
            children.start()
        try:
            import torch

            torch.set_num_threads(1)
            self.graders = build(children)
        except Exception as problem:  # is told with each grade
            self.graders = problem

    def answer(self, request: Ask | Prepare) -> Answer:
        """Does what is asked."""

        def prepare(graders: Sequence[Grader]) -> None:
            assert isinstance(request, Prepare)
            for part, grader in enumerate(graders):
                grader.prepare(name for asked, name in request.tasks if asked == part)

        def grade(graders: Sequence[Grader]) -> Grade:
            assert isinstance(request, Ask)
            if self._is_alone:
                limit_memory(MEMORY)
            grader, path = graders[request.brief.part], Path(os.fsdecode(request.path))
            return grader.grade(path, request.shown, request.brief)

        return self._asked(grade if isinstance(request, Ask) else prepare)

    def _asked(self, ask: Callable[[Sequence[Grader]], Grade | None]) -> Answer:
        try:
            if isinstance(self.graders, Exception):
                raise self.graders
            return Done(msgspec.json.encode(ask(self.graders)))
        except MemoryError:
            return NoMemory()
        except UsageProblem as problem:
            return Usage(problem.message, problem.way_out)
        except GraderFault as fault:
            return Broke(str(fault))
        except Exception as error:
            return Broke(f"{type(error).__name__}: {error}")
