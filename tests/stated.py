"""Verdicts as the cases of `submissions_function` and `submissions_tape` state them, in the words of `corpus`, with
points of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corpus import BadVerdict, Fault, _fault, _list, _marks, _table
from corpus_text import graded_file


class Stated(NamedTuple):
    """A case's verdict: what got nothing, what part of its points each other lost check keeps, faults."""

    status: str
    failed: set[str]
    partial: dict[str, float]
    faults: list[Fault]
    class_name: str | None

    def names(self, check: str) -> set[str | None]:
        """Names of the faults of a check."""
        return {fault.name for fault in self.faults if fault.check == check}

    def earned(self, points: Mapping[str, float]) -> dict[str, float]:
        """What each check earns, of so many points."""
        if self.status != "graded":
            return dict.fromkeys(points, 0.0)
        full = {check: 0.0 if check in self.failed else most for check, most in points.items()}
        return full | self.partial


def read_stated(path: Path, points: Mapping[str, float]) -> Stated:
    """What a file states. Raises BadVerdict."""
    table: dict[str, Any] = _table(path)
    marks = _marks(graded_file(path))
    status, _, kinds = table.get("status", "graded").partition(": ")
    failed, partial, said = set(), {}, [f"forward {kind}" for kind in _list(kinds)]
    for item in _list(table.get("failed", "")):
        check, _, fault = item.partition(" ")
        failed.add(check)
        said += [item] if fault else []
    for check in points:
        if check in table:
            told, _, kinds = table[check].partition(": ")
            partial[check] = float(told.removeprefix("partial "))
            said += [f"{check} {kind}" for kind in _list(kinds)]
    own = _marks(path)
    unused = {f"@{mark}" for mark in own} - {word for text in said for word in text.split()}
    known = {"status", "why", "class", "notes", "attack", "failed", *points}
    if unused or (set(table) - known) or failed & partial.keys():
        raise BadVerdict(f"{path.name}: {unused or set(table) - known or failed}")
    faults = [_fault(path, text, marks) for text in said]
    return Stated(status, failed, partial, faults, table.get("class"))


def cases_in(folder: Path) -> list[Path]:
    """The cases of a folder, in order."""
    return sorted(p for p in folder.iterdir() if p.suffix in (".py", ".ipynb"))


def named(path: Path) -> str:
    """`wrong/name_v1.py`"""
    return f"{path.parent.name}/{path.name}"
