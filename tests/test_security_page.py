"""docs/security.md names the tests that hold what it says; they are there."""

from __future__ import annotations

import re
from pathlib import Path

from attack_class import attacks, given_up

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "security.md").read_text(encoding="utf-8")


def test_every_test_that_is_named_is_there() -> None:
    found = 0
    for line in PAGE.split("\n"):
        file = ""
        for name, test in re.findall(r"`(test_\w+\.py)?(?:::(test_\w+))?`", line):
            file = name or file
            if file:
                (path,) = TESTS.rglob(file)
                assert not test or f"def {test}(" in path.read_text(encoding="utf-8")
                found += 1
    assert found > 15


def test_every_attack_that_is_named_is_there() -> None:
    known = {case.path.stem.removesuffix("_v902") for case in (*attacks(), *given_up())}
    named = set(re.findall(r"`((?:tamper|transform|numeric|forge)_\w+)`", PAGE))
    assert named
    assert named <= known


def test_every_attack_that_is_given_up_is_named() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE))
    assert {case.path.stem.rpartition("_")[0] for case in given_up()} <= named
