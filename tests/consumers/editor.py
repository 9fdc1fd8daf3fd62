"""An editor that finds places in the output of a command, as the problem matcher of docs/editors.md says."""

from __future__ import annotations

import functools
import json
import re
from typing import Any, NamedTuple

from doc_pages import read


class Problem(NamedTuple):
    file: str
    line: int
    column: int
    severity: str
    message: str


@functools.cache
def matcher() -> dict[str, Any]:
    (block,) = (b for b in read("editors.md").blocks if b.title == ".vscode/tasks.json")
    first: dict[str, Any] = json.loads(block.text)["tasks"][0]
    return first


def problems(output: str) -> list[Problem]:
    """Those that it lists. JavaScript's `.` stops at these line ends alone."""
    pattern = matcher()["problemMatcher"]["pattern"]
    found = []
    for line in re.split("\r\n|[\n\r\u2028\u2029]", output):
        if match := re.search(pattern["regexp"], line):
            values = [match[pattern[field]] for field in Problem._fields]
            found.append(Problem(values[0], int(values[1]), int(values[2]), *values[3:]))
    return found
