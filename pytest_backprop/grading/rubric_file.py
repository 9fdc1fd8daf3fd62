"""Reads a rubric's TOML file; what is wrong with a key of it names the file, the key and the way
out."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import msgspec

from ..errors import UsageProblem
from ..model import CheckRules, LateRules, Visibility
from ..ordinary_files import teachers_text
from .rubric import Rubric, default_rubric

FOLLOWING = "gradient"
"""The check of which error may be carried forward."""
MAX_POINTS = 1_000_000
"""More than any course gives; keeps sums and reports far from overflow."""
MAX_DAYS = 10_000
"""Days or minutes: more than any course lasts; keeps sums far from what a date can be."""
CHOICES = {
    "credit": ("all-or-nothing", "share", "per-finding"),
    "visibility": get_args(Visibility),
}


def load_rubric(path: Path, default: Rubric | None = None) -> Rubric:
    """Read a rubric from TOML; what it does not say keeps its default, the course's if None.

    Raises UsageProblem naming the file and the key: not readable, not TOML, unknown check or key,
    a value of the wrong type or range, a key the check has no use for, nothing worth any points.
    """
    default = default_rubric() if default is None else default
    text = teachers_text(path, "rubric", "give --backprop-rubric the path of a TOML file")
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # TOMLDecodeError is a ValueError whose text has the line and the column.
        raise UsageProblem(
            f"rubric {path} is not TOML: {error}", "see https://toml.io for the format"
        ) from None
    _check_keys(path, "", table, ("name", "checks", "late"))
    name = table.get("name", path.stem)
    if not isinstance(name, str):
        raise _bad_value(path, "name", name, "a text")
    checks = table.get("checks", {})
    if not isinstance(checks, dict):
        raise _bad_value(path, "checks", checks, "a table, as in [checks.gradient]")
    _check_keys(path, "checks.", checks, default.rules, what="check")
    rules = {
        id: _rules(path, id, checks.get(id, {}), own, default.rules)
        for id, own in default.rules.items()
    }
    if not any(rule.points > 0 for rule in rules.values()):
        raise UsageProblem(
            f"rubric {path}: every check is worth 0 points",
            "give at least one check more than 0 points",
        )
    late = _late_rules(path, table["late"]) if "late" in table else None
    return Rubric(name=name, source=str(path), rules=rules, gated=default.gated, late=late)


def _rules(
    path: Path, id: str, table: object, default: CheckRules, planned_with: Collection[str]
) -> CheckRules:
    where = f"checks.{id}"
    if not isinstance(table, dict):
        raise _bad_value(path, where, table, f"a table, as in [{where}]")
    _check_keys(path, f"{where}.", table, CheckRules.__struct_fields__)
    rules = default
    for key, value in table.items():
        wanted = wanted_value(key, value)
        if wanted is not None:
            raise _bad_value(path, f"{where}.{key}", value, wanted)
        if key in ("points", "penalty", "follow_through"):
            value = float(value)
        rules = msgspec.structs.replace(rules, **{key: value})
    # A key without effect is a mistake that would show only in the grades.
    if rules.credit == "share" and id != FOLLOWING and default.credit != "share":
        raise UsageProblem(
            f"rubric {path}: {where}.credit is 'share', but {id} has no parts to share points over",
            "use 'all-or-nothing' or 'per-finding'; 'share' is for gradient",
        )
    if rules.credit != "all-or-nothing" and id == "integrity":
        raise UsageProblem(
            f"rubric {path}: {where}.credit is {rules.credit!r}, but integrity is a gate: a pass "
            "is manual or it is not",
            "use 'all-or-nothing', or take the line out",
        )
    if "penalty" in table and rules.credit != "per-finding":
        raise UsageProblem(
            f"rubric {path}: {where}.penalty has no effect with credit '{rules.credit}'",
            f"set {where}.credit to 'per-finding', or take the penalty out",
        )
    if "follow_through" in table and (id != FOLLOWING or "manual-forward" not in planned_with):
        raise UsageProblem(
            f"rubric {path}: {where}.follow_through has no effect",
            f"follow_through belongs to [checks.{FOLLOWING}] of an exercise with the check "
            "manual-forward",
        )
    return rules


def wanted_value(key: str, value: object) -> str | None:
    """What would be a value of a check's rule of that name, if `value` is none."""
    if key in CHOICES:
        return None if value in CHOICES[key] else "one of " + ", ".join(map(repr, CHOICES[key]))
    if key == "points":
        return _unless(_is_number(value, 0, MAX_POINTS), f"a number from 0 to {MAX_POINTS:,}")
    if key == "penalty":
        return _unless(_is_share(value), "a number above 0 and at most 1")
    return _unless(_is_number(value, 0, 1), "a number from 0 to 1")


def _late_rules(path: Path, table: object) -> LateRules:
    """The table `[late]` of a rubric. Raises UsageProblem naming the file and the key."""
    if not isinstance(table, dict):
        raise _bad_value(path, "late", table, "a table, as in [late]")
    _check_keys(path, "late.", table, LateRules.__struct_fields__)
    for key in ("due", "penalty"):
        if key not in table:
            raise UsageProblem(
                f"rubric {path}: [late] has no {key}",
                "write due = 2026-11-20T23:59:00+03:00 and penalty = 0.1, the share of a day",
            )
    for key, value in table.items():
        wanted = _wanted_late_value(key, value)
        if wanted is not None:
            shown = value.isoformat() if isinstance(value, datetime) else value
            raise _bad_value(path, f"late.{key}", shown, wanted)
    return msgspec.convert(table, LateRules)


def _wanted_late_value(key: str, value: object) -> str | None:
    """What would be a value of the key of `[late]`, if `value` is none."""
    if key == "due":
        aware = isinstance(value, datetime) and value.tzinfo is not None
        return _unless(aware, "a time with its offset, as 2026-11-20T23:59:00+03:00")
    if key in ("penalty", "cap"):
        return _unless(_is_share(value), "a number above 0 and at most 1")
    in_range = _is_number(value, 0, MAX_DAYS)
    if key == "grace":
        return _unless(in_range, f"minutes, from 0 to {MAX_DAYS:,}")
    return _unless(in_range and isinstance(value, int), "a whole number of days, 0 or more")


def _unless(right: bool, wanted: str) -> str | None:
    return None if right else wanted


def _is_number(value: object, least: float, most: float) -> bool:
    """Whether it is a number in a range; a bool and NaN are none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def _is_share(value: object) -> bool:
    return _is_number(value, 0, 1) and value != 0


def _check_keys(
    path: Path, prefix: str, table: dict[str, Any], names: Collection[str], what: str = "key"
) -> None:
    """Raises UsageProblem for the first key of a table that is none of `names`."""
    for key in table:
        if key not in names:
            near = difflib.get_close_matches(key, names, n=1)
            meant = f"did you mean {prefix}{near[0]}? " if near else ""
            raise UsageProblem(
                f"rubric {path}: unknown {what} {prefix}{key}", f"{meant}known: {', '.join(names)}"
            )


def _bad_value(path: Path, where: str, value: object, wanted: str) -> UsageProblem:
    """The problem of a value that should be `wanted`."""
    text = repr(value).lower() if isinstance(value, bool) else repr(value)
    text = text if len(text) <= 60 else text[:59] + "…"
    return UsageProblem(f"rubric {path}: {where} is {text}", f"make it {wanted}")
