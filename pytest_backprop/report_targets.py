"""Whether the reports that were asked for can be written, before an hour of grading."""

from __future__ import annotations

import tempfile

from .errors import UsageProblem
from .options import FOLDER, FORMATS, ReportTarget, Settings
from .reports.folder import check_folder


def check_report_targets(settings: Settings) -> None:
    """Raises UsageProblem if a report could not be written. Leaves no trace: folders are made when
    the report is."""
    for target in settings.report:
        path = target.path
        label = f"--backprop-report {target.format}:{path}"
        if FORMATS[target.format] == FOLDER:
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
