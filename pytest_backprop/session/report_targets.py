"""Whether the reports that were asked for can be written, before an hour of grading."""

from __future__ import annotations

import tempfile

from ..errors import UsageProblem
from ..model.formats import is_folder
from ..options import ReportTarget, Settings
from ..reports.folder import check_folder
from ..reports.gradebook import PRESETS, Gradebook, read_gradebook


def check_report_targets(settings: Settings) -> None:
    """Raises UsageProblem if a report could not be written. Leaves no trace: folders are made when
    the report is."""
    for target in settings.report:
        path = target.path
        label = f"--backprop-report {target.format}:{path}"
        if is_folder(target.format):
            try:
                check_folder(path)
            except UsageProblem as problem:
                raise UsageProblem(f"{label}: {problem.message}", problem.way_out) from None
        elif path.is_dir():
            raise UsageProblem(f"{label}: that is a folder", "add the name of a file")
        # A device (/dev/stdout) is written to as it is.
        elif path.exists() and not path.is_file():
            continue
        _check_writable(target, label)
    gradebook_of(settings)


def gradebook_of(settings: Settings) -> Gradebook | None:
    """The gradebook to fill in, None if there is none.

    Raises UsageProblem if it cannot be read, or if no report would be that gradebook filled in.
    """
    path = settings.gradebook
    if path is None:
        if settings.gradebook_column is not None:
            raise UsageProblem(
                f"--backprop-gradebook-column is {settings.gradebook_column!r}, but there is no "
                "gradebook",
                "give --backprop-gradebook FILE, too",
            )
        return None
    gradebook = read_gradebook(path, settings.gradebook_column)
    format = next(name for name, kind in PRESETS.items() if kind == gradebook.kind)
    if not any(target.format == format for target in settings.report):
        raise UsageProblem(
            f"--backprop-gradebook: {path} is {gradebook.kind.title()}'s, and no report fills it in",
            f"give --backprop-report {format}:PATH, too",
        )
    if any(target.path.resolve() == path.resolve() for target in settings.report):
        raise UsageProblem(
            f"--backprop-gradebook: a report would replace {path}", "write it to another path"
        )
    return gradebook


def _check_writable(target: ReportTarget, label: str) -> None:
    nearest = next(parent for parent in target.path.absolute().parents if parent.exists())
    try:
        # An attempt, as permission bits tell nothing to root or on a read-only disk.
        with tempfile.TemporaryFile(dir=nearest):
            pass
    except OSError as error:
        raise UsageProblem(
            f"{label}: cannot write in {nearest}: {error.strerror or error}",
            "choose a path in a folder you may write to",
        ) from None
