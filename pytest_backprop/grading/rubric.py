"""What each check is worth, by default and by a rubric's TOML file.

The denominator is fixed here, by `planned`, before anything runs: every planned check ends in
every grade.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ..errors import UsageProblem
from ..exercises import FORWARD_BACKWARD
from ..model import CHECK_IDS, CheckRules, LateRules
from ..ordinary_files import teachers_text

ONNX = "onnx"
"""The check that is judged only where it is worth something."""
FOLLOWING = "gradient"
"""The check of which error may be carried forward."""
GATED = tuple(
    "gradient needs-input-grad none unused-nodes release saved double-backward second-order"
    " parameters zeroing scaling threshold files".split()
)
"""The checks that count only when the pass is manual."""
T = TypeVar("T", bound=Struct)


class Rubric(Struct, frozen=True):
    """The rules of every check, in report order: that of `model.CHECK_IDS`, then those of plugins.
    `source` is the file as it was given, None for the default rubric; `gated` are the checks that
    count only when the pass is manual; `late` is what lateness costs, None for nothing."""

    name: str
    source: str | None
    rules: dict[str, CheckRules]
    gated: tuple[str, ...] = GATED
    late: LateRules | None = None


def default_rubric() -> Rubric:
    """The rubric of the course's homework, out of 100 points."""
    return rubric_of("default", FORWARD_BACKWARD.rules, {}, ())


def rubric_of(
    name: str,
    rules: Mapping[str, CheckRules],
    extra: Mapping[str, CheckRules],
    gated: Collection[str],
) -> Rubric:
    """The default rubric of an exercise: its `rules` of the checks that it asks for, and those of
    `extra` checks of plugins. Raises UsageProblem for a check there is not."""
    own = {"integrity": CheckRules(points=0), **extra, **rules}
    ids = dict.fromkeys((*CHECK_IDS, *extra))
    for id in own:
        if id not in ids:
            raise UsageProblem(
                f"{name} has rules for the unknown check {id!r}", f"known: {', '.join(ids)}"
            )
    return Rubric(
        name=name,
        source=None,
        rules={id: own[id] for id in ids if id in own},
        gated=(*GATED, *(id for id in extra if id in gated)),
    )


def planned(rubric: Rubric) -> tuple[str, ...]:
    """Ids of the checks that every submission is judged on, in report order: `onnx` only when it
    is worth something."""
    return tuple(id for id, rules in rubric.rules.items() if id != ONNX or rules.points > 0)


# -- a rubric's file ----------------------------------------------------------------------------


class RubricFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of a rubric's file."""

    name: str | None = None
    checks: dict[str, dict[str, Any]] = {}
    late: LateRules | None = None


def load_rubric(path: Path, default: Rubric | None = None) -> Rubric:
    """Reads a rubric from TOML; what it does not say keeps its default, the course's if None.
    Raises UsageProblem naming the file and the key."""
    default = default_rubric() if default is None else default
    text = teachers_text(path, "rubric", "give --backprop-rubric the path of a TOML file")
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # TOMLDecodeError is a ValueError whose text has the line and the column.
        raise UsageProblem(
            f"rubric {path} is not TOML: {error}", "see https://toml.io for the format"
        ) from None
    tables = _converted(f"rubric {path}", table, RubricFile)
    rules = dict(default.rules)
    for id, own in tables.checks.items():
        where = f"rubric {path}: [checks.{id}]"
        if id not in rules:
            raise UsageProblem(f"{where}: unknown check", f"known: {', '.join(rules)}")
        rules[id] = _converted(where, msgspec.structs.asdict(rules[id]) | own, CheckRules)
        _refuse_without_effect(where, id, own, rules[id], default)
    if not any(rule.points > 0 for rule in rules.values()):
        raise UsageProblem(
            f"rubric {path}: every check is worth 0 points",
            "give at least one check more than 0 points",
        )
    return msgspec.structs.replace(
        default, name=tables.name or path.stem, source=str(path), rules=rules, late=tables.late
    )


def _converted(where: str, table: object, kind: type[T]) -> T:
    """A table as what it should be. Raises UsageProblem naming the key that is wrong."""
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        key = str(error).rpartition("$.")[2].rstrip("`")
        value = table.get(key) if isinstance(table, dict) else None
        shown = "" if value is None else f"; {key} is {value!r}"[:60]
        raise UsageProblem(
            f"{where}: {error}{shown}",
            f"known: {', '.join(kind.__struct_fields__)}; docs/rubric.md has every key and what it "
            "may be",
        ) from None


def _refuse_without_effect(
    where: str, id: str, own: Collection[str], rules: CheckRules, default: Rubric
) -> None:
    """Raises UsageProblem for a key without effect: a mistake that would show only in grades."""
    follows = id == FOLLOWING and "manual-forward" in default.rules
    can_share = id == FOLLOWING or default.rules[id].credit == "share"
    if rules.credit == "share" and not can_share:
        key, reason = (
            "credit",
            f"'share' is for {FOLLOWING}: {id} has no parts to share points over",
        )
    elif rules.credit != "all-or-nothing" and id == "integrity":
        key, reason = "credit", "integrity is a gate: a pass is manual or it is not"
    elif "penalty" in own and rules.credit != "per-finding":
        key, reason = "penalty", "it is for the credit 'per-finding'"
    elif "follow_through" in own and not follows:
        key, reason = "follow_through", f"it is for {FOLLOWING} beside the check manual-forward"
    else:
        return
    raise UsageProblem(f"{where}: {key} has no effect: {reason}", f"take {key} out")
