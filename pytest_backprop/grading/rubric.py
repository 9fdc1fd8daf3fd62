"""What each check is worth, by default and by a rubric's TOML file.

The denominator is fixed here, by `planned`, before anything runs: every planned check ends in
every grade."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ..errors import UsageProblem
from ..exercises import built_in
from ..model import CHECK_IDS, COURSE_KIND, CheckRules, LateRules
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
DOCS = "docs/rubric.md"
T = TypeVar("T", bound=Struct)


class Rubric(Struct, frozen=True):
    """The rules of every check, in report order: that of `model.CHECK_IDS`, then those of plugins.
    `source` is the file as it was given, None for the default rubric; `gated` are the checks that
    count only when the pass is manual; `late` is what lateness costs, None for nothing; `worth` is
    what the checks come to that a task asks for, None for what their rules say."""

    name: str
    source: str | None
    rules: dict[str, CheckRules]
    gated: tuple[str, ...] = GATED
    late: LateRules | None = None
    worth: float | None = None


def default_rubric(kind: str = COURSE_KIND) -> Rubric:
    """The rubric of a kind of exercise, of the course's homework without one. Raises
    UsageProblem."""
    return rubric_of("default", built_in(kind).rules, {}, ())


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


def scaled(rubric: Rubric) -> Rubric:
    """The rubric, its points so that they come to what it is worth."""
    total = math.fsum(rules.points for rules in rubric.rules.values())
    if rubric.worth is None or not total:
        return rubric
    rules = {
        id: msgspec.structs.replace(own, points=own.points * rubric.worth / total)
        for id, own in rubric.rules.items()
    }
    return msgspec.structs.replace(rubric, rules=rules)


# -- a rubric's file ----------------------------------------------------------------------------


class RubricFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The tables of a rubric's file."""

    name: str | None = None
    checks: dict[str, dict[str, Any]] = {}
    late: LateRules | None = None


def load_rubrics(path: Path, defaults: Sequence[tuple[str, Rubric]]) -> list[Rubric]:
    """Reads the rubrics of some parts from TOML, of parts by their names; what it does not say
    keeps its default. `[checks.gradient]` is for all parts that have the check,
    `[checks."linear/gradient"]` for one, and has the last word. Raises UsageProblem naming the file
    and the key."""
    tables = converted(f"rubric {path}", read_toml(path, "rubric"), RubricFile, DOCS)
    rubrics = [
        msgspec.structs.replace(
            default, name=tables.name or path.stem, source=str(path), late=tables.late
        )
        for _, default in defaults
    ]
    for id, own in sorted(tables.checks.items(), key=lambda item: "/" in item[0]):
        where = f"rubric {path}: [checks.{id}]"
        part, _, check = id.rpartition("/")
        fitting = [
            n
            for n, (name, rubric) in enumerate(defaults)
            if part in ("", name) and check in rubric.rules
        ]
        if not fitting:
            ids = [check_id(name, check) for name, rubric in defaults for check in rubric.rules]
            raise UsageProblem(f"{where}: unknown check", f"known: {', '.join(dict.fromkeys(ids))}")
        problems = []
        for n in fitting:
            rules = msgspec.structs.asdict(rubrics[n].rules[check]) | own
            merged = converted(where, rules, CheckRules, DOCS)
            problems.append(_without_effect(where, check, own, merged, defaults[n][1]))
            rubrics[n] = msgspec.structs.replace(
                rubrics[n], rules=rubrics[n].rules | {check: merged}
            )
        if (problem := problems[0]) is not None and None not in problems:
            raise problem
    for (name, _), rubric in zip(defaults, rubrics, strict=True):
        if not any(rule.points > 0 for rule in rubric.rules.values()):
            of_part = f" of the part {name}" if name else ""
            raise UsageProblem(
                f"rubric {path}: every check{of_part} is worth 0 points",
                "give at least one check more than 0 points",
            )
    return rubrics


def check_id(part: str, check: str) -> str:
    """The id of a check of a part: `linear/gradient`; of what has no parts, the check's own."""
    return f"{part}/{check}" if part else check


def read_toml(path: Path, what: str) -> dict[str, Any]:
    """The tables of a file of a teacher's. Raises UsageProblem."""
    text = teachers_text(path, what, f"give --backprop-{what} the path of a TOML file")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        # TOMLDecodeError is a ValueError whose text has the line and the column.
        raise UsageProblem(
            f"{what} {path} is not TOML: {error}", "see https://toml.io for the format"
        ) from None


def converted(where: str, table: object, kind: type[T], docs: str) -> T:
    """A table as what it should be. Raises UsageProblem naming the key that is wrong, and the page
    that has them all."""
    try:
        return msgspec.convert(table, kind)
    except msgspec.ValidationError as error:
        key = str(error).rpartition("$.")[2].rstrip("`")
        value = table.get(key) if isinstance(table, dict) else None
        shown = "" if value is None else f"; {key} is {value!r}"[:60]
        raise UsageProblem(
            f"{where}: {error}{shown}",
            f"known: {', '.join(kind.__struct_encode_fields__)}; {docs} has every key and what it "
            "may be",
        ) from None


def _without_effect(
    where: str, id: str, own: Collection[str], rules: CheckRules, default: Rubric
) -> UsageProblem | None:
    """What to tell of a key without effect: a mistake that would show only in grades."""
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
        return None
    return UsageProblem(f"{where}: {key} has no effect: {reason}", f"take {key} out")
