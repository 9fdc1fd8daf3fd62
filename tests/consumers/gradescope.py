"""Gradescope's rules for results.json, ported from its autograder specification (`docs/specs.md` of
gradescope/autograder_samples: its own code is not public); shares nothing with the exporter."""

from __future__ import annotations

import json
import math
from typing import Any

FORMATS = {"text", "html", "simple_format", "md", "ansi"}
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
TOP = {
    "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format",
    "visibility", "stdout_visibility", "extra_data", "tests", "leaderboard",
}  # fmt: skip
TEST = {
    "score", "max_score", "status", "name", "name_format", "number", "output", "output_format",
    "tags", "visibility", "extra_data",
}  # fmt: skip


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def accept(text: str) -> dict[str, Any]:
    """What Gradescope makes of a results file: `score`, and `seen`, the tests a student sees on the
    day of handing in. Raises AssertionError if it would refuse the file."""
    results = json.loads(text, parse_constant=_no)
    assert isinstance(results, dict)
    assert set(results) <= TOP, set(results) - TOP
    tests = results.get("tests", [])
    assert isinstance(tests, list)
    assert "score" in results or any("score" in test for test in tests)
    if "score" in results:
        assert number(results["score"])
    assert number(results.get("execution_time", 0))
    for key in ("output_format", "test_output_format", "test_name_format"):
        assert results.get(key, "text") in FORMATS
    for key in ("visibility", "stdout_visibility"):
        assert results.get(key, "hidden") in VISIBILITIES
    assert isinstance(results.get("output", ""), str)
    assert isinstance(results.get("extra_data", {}), dict)
    for test in tests:
        assert set(test) <= TEST, set(test) - TEST
        assert all(number(test[key]) for key in ("score", "max_score") if key in test)
        assert test.get("status", "passed") in {"passed", "failed"}
        assert isinstance(test.get("name", ""), str)
        assert isinstance(test.get("number", ""), str)
        assert isinstance(test.get("output", ""), str)
        assert test.get("output_format", "text") in FORMATS
        assert test.get("visibility", "visible") in VISIBILITIES
    score = results.get("score", math.fsum(test.get("score", 0) for test in tests))
    # anything but text is put into the page as it is, or turned into HTML
    assert results.get("output_format", "simple_format") == "text"
    assert all(test.get("output_format", "simple_format") == "text" for test in tests)
    seen = [test for test in tests if test.get("visibility", "visible") == "visible"]
    return {"score": score, "seen": seen, "total_is_shown": len(seen) == len(tests), **results}


def _no(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")
