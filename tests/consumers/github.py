"""What GitHub makes of our results: Classroom's reporter (ported from `src/main.js`,
`console-results.js`, `helpers/test-helpers.js` and `notify-classroom.js` of
classroom-resources/autograding-grading-reporter, at 43c2d9f), and the runner, which takes printed lines
for commands."""

from __future__ import annotations

import base64
import json
import math
import re
from typing import Any

OUTPUT_BYTES = 1024 * 1024
"""Most of all outputs of a job; Classroom's own limit is lower, see `accept`."""
ENV_BYTES = 128 * 1024
"""Linux refuses a longer variable, and the reporter reads its results from one."""


def accept(text: str) -> dict[str, Any]:
    """`posted` (points and maximum, None if nothing is posted), `console` (the points in its log: the
    share of tests that passed, whatever their scores), `printed` (the log), `failed`."""
    encoded = base64.b64encode(text.encode()).decode()
    assert len("BACKPROP_RESULTS=") + len(encoded) < ENV_BYTES
    assert len(text.encode()) < 96 * 1024
    results = json.loads(base64.b64decode(encoded).decode("utf-8"))
    tests = results["tests"]
    assert tests, "the reporter divides by their number"
    printed = ["🔄 Processing: backprop"]
    for test in tests:
        assert isinstance(test["score"], int | float)
        assert math.isfinite(test["score"])
        assert test["line_no"] == 0, "any other is printed as a line"
        if test["status"] == "error":
            printed.append(f"Error: {test.get('message') or 'Failed to run test'}")
        else:
            printed.append(("✅ " if test["status"] == "pass" else "❌ ") + test["name"])
        if test.get("test_code"):
            printed.append(f"Test code:\n{test['test_code']}\n")
    posted = None
    if results["max_score"]:
        posted = (math.fsum(test["score"] for test in tests), results["max_score"])
    passed = sum(1 for test in tests if test["status"] == "pass")
    return {
        **results,
        "posted": posted,
        "console": passed / len(tests) * results["max_score"],
        "printed": "\n".join(printed),
        "failed": results["status"] in ("fail", "error"),
    }


def commands(log: str) -> list[dict[str, Any]]:
    """The commands that the runner finds in a log: its second form (`::name key=value::data`), and in
    a line that is none its first (`##[name]`, anywhere), as `TryProcessCommand` does. None are found
    between `::stop-commands::` and its token."""
    found = []
    resume = None
    for line in log.split("\n"):
        if resume is not None:
            resume = None if line.strip() == f"::{resume}::" else resume
            continue
        if line.strip().startswith("::stop-commands::"):
            resume = line.strip().removeprefix("::stop-commands::")
            continue
        text = line.strip()
        if not text.startswith("::") or "::" not in text[2:]:
            if "##[" in line:
                found.append({"name": line.partition("##[")[2]})
            continue
        head, _, data = text[2:].partition("::")
        name, _, properties = head.partition(" ")
        keys = dict(pair.split("=", 1) for pair in properties.split(",") if "=" in pair)
        found.append(
            {"name": name, "data": _data(data), **{k: _property(v) for k, v in keys.items()}}
        )
    return found


def _data(text: str) -> str:
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escape, character)
    return text


def _property(text: str) -> str:
    for escape, character in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ",")):
        text = text.replace(escape, character)
    return text.replace("%25", "%")


def harmless(log: str) -> bool:
    """Whether nothing of a log is a command."""
    return not commands(log) and not re.search("(?m)^\\s*::", log)
