"""The schema that pytest's own tests hold its XML to: `testing/example_scripts/junit-10.xsd` of
pytest (from Jenkins's xunit plugin, MIT), vendored."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import xmlschema

_SCHEMA = xmlschema.XMLSchema(Path(__file__).parent.parent / "vendor" / "junit-10.xsd")


def accept(path: Path) -> ElementTree.Element:
    """The suite of a report: valid, its figures those of its test cases, their names unique."""
    _SCHEMA.validate(path)
    (suite,) = ElementTree.parse(path).getroot()
    cases = suite.findall("testcase")
    names = [(case.get("classname"), case.get("name")) for case in cases]
    assert len(set(names)) == len(names)
    assert int(suite.get("tests", "")) == len(cases)
    assert int(suite.get("failures", "")) == len(suite.findall("testcase/failure"))
    return suite


def properties(suite: ElementTree.Element) -> dict[str, str]:
    return {p.get("name", ""): p.get("value", "") for p in suite.findall("properties/property")}
