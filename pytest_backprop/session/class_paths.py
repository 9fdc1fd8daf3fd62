"""The paths that a run was given: what there is whose submission, and what keeps it out of pytest's
own process.

pytest takes its configuration from the folders it is pointed at, and Python imports from the folder
it is started in. Under `--backprop` those folders hold students' files."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..classroom import LINK, ClassPlan, Planner, Wanted
from ..classroom.roster import Roster
from ..classroom.roster_file import join_worksheets, load_roster
from ..errors import UsageProblem
from ..exercises.functions.bank.support import calls_in
from ..messages import say

if TYPE_CHECKING:  # `backprop grade` starts pytest, and asks for graded folders before
    import pytest

    from ..exercises.base import Exercise
    from ..options import Settings


def class_plan(
    config: pytest.Config,
    settings: Settings,
    exercises: Collection[Exercise],
    suffixes: Collection[str],
) -> ClassPlan:
    """The submissions of the run. What is in zips is unpacked into a private folder until `config`
    is unconfigured. `exercises` say what these are known by, `suffixes` are theirs.

    Raises UsageProblem for a path that is not there, and a zip of a class that cannot be read."""
    room = tempfile.TemporaryDirectory(prefix="backprop-", ignore_cleanup_errors=True)
    config.add_cleanup(room.cleanup)

    def ignored(path: Path) -> bool:
        return path.is_relative_to(settings.variants) or bool(
            config.hook.pytest_ignore_collect(collection_path=path, config=config)
        )

    wanted = wanted_of(settings.variants, exercises)
    planner = Planner(config.rootpath, Path(room.name).resolve(), ignored, wanted, suffixes)
    # as pytest makes paths: links stay as they are
    asked = [
        (Path(os.path.abspath(config.invocation_params.dir / name)), check)
        for name, _, check in (argument.partition("::") for argument in config.args)
    ]
    entire = {path for path, check in asked if not check}
    folders = {path for path, _ in asked if path.is_dir() and not path.is_symlink()}
    kept: dict[Path, Path] = {}
    checks: dict[str, list[str]] = {}
    for path, check in asked:
        if (reason := _reason(path, kept, folders)) is not None:
            planner.leave_out(planner.shown(path), reason)
            continue
        if path not in kept.values() and not folders.intersection(path.parents):
            planner.add(path)
        kept.setdefault(Path(os.path.realpath(path)), path)
        if not entire.intersection((path, *path.parents)):
            checks.setdefault(planner.shown(path), []).append(check)
    plan = replace(planner.plan(), checks={shown: tuple(ids) for shown, ids in checks.items()})
    config.args[:] = [config.rootpath.anchor]  # what is collected there is the plan
    return plan


def wanted_of(folder: Path, exercises: Collection[Exercise]) -> Wanted:
    """What a submission is known by, of exercises with their tasks in a folder."""
    calls = {exercise.name: calls_in(folder, exercise.name) for exercise in exercises}
    return Wanted(
        tuple(name for exercise in exercises for name in exercise.pass_names),
        tuple(names for of_kind in calls.values() for names in of_kind),
        all(calls.values()),
    )


def _reason(path: Path, kept: Mapping[Path, Path], whole: set[Path]) -> str | None:
    """Why an argument is not looked at; None if it is. `kept` are the paths before it by what they
    lead to, `whole` the folders that are asked for with all they hold.

    A shell gives a class its links, too (`submissions/*`), and by way of them a file twice."""
    if os.path.islink(path):
        return say("{reason}: give what it leads to", reason=say(LINK))
    real = Path(os.path.realpath(path))
    if kept.get(real, path) != path:
        return say("it is {other}, which is given as well", other=kept[real])
    for other in whole.difference(path.parents):
        if Path(os.path.realpath(other)) in real.parents:
            return say("it lies in {other}, which is given as well", other=other)
    return None


def roster_of(
    settings: Settings, plan: ClassPlan, suffixes: tuple[str, ...], variants: bool
) -> Roster | None:
    """The roster of a run, with what Moodle's worksheets say of its students. `variants`: whether
    it has to say their variants.

    Raises UsageProblem."""
    if settings.roster is None:
        return None
    roster = load_roster(settings.roster, suffixes, plan.handed, variants)
    gradebook = () if settings.gradebook is None else (str(settings.gradebook),)
    numbers = {person.id for one in roster.handed.values() for person in one.people}
    lines, notes = join_worksheets(roster.entries, (*plan.worksheets, *gradebook), numbers)
    return replace(
        roster, top=plan.top, folder=plan.folder, participants=lines, notes=(*roster.notes, *notes)
    )


# -- out of the grader's own process ------------------------------------------------------------


def graded_folders(
    arguments: Iterable[str], start: Path, *, beside_zips: bool = True
) -> list[Path]:
    """The folders that hold submissions, for those of pytest's paths that are there.

    A path may have a `::check`. Of a file it is the folder that the file is in; of a zip, too, with
    `beside_zips`, and without, a zip is a folder by itself."""
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
