"""Whether the reports that were asked for can be written, before an hour of grading; and take the
place of nothing but an older report on the same submissions."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

import pytest

from ..classroom import ClassPlan
from ..classroom.names import ARCHIVE, MODEL
from ..errors import UsageProblem
from ..messages import say, say_count
from ..model.formats import is_folder
from ..options import TERMINAL, ReportTarget, Settings
from ..reports import SINGLE
from ..reports.document import graded_paths
from ..reports.gradebook import PRESETS, Gradebook, read_gradebook
from ..reports.writing import check_folder
from ..resume import Journal


def journal_path(reports: Iterable[ReportTarget]) -> Path | None:
    """Where the journal of a run lies: beside its first report that goes to no device."""
    paths = (target.path for target in reports if not is_device(target.path))
    return next((path.with_name(f"{path.name}.journal") for path in paths), None)


def is_device(path: Path) -> bool:
    """Whether a report is written to it as it is: the terminal, a device, a pipe. /dev/stdout may
    lead to a file."""
    if path == TERMINAL:
        return True
    is_file = path.is_file() and not path.is_relative_to("/dev")
    return path.exists() and not is_file and not path.is_dir()


def inputs_of(settings: Settings, config: pytest.Config) -> dict[str, list[Path]]:
    """What a run reads, by what it is: no report may take its place."""
    start = config.invocation_params.dir
    files = {
        "the roster": settings.roster,
        "the assignment": settings.assignment,
        "the rubric": settings.rubric,
        "the gradebook": settings.gradebook,
        "the folder of variants": settings.variants,
        "what pytest takes its settings from": config.inipath,
    }
    return {
        **{what: [path] for what, path in files.items() if path is not None},
        "what is graded": [start / argument.partition("::")[0] for argument in config.args],
    }


def check_report_targets(
    settings: Settings, inputs: Mapping[str, Sequence[Path]], suffixes: Collection[str]
) -> None:
    """Raises UsageProblem if a report could not be written, or would take the place of something
    else: of `inputs`, of another report, of a submission or a task, whose names end in `suffixes`,
    of a file that is no report. Leaves no trace: folders are made when the report is."""
    targets = [target for target in settings.report if not is_device(target.path)]
    for target in targets:
        path = target.path
        label = f"--backprop-report {target.format}:{path}"
        if path.is_dir() and not is_folder(target.format):
            raise UsageProblem(f"{label}: that is a folder", "add the name of a file")
        for name in (path.name, os.path.basename(os.path.realpath(path))):
            if os.path.splitext(name)[1].lower() in (*suffixes, ARCHIVE, MODEL):
                raise UsageProblem(
                    f"{label}: {name} is a submission, a task or a model by its name, and no "
                    "report",
                    "give the report another name",
                )
        others = [other.path for other in targets if other is not target]
        _check_replaces(path, label, {**inputs, "another report": others})
        try:
            if is_folder(target.format):
                check_folder(path)
            elif target.format == "json":
                graded_paths(path)
        except UsageProblem as problem:
            raise UsageProblem(f"{label}: {problem.message}", problem.way_out) from None
        nearest = next(parent for parent in path.absolute().parents if parent.exists())
        try:
            # An attempt, as permission bits tell nothing to root or on a read-only disk.
            with tempfile.TemporaryFile(dir=nearest):
                pass
        except OSError as error:
            raise UsageProblem(
                f"{label}: cannot write in {nearest}: {error.strerror or error}",
                "choose a path in a folder you may write to",
            ) from None
    if (journal := journal_path(settings.report)) is not None:
        _check_replaces(journal, f"the journal {journal}", inputs)
    gradebook_of(settings)


def gradebook_of(settings: Settings) -> Gradebook | None:
    """The gradebook to fill in, None if there is none.

    Raises UsageProblem if it cannot be read, or if no report would be that gradebook filled in."""
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
            f"--backprop-gradebook: {path} is {gradebook.kind.title()}'s, and no report fills it "
            "in",
            f"give --backprop-report {format}:PATH, too",
        )
    return gradebook


def _check_replaces(path: Path, label: str, others: Mapping[str, Sequence[Path]]) -> None:
    """Raises UsageProblem if `path` is one of `others` or a folder that one lies in, by whatever
    name: another spelling, a link, other letters, which some disks take for the same."""
    name = os.path.realpath(path).casefold()
    for what, paths in others.items():
        for each in paths:
            is_same = path.exists() and each.exists() and path.samefile(each)
            if is_same or Path(os.path.realpath(each).casefold()).is_relative_to(name):
                raise UsageProblem(
                    f"{label}: the report would take the place of {what}, {each}",
                    "give the report a path of its own",
                )


# -- earlier reports ----------------------------------------------------------------------------


def refuse_to_lose_grades(
    reports: Collection[ReportTarget],
    plan: ClassPlan,
    submissions: Collection[str],
    journal: Journal,
) -> None:
    """Raises UsageProblem where an earlier report has submissions that this run, which grades
    `submissions`, would leave out: a report is written whole.

    A JSON report says what is in it; for others the journal does. What this run was to grade and
    is there no more may be left out."""
    earlier = [
        target
        for target in reports
        if target.format not in SINGLE and not is_device(target.path) and _is_written(target.path)
    ]
    if not earlier:
        return
    read = [target for target in earlier if target.format == "json"]
    paths = {path for target in read for path in graded_paths(target.path)}
    paths = paths if read else set(journal.entries())
    lost = sorted(path for path in paths.difference(submissions) if not _is_gone(path, plan))
    if lost:
        raise UsageProblem(
            say_count(
                "the report {report} has {count} more submission, as {path}, which this run does "
                "not grade",
                "the report {report} has {count} more submissions, as {path}, which this run does "
                "not grade",
                len(lost),
                report=(read or earlier)[0].path,
                path=lost[0],
            ),
            say(
                "grade the whole class, with --backprop-resume what is new alone; or give "
                "--backprop-report another path, or remove that report"
            ),
        )


def _is_written(path: Path) -> bool:
    if path.is_dir():
        return any(path.iterdir())
    return path.exists() and path.stat().st_size > 0


def _is_gone(path: str, plan: ClassPlan) -> bool:
    """Whether what this run was given had that submission once, and has it no more."""
    whole = Path(os.path.join(plan.top, path))
    around = {str(whole), *map(str, whole.parents)}
    if not around.intersection(plan.arguments) or path in plan.handed:
        return False
    # of what students of an LMS handed in, files stay that are not chosen any more
    chosen = (str(Path(plan.top, arrival.path)) for arrival in plan.arrivals)
    return bool(around.intersection(chosen)) or not os.path.isfile(whole)
