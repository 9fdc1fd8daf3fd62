"""PrairieLearn's rules for an external grader's results, ported from `externalGraderLocal.ts`,
`externalGraderCommon.ts` (`makeGradingResult`) and `externalGrader.ts` (`processResults`) in
`apps/prairielearn/src/lib` of PrairieLearn/PrairieLearn (at 88fb855), and what its element
`pl-external-grader-results` shows."""

from __future__ import annotations

import json
import math
from typing import Any

MOST_BYTES = 1024 * 1024


def accept(text: str, exit_code: int = 0) -> dict[str, Any]:
    """`gradable`, `score`, `tests`, `message` as PrairieLearn records them. It never raises: what it
    does not like is not gradable, and `why` says so."""
    if exit_code != 0:
        return _not("the grader ended with an error")
    if len(text.encode()) > MOST_BYTES:
        return _not("over 1 MiB")
    try:
        results = json.loads(text)
    except ValueError:
        return _not("not JSON")
    if not isinstance(results, dict):
        return _not("not an object")
    if not results.get("gradable", True):
        return {
            **_not("says so itself"),
            "format_errors": results.get("format_errors", []),
            "shown": shown(results),
        }
    score = 0 if results.get("score") is None else results["score"]
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        return _not("no score")
    if not 0 <= score <= 1:
        return _not("score not in [0, 1]")
    for test in results.get("tests", []):
        if not isinstance(test.get("name", ""), str):
            return _not("name of a test")
        for key in ("points", "max_points"):
            if not isinstance(test.get(key, 0), int | float) or not math.isfinite(test.get(key, 0)):
                return _not(f"{key} of a test")
        for key in ("description", "message", "output"):
            if not isinstance(test.get(key, ""), str):
                return _not(f"{key} of a test")
    told = {"why": "", "gradable": True, "tests": [], "message": "", **results, "score": score}
    return told | {"shown": shown(told)}


def shown(results: dict[str, Any]) -> list[str]:
    """What a student reads, in order: errors of form, the whole's texts, then those of each test."""
    parts = [*results.get("format_errors", []), results.get("message"), results.get("output")]
    for test in results.get("tests", []):
        parts += [test.get("name"), test.get("message"), test.get("output")]
    return [part for part in parts if part]


def _not(why: str) -> dict[str, Any]:
    return {"gradable": False, "score": 0, "why": why, "tests": [], "message": ""}
