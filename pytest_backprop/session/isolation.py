"""Keeps submissions out of the grader's own process, where pytest itself would let them in.

pytest takes its configuration from the folders it is pointed at, and Python imports from the folder
it is started in. Under `--backprop` those folders hold students' files.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from ..errors import UsageProblem


def graded_folders(arguments: Iterable[str], start: Path) -> list[Path]:
    """The folders that hold submissions, given pytest's paths (with or without `::check`)."""
    found = []
    for argument in arguments:
        # not Path.resolve: it raises for a circle of links
        path = Path(os.path.realpath(start / argument.partition("::")[0]))
        found.append(path if os.path.isdir(path) else path.parent)
    return found


def check_ini(ini: Path | None, folders: Sequence[Path], start: Path, chosen: bool) -> None:
    """Raises UsageProblem when pytest is about to obey an ini file from among the submissions.

    One in the folder where pytest was started or above it, or `chosen` with -c, is the user's own.
    """
    if ini is None or chosen:
        return
    here = start.resolve()
    if ini.resolve().parent in (here, *here.parents):
        return
    for folder in folders:
        if folder in ini.resolve().parents:
            raise UsageProblem(
                f"{ini} lies among the submissions, and pytest would take its settings from it",
                "name the file that you mean with -c FILE (-c /dev/null for none), or remove it",
            )


def forget_folders(folders: Sequence[Path]) -> None:
    """Takes the folders that hold submissions off `sys.path`: a `torch.py` there is not torch."""
    held = {os.path.realpath(folder) for folder in folders}
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry or ".") not in held]
