"""How the class of this run arrived: what of the given paths is whose submission."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from ..classroom import LINK, ClassPlan, Planner
from ..classroom.roster import Roster
from ..classroom.roster_file import load_roster
from ..classroom.worksheet import join
from ..messages import say
from ..options import Settings


def class_plan(config: pytest.Config, pass_names: Sequence[str]) -> ClassPlan:
    """The submissions of the run. What is in zips is unpacked into a private folder until `config`
    is unconfigured. `pass_names` are what the judged method may be called.

    Raises UsageProblem for a zip of a class that cannot be read.
    """
    room = tempfile.TemporaryDirectory(prefix="backprop-", ignore_cleanup_errors=True)
    config.add_cleanup(room.cleanup)
    config.args[:] = [_in_archive(argument, config) for argument in config.args]

    def ignored(path: Path) -> bool:
        return bool(config.hook.pytest_ignore_collect(collection_path=path, config=config))

    planner = Planner(config.rootpath, Path(room.name).resolve(), ignored, pass_names)
    paths = [(argument, _path(argument, config)) for argument in config.args]
    whole = {path for argument, path in paths if "::" not in argument and os.path.isdir(path)}
    whole = {path for path in whole if not os.path.islink(path)}
    kept: dict[Path, Path] = {}
    arguments = []
    for argument, path in paths:
        reason = _reason(path, kept, whole)
        if reason is None:
            arguments.append(argument)
            kept.setdefault(Path(os.path.realpath(path)), path)
        else:
            planner.leave_out(planner.shown(path), reason)
    config.args[:] = arguments
    for path in kept.values():
        if not whole.intersection(path.parents):
            planner.add(path)
    return planner.plan()


def _reason(path: Path, kept: Mapping[Path, Path], whole: Collection[Path]) -> str | None:
    """Why an argument is not looked at; None if it is. `kept` are the paths before it by what they
    lead to, `whole` the folders that are asked for with all they hold.

    A shell gives a class its links, too (`submissions/*`), and by way of them a file twice.
    """
    if os.path.islink(path):
        return say("{reason}: give what it leads to", reason=say(LINK))
    real = Path(os.path.realpath(path))
    if kept.get(real, path) != path:
        return say("it is {other}, which is given as well", other=kept[real])
    for other in whole:
        if Path(os.path.realpath(other)) in real.parents and other not in path.parents:
            return say("it lies in {other}, which is given as well", other=other)
    return None


def roster_of(settings: Settings, plan: ClassPlan, suffixes: tuple[str, ...]) -> Roster | None:
    """The roster of a run, with what Moodle's worksheets say of its students.

    Raises UsageProblem.
    """
    if settings.roster is None:
        return None
    roster = load_roster(settings.roster, suffixes, plan.by_shown())
    gradebook = () if settings.gradebook is None else (str(settings.gradebook),)
    numbers = {person.id for one in roster.handed.values() for person in one.people}
    joined = join(roster.entries, (*plan.worksheets, *gradebook), numbers)
    return replace(
        roster,
        top=plan.top,
        folder=plan.folder,
        participants=joined.lines,
        notes=(*roster.notes, *joined.notes),
    )


def _path(argument: str, config: pytest.Config) -> Path:
    # as pytest makes the paths that it walks: links stay as they are
    return Path(os.path.abspath(config.invocation_params.dir / argument.partition("::")[0]))


def _in_archive(argument: str, config: pytest.Config) -> str:
    """`class.zip/ann.py::forward`, as reports name it, in the form in which pytest finds it:
    `class.zip::ann.py::forward`."""
    name, colons, check = argument.partition("::")
    path = config.invocation_params.dir / name
    if path.exists():
        return argument
    for place in Path(name).parents:
        if place.suffix.lower() == ".zip" and (config.invocation_params.dir / place).is_file():
            return f"{place}::{Path(name).relative_to(place).as_posix()}{colons}{check}"
    return argument
