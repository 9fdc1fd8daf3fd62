"""CTRF's own JSON Schema: `src/ctrf-schema-0.0.json` of the npm package ctrf 0.3.0 (MIT), vendored
with its licence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema

SCHEMA = Path(__file__).parent.parent / "vendor" / "ctrf-schema-0.0.json"
_VALIDATOR = jsonschema.Draft7Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def accept(text: str) -> dict[str, Any]:
    """The report, valid; its summary counts its tests."""
    report: dict[str, Any] = json.loads(text)
    _VALIDATOR.validate(report)
    results = report["results"]
    statuses = [test["status"] for test in results["tests"]]
    assert results["summary"]["tests"] == len(statuses)
    for status in ("passed", "failed", "skipped", "pending", "other"):
        assert results["summary"][status] == statuses.count(status)
    names = [test["name"] for test in results["tests"]]
    assert len(set(names)) == len(names)
    return report
