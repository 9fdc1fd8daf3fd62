"""For tests of reports: `check_report` parses, validates and recounts one (use it in every test of
a report); `check` and `grade` build grades, and the strategy `grades` builds hostile ones."""

from __future__ import annotations

import json
import math
import statistics
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
from hypothesis import strategies as st

from pytest_backprop.model import CheckResult, Finding, Grade, GradedCheck, Place
from pytest_backprop.reports import document

SCHEMA_FILE = Path(document.__file__).with_name("schema-v1.json")
"""The schema as shipped; `schema_text` makes it, and `make schema` writes it."""
_VALIDATOR = jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def schema_text() -> str:
    """The JSON Schema (2020-12) of the report, made from the types."""
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pytest-backprop report, schema version 1",
    }
    return document.as_json(head | msgspec.json.schema(document.Document))


def check_report(text: str) -> dict[str, Any]:
    """The report, after it has passed: JSON without NaN, the shipped schema, and our own sums."""
    report: dict[str, Any] = json.loads(text, parse_constant=_refuse)
    _VALIDATOR.validate(report)
    _walk(report)
    submissions = report["submissions"]
    assert [s["path"] for s in submissions] == sorted(s["path"] for s in submissions)
    scores = []
    for submission in submissions:
        checks = submission["checks"]
        ids = [check["id"] for check in checks]
        assert len(ids) == len(set(ids))
        for check in checks:
            assert 0 <= check["score"] <= check["max_score"]
            if check["outcome"] in ("failed", "not_judged"):
                assert check["score"] == 0
        for key, more in (("score", submission["adjustment"]), ("max_score", 0.0)):
            total = math.fsum([more, *(check[key] for check in checks)])
            assert math.isclose(submission[key], total, abs_tol=1e-5)
        if any(c["outcome"] != "not_judged" and c["max_score"] > 0 for c in checks):
            scores.append(submission["score"])
    summary = report["summary"]
    assert summary["submissions"] == len(submissions)
    assert summary["graded"] == len(scores)
    if scores:
        assert math.isclose(summary["mean"], statistics.fmean(scores), abs_tol=1e-5)
        assert math.isclose(summary["median"], statistics.median(scores), abs_tol=1e-5)
    else:
        assert summary["mean"] is None
        assert summary["median"] is None
    return report


def _refuse(constant: str) -> None:
    raise AssertionError(f"{constant} in a report")


def _walk(value: Any) -> None:
    """Every number finite; every text has UTF-8 and nothing that acts on a terminal."""
    if isinstance(value, dict):
        for key, item in value.items():
            _walk(key)
            _walk(item)
    elif isinstance(value, list):
        for item in value:
            _walk(item)
    elif isinstance(value, float):
        assert math.isfinite(value)
    elif isinstance(value, str):
        value.encode()
        assert not any(ord(c) < 32 and c not in "\n\t" for c in value)
        assert not any(c in value for c in "\x7f\x9b\u202e\u2066")


# -- grades to report --------------------------------------------------------------------------

PLACE = Place(path="a.ipynb", line=43, column=15, cell=4, source="        dt10dt7 = t9")
LATE = Finding(
    kind="late-release",
    message="t9 kept after line 43 (2 late values)",
    place=PLACE,
    name="t9",
    hint="write `del t9` after line 43",
)


def check(
    id: str = "release", fraction: float = 1.0, of: float = 20, **changes: Any
) -> GradedCheck:
    fields: dict[str, Any] = {
        "id": id,
        "outcome": "passed" if fraction == 1 else "failed" if fraction == 0 else "partial",
        "fraction": fraction,
        "message": f"{id} says",
        "basis": "observed",
    }
    result = CheckResult(**(fields | changes))
    return GradedCheck(result=result, score=result.fraction * of, max_score=of)


def grade(path: str = "a.ipynb", *checks: GradedCheck, **changes: Any) -> Grade:
    checks = checks or (check("forward", of=80), check())
    fields: dict[str, Any] = {
        "path": path,
        "student": "Ann",
        "variant": "v8",
        "variant_source": "roster",
        "status": "graded",
        "message": "",
        "checks": checks,
        "score": math.fsum(c.score for c in checks),
        "max_score": math.fsum(c.max_score for c in checks),
        "seconds": 1.25,
    }
    return Grade(**(fields | changes))


texts = st.text(
    st.characters() | st.sampled_from("\0\x1b\r\n\t\u202e\ud800\udfff\ufeff\u2028"), max_size=30
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
places = st.builds(
    Place,
    path=texts,
    line=st.integers(1, 99),
    column=st.none() | st.integers(1, 99),
    cell=st.none() | st.integers(1, 9),
    source=texts,
)
findings = st.builds(
    Finding,
    kind=texts,
    message=texts,
    level=st.sampled_from(["fault", "note"]),
    place=st.none() | places,
    name=st.none() | texts,
    hint=st.none() | texts,
)
checks = st.builds(
    lambda fraction, of, message, found, details: check(
        "release", fraction, of, message=message, findings=tuple(found), details=details
    ),
    st.sampled_from([0.0, 0.1, 1 / 3, 1.0]),
    st.sampled_from([0, 1, 20]),
    texts,
    st.lists(findings, max_size=2),
    st.dictionaries(texts, values, max_size=2),
)
grades = st.builds(
    lambda path, one, student, message, note: grade(
        path, one, student=student, message=message, notes=(note,)
    ),
    texts,
    checks,
    st.none() | texts,
    texts,
    texts,
)
