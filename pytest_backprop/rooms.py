"""The rooms beside the core, as the functions that grading and reports ask of them.

`repair/`, `onnx/` and `likeness/` build on the core, and no module of the core imports them: a
function of theirs is named here, and its room is imported when it is first called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from .exercises.base import later

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
    from pathlib import Path

    from .classroom import HandIn
    from .exercises.functions.bank import Variant
    from .judging.case import Case, Located, PassCase
    from .model import CheckResult, CheckRules, Grade, MethodName
    from .model.drawing import Drawing
    from .model.verdict import Trait
    from .processes.client import Worker
    from .processes.protocol import Limits
    from .reports.document import AlikeInfo, Document


class ModelJudge(Protocol):
    """Judges the models of submissions. `workers` have what exports and evaluates them."""

    workers: tuple[Worker, ...]

    def check(self, model: bytes, variant: Variant) -> Callable[[Case, CheckRules], CheckResult]:
        """The check `onnx` of a submission; `model` is what `find_model` gave."""


PRELOADED = ("pytest_backprop.repair.faulty_lines", "pytest_backprop.likeness.traits")
"""Modules of the process from which judges are forked, so that none imports them."""

locate: Callable[[Sequence[Case], Sequence[Variant], MethodName], Located] = later(
    PRELOADED[0], "locate"
)
"""Where a method goes wrong that is, from its cases at all sizes; the bank has the tasks that it
may be right for."""
traits: Callable[[PassCase], tuple[Trait, ...]] = later(PRELOADED[1], "traits_of")
"""What a pass may share with another of its task."""
compare: Callable[[Collection[Grade]], AlikeInfo] = later(
    "pytest_backprop.likeness.comparison", "compare"
)
"""Those of a class that share too much."""
alike_pages: Callable[[Document, Mapping[str, Drawing]], Iterable[tuple[str, bytes]]] = later(
    "pytest_backprop.likeness.page", "files"
)
"""Files of the HTML report on them, by name."""
find_model: Callable[[Path, HandIn | None], bytes] = later(
    "pytest_backprop.onnx.model_file", "find_model"
)
"""The model that was handed in with a submission, as bytes that the room alone reads."""
models: Callable[[int, str | None, Limits, tuple[str, ...]], ModelJudge] = later(
    "pytest_backprop.onnx.models", "Models"
)
"""A judge of models, from the seed, the name of the class, the limits and the names that a pass may
have. Raises UsageProblem where a package is missing."""
