"""Reads a rubric's TOML file; what is wrong with a key of it names the file, the key and the way
out."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Collection, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta

from ..errors import UsageProblem
from ..model import CheckRules, LateRules, Visibility
from ..ordinary_files import teachers_text
from .rubric import Rubric, default_rubric

FOLLOWING = "gradient"
"""The check of which error may be carried forward."""
MAX_POINTS, MAX_DAYS = 1_000_000, 10_000
"""More than any course gives, and more days or minutes than any lasts; they keep sums far from
overflow."""
Credit = Literal["all-or-nothing", "share", "per-finding"]
CHOICES = {"credit": get_args(Credit), "visibility": get_args(Visibility)}
Kinds = Mapping[str, tuple[Any, str]]

_SHARE = Annotated[float, Meta(gt=0, le=1)], "a number above 0 and at most 1"
CHECK_KEYS: Kinds = {
    "points": (Annotated[float, Meta(ge=0, le=MAX_POINTS)], f"a number from 0 to {MAX_POINTS:,}"),
    "credit": (Credit, "one of " + ", ".join(map(repr, CHOICES["credit"]))),
    "penalty": _SHARE,
    "follow_through": (Annotated[float, Meta(ge=0, le=1)], "a number from 0 to 1"),
    "visibility": (Visibility, "one of " + ", ".join(map(repr, CHOICES["visibility"]))),
}
"""Keys of a check's table: of what type a value is, and what it is in words."""
LATE_KEYS: Kinds = {
    "due": (
        Annotated[datetime, Meta(tz=True)],
        "a time with its offset, as 2026-11-20T23:59:00+03:00",
    ),
    "penalty": _SHARE,
    "grace": (Annotated[float, Meta(ge=0, le=MAX_DAYS)], f"minutes, from 0 to {MAX_DAYS:,}"),
    "free_days": (Annotated[int, Meta(ge=0, le=MAX_DAYS)], "a whole number of days, 0 or more"),
    "cap": _SHARE,
}
"""The same of the table `[late]`."""


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
    rules = dict(default.rules)
    for id, own in checks.items():
        values = _values(path, f"checks.{id}", own, CHECK_KEYS)
        rules[id] = msgspec.structs.replace(rules[id], **values)
        _refuse_without_effect(path, id, values, rules[id], default)
    if not any(rule.points > 0 for rule in rules.values()):
        raise UsageProblem(
            f"rubric {path}: every check is worth 0 points",
            "give at least one check more than 0 points",
        )
    late = _late_rules(path, table["late"]) if "late" in table else None
    return Rubric(name=name, source=str(path), rules=rules, gated=default.gated, late=late)


def _refuse_without_effect(
    path: Path, id: str, values: Mapping[str, Any], rules: CheckRules, default: Rubric
) -> None:
    """Raises UsageProblem for a key without effect: a mistake that would show only in grades."""
    where = f"rubric {path}: checks.{id}"
    if rules.credit == "share" and id != FOLLOWING and default.rules[id].credit != "share":
        raise UsageProblem(
            f"{where}.credit is 'share', but {id} has no parts to share points over",
            "use 'all-or-nothing' or 'per-finding'; 'share' is for gradient",
        )
    if rules.credit != "all-or-nothing" and id == "integrity":
        raise UsageProblem(
            f"{where}.credit is {rules.credit!r}, but integrity is a gate: a pass is manual or it "
            "is not",
            "use 'all-or-nothing', or take the line out",
        )
    if "penalty" in values and rules.credit != "per-finding":
        raise UsageProblem(
            f"{where}.penalty has no effect with credit '{rules.credit}'",
            f"set checks.{id}.credit to 'per-finding', or take the penalty out",
        )
    if "follow_through" in values and (id != FOLLOWING or "manual-forward" not in default.rules):
        raise UsageProblem(
            f"{where}.follow_through has no effect",
            f"follow_through belongs to [checks.{FOLLOWING}] of an exercise with the check "
            "manual-forward",
        )


def _late_rules(path: Path, table: object) -> LateRules:
    """The table `[late]` of a rubric. Raises UsageProblem naming the file and the key."""
    values = _values(path, "late", table, LATE_KEYS)
    for key in ("due", "penalty"):
        if key not in values:
            raise UsageProblem(
                f"rubric {path}: [late] has no {key}",
                "write due = 2026-11-20T23:59:00+03:00 and penalty = 0.1, the share of a day",
            )
    return LateRules(**values)


def _values(path: Path, where: str, table: object, kinds: Kinds) -> dict[str, Any]:
    """The values of a table. Raises UsageProblem for one that is none of its kind."""
    if not isinstance(table, dict):
        raise _bad_value(path, where, table, f"a table, as in [{where}]")
    _check_keys(path, f"{where}.", table, kinds)
    for key, value in table.items():
        if (wanted := wanted_value(key, value, kinds)) is not None:
            raise _bad_value(path, f"{where}.{key}", value, wanted)
    return {key: msgspec.convert(value, kinds[key][0]) for key, value in table.items()}


def wanted_value(key: str, value: object, kinds: Kinds = CHECK_KEYS) -> str | None:
    """What would be a value of that name, by default of a check's rule, if `value` is none."""
    kind, wanted = kinds[key]
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return wanted
    return None


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
    value = value.isoformat() if isinstance(value, datetime) else value
    text = repr(value).lower() if isinstance(value, bool) else repr(value)
    text = text if len(text) <= 60 else text[:59] + "…"
    return UsageProblem(f"rubric {path}: {where} is {text}", f"make it {wanted}")
