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


def graded_folders(
    arguments: Iterable[str], start: Path, *, beside_zips: bool = True
) -> list[Path]:
    """The folders that hold submissions, for those of pytest's paths that are there.

    A path may have a `::check`. Of a file it is the folder that the file is in; of a zip, too, with
    `beside_zips`, and without, a zip is a folder by itself.
    """
    folders = []
    for argument in arguments:
        asked = start / argument.partition("::")[0]
        path = next(place for place in (asked, *asked.parents) if os.path.lexists(place))
        # not Path.resolve: it raises for a circle of links
        target = Path(os.path.realpath(path))
        if os.path.isdir(target):
            folders += [target] if path == asked else []
        elif beside_zips or path.suffix.lower() != ".zip":
            # a link is among submissions, and so is what it leads to
            folders += [target.parent, Path(os.path.realpath(path.parent))]
    return folders


def lies_in(path: Path, folders: Iterable[Path]) -> bool:
    """Whether a path is one of `folders`, or in one."""
    target = Path(os.path.realpath(path))
    return any(folder in (target, *target.parents) for folder in folders)


def check_ini(ini: Path | None, folders: Sequence[Path], start: Path, chosen: bool) -> None:
    """Raises UsageProblem when pytest is about to obey an ini file from among the submissions.

    One in the folder where pytest was started or above it, or `chosen` with -c, is the user's own.
    """
    if ini is None or chosen:
        return
    here = start.resolve()
    if ini.resolve().parent in (here, *here.parents):
        return
    if lies_in(ini, folders):
        raise UsageProblem(
            f"{ini} lies among the submissions, and pytest would take its settings from it",
            "name the file that you mean with -c FILE (-c /dev/null for none), or remove it",
        )


def forget_folders(folders: Sequence[Path]) -> None:
    """Takes the folders that hold submissions off `sys.path`: a `torch.py` there is not torch."""
    held = {os.path.realpath(folder) for folder in folders}
    sys.path[:] = [entry for entry in sys.path if os.path.realpath(entry or ".") not in held]
