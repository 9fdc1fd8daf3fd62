"""How the class of this run arrived: found out here, or told to a worker by xdist's main process."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import msgspec
import pytest

from .classes import Plan, Planner

TOLD = "backprop_classes"
"""The key of `workerinput` under which workers get the plan."""


def arrived(config: pytest.Config) -> Plan:
    """The submissions of the run. What is in zips is unpacked into a private folder until `config` is
    unconfigured; workers read it there.

    Raises UsageProblem for a zip of a class that cannot be read.
    """
    told = getattr(config, "workerinput", {}).get(TOLD)
    if told is not None:
        return msgspec.convert(json.loads(told), Plan)
    room = tempfile.TemporaryDirectory(prefix="backprop-", ignore_cleanup_errors=True)
    config.add_cleanup(room.cleanup)
    config.args[:] = [_in_archive(argument, config) for argument in config.args]

    def ignored(path: Path) -> bool:
        return bool(config.hook.pytest_ignore_collect(collection_path=path, config=config))

    planner = Planner(config.rootpath, Path(room.name).resolve(), ignored)
    for argument in config.args:
        planner.add(_path(argument, config))
    return planner.plan()


def told(plan: Plan) -> str:
    """The plan as text for a worker. Names of files may have no UTF-8: they are escaped."""
    return json.dumps(msgspec.to_builtins(plan))


def _path(argument: str, config: pytest.Config) -> Path:
    # as pytest makes the paths that it walks: links stay as they are
    return Path(os.path.abspath(config.invocation_params.dir / argument.partition("::")[0]))


def _in_archive(argument: str, config: pytest.Config) -> str:
    """`class.zip/ann.py::forward`, as reports name it, as pytest finds it: `class.zip::ann.py::…`."""
    name, colons, check = argument.partition("::")
    path = config.invocation_params.dir / name
    if path.exists():
        return argument
    for place in Path(name).parents:
        if place.suffix.lower() == ".zip" and (config.invocation_params.dir / place).is_file():
            return f"{place}::{Path(name).relative_to(place).as_posix()}{colons}{check}"
    return argument
