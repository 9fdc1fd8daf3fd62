"""A fresh class of what `tests/accuracy/alike.py` measures, and the same class through pytest itself.

The seed is printed, and the same each time; `BACKPROP_ACCURACY_SEED=$RANDOM` tries others.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import pytest
from alike import HEAD, Member, Order, make_class, told_of
from copies import copied
from made_variants import make_variant
from plugin_samples import lay_out, run_pytest, timeless

pytestmark = pytest.mark.long

SEED = int(os.environ.get("BACKPROP_ACCURACY_SEED") or 20261124)


@pytest.fixture(scope="module")
def members(request: pytest.FixtureRequest) -> list[Member]:
    """Independent programs and two copies."""
    made = make_class(Order("drawn", SEED, originals=9, copies=2))
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled() if capture else contextlib.nullcontext():
        print(f"\nBACKPROP_ACCURACY_SEED={SEED}\n{HEAD}\n{told_of(made).row('drawn 9, 2 copies')}")
    return made


def test_copies_are_told_and_independent_programs_are_not(members: list[Member]) -> None:
    told = told_of(members)
    assert (told.copies, told.found, told.false) == (2, 2, 0), SEED


def test_a_copy_is_another_text_that_earns_much_the_same(members: list[Member]) -> None:
    for copy in (member for member in members if member.is_copy):
        original = members[copy.root]
        assert copy.text != original.text
        assert set(copy.text.split("\n")) - set(original.text.split("\n"))
        assert copy.grade.traits
    assert copied(members[0].text, 1) == copied(members[0].text, 1)


def test_the_pair_is_told_on_the_terminal_in_the_report_and_on_a_page(
    members: list[Member], tmp_path: Path
) -> None:
    """By several processes as by one, and again out of the journal."""
    variant = make_variant(SEED)
    names = [f"s{n:02}_{variant.name}.py" for n in range(len(members))]
    lay_out(tmp_path, {f"tasks/{variant.name}.py": variant.text})
    lay_out(tmp_path / "class", {n: m.text for n, m in zip(names, members, strict=True)})
    ask = ("--backprop", "class", "--backprop-variants=tasks", "--backprop-report=json:report.json",
           "--backprop-report=html:pages")  # fmt: skip
    run = run_pytest(tmp_path, *ask, "--backprop-executor=local:2")
    pairs = [pair["paths"] for pair in run.report["alike"]["pairs"]]
    assert sorted(pairs) == [[f"class/{names[0]}", f"class/{names[9]}"],
                             [f"class/{names[1]}", f"class/{names[10]}"]]  # fmt: skip
    assert "2 pairs are more alike than their task makes them: see pages/alike.html" in run.out
    page = (tmp_path / "pages" / "alike.html").read_text(encoding="utf-8")
    assert names[0] in page
    assert names[2] not in page
    again = run_pytest(tmp_path, *ask, "--backprop-resume")
    assert f"{len(members)} grades were taken from the journal" in again.out
    assert timeless(again) == timeless(run)
    assert again.code == run.code
