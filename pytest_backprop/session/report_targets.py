"""Whether the reports that were asked for can be written, before an hour of grading; and take the place of
nothing but an older report."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest

from ..classroom.names import ARCHIVE, MODEL
from ..errors import UsageProblem
from ..model.formats import is_folder
from ..options import ReportTarget, Settings
from ..reports.gradebook import PRESETS, Gradebook, read_gradebook
from ..reports.json_report import check_replaceable
from ..reports.writing import check_folder
from ..resume.journal import place


def inputs_of(settings: Settings, config: pytest.Config) -> dict[str, list[Path]]:
    """What a run reads, by what it is: no report may take its place."""
    start = config.invocation_params.dir
    return {
        "the roster": [] if settings.roster is None else [settings.roster],
        "the rubric": [] if settings.rubric is None else [settings.rubric],
        "the gradebook": [] if settings.gradebook is None else [settings.gradebook],
        "the folder of variants": [settings.variants],
        "what pytest takes its settings from": [] if config.inipath is None else [config.inipath],
        "what is graded": [start / argument.partition("::")[0] for argument in config.args],
    }


def check_report_targets(
    settings: Settings, inputs: Mapping[str, Sequence[Path]], suffixes: Collection[str]
) -> None:
    """Raises UsageProblem if a report could not be written, or would take the place of something else: of
    `inputs`, of a submission or a task, whose names end in `suffixes`, of a file that is no report. Leaves no
    trace: folders are made when the report is."""
    journal = place(settings.report)
    for target in settings.report:
        path = target.path
        label = f"--backprop-report {target.format}:{path}"
        if is_device(path):
            continue
        if path.is_dir() and not is_folder(target.format):
            raise UsageProblem(f"{label}: that is a folder", "add the name of a file")
        _check_name(path, label, (*suffixes, ARCHIVE, MODEL))
        _check_no_input(path, label, inputs)
        if is_folder(target.format):
            try:
                check_folder(path)
            except UsageProblem as problem:
                raise UsageProblem(f"{label}: {problem.message}", problem.way_out) from None
        elif target.format == "json":
            check_replaceable(path)
        _check_writable(target, label)
    if journal is not None:
        _check_no_input(journal, f"the journal {journal}", inputs)
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
    return gradebook


def is_device(path: Path) -> bool:
    """Whether a report is written to it as it is: a device, a pipe. /dev/stdout may lead to a file."""
    is_file = path.is_file() and not path.is_relative_to("/dev")
    return path.exists() and not is_file and not path.is_dir()


def _check_name(path: Path, label: str, suffixes: Collection[str]) -> None:
    for name in (path.name, os.path.basename(os.path.realpath(path))):
        if os.path.splitext(name)[1].lower() in suffixes:
            raise UsageProblem(
                f"{label}: {name} is a submission, a task or a model by its name, and no report",
                "give the report another name",
            )


def _check_no_input(path: Path, label: str, inputs: Mapping[str, Sequence[Path]]) -> None:
    """By whatever name a file has: another spelling, a link, other letters on a disk that takes them for the
    same. A folder takes the place of all that lies in it."""
    for what, paths in inputs.items():
        for each in paths:
            real = Path(os.path.realpath(each))
            if any(_is_same(path, here) for here in (real, *real.parents)):
                raise UsageProblem(
                    f"{label}: the report would take the place of {what}, {each}",
                    "give the report a path of its own",
                )


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:  # one is not there
        return os.path.realpath(one) == os.path.realpath(other)


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
