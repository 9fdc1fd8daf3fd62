"""Whether a file is likely to be the submission: parsed, never run, and nothing of it is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from ..errors import SubmissionProblem
from .classes import find_classes
from .parse import parse_units
from .read import read


def likelihood(path: Path, pass_names: Sequence[str]) -> Literal["model", "unclear", "none"]:
    """`model` if a class in it has `forward` and one of `pass_names`; `none` if it reads well
    and has no such class; `unclear` if it cannot be read or parsed to its end. Raises nothing."""
    try:
        parsed = parse_units(read(path, path.name).units)
        if any(found.is_candidate() for found in find_classes(parsed, pass_names)):
            return "model"
    except (SubmissionProblem, RecursionError, MemoryError):
        return "unclear"
    return "unclear" if any(unit.problem is not None for unit in parsed) else "none"
