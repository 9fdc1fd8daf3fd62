"""Whatever a submission makes large, its entry in a report has at most 200 KB, and says what it lacks."""

from __future__ import annotations

import json
from typing import Any

import pytest
from plugin_samples import RIGHT, WRONG, Run, grade_folder
from report_checks import check, grade
from sampling import few

from pytest_backprop.model import Finding, Grade, Place
from pytest_backprop.reports.document import ToolInfo, render
from pytest_backprop.reports.entries import ENTRY_LIMIT, document

SETTINGS = {
    "seed": 0, "points": 8, "rtol": 5e-5, "atol": 1e-7, "variant": None, "variants": "built-in",
    "roster": None, "assignment": None, "rubric": None, "class_name": None, "timeout": 20.0,
    "memory_mb": 2048,
    "sandbox": "auto", "hints": "line", "lang": "en", "kind": "forward-backward",
}  # fmt: skip
CHECKS = ("forward", "manual-forward", "gradient", "unused-nodes", "release", "integrity", "onnx")


def entry_sizes(text: str) -> dict[str, int]:
    """Bytes of each submission's entry, as it stands in the text of a report."""
    lines, sizes = text.split("\n"), {}
    start = None
    for number, line in enumerate(lines):
        if line == "    {":
            start = number
        elif line.startswith("    }") and start is not None and '      "path"' in lines[start + 1]:
            part = "\n".join(lines[start : number + 1])
            sizes[json.loads(part.rstrip(","))["path"]] = len(part.encode())
    return sizes


def entry_of(made: Grade) -> dict[str, Any]:
    text = render(document([made], SETTINGS, ToolInfo("pytest-backprop", "0", "0", "3"), 1.0))
    (size,) = entry_sizes(text).values()
    assert size <= ENTRY_LIMIT
    entry: dict[str, Any] = json.loads(text)["submissions"][0]
    return entry


def test_notes_are_capped_and_the_last_are_kept() -> None:
    notes = tuple(f"note {n}" for n in range(1000))
    entry = entry_of(grade("a.py", check("forward", 1.0), notes=notes))
    assert len(entry["notes"]) == 201
    assert entry["notes"][0] == "note 0"
    assert entry["notes"][100] == "800 more left out"
    assert entry["notes"][-1] == "note 999"


def test_findings_that_are_notes_are_capped_like_faults() -> None:
    findings = tuple(Finding("mutates", f"note {n}", "note") for n in range(1000))
    entry = entry_of(grade("a.py", check("forward", 1.0, findings=findings)))
    told = entry["checks"][0]["findings"]
    assert [told[0]["message"], told[-1]["message"]] == ["note 0", "800 more left out"]
    assert len(told) == 201


@pytest.mark.parametrize("character", few(["\0", "x", "\\", "я", "\U0001f600"]), ids=ascii)
@pytest.mark.parametrize(
    ("length", "findings", "notes"),
    [(100, 250, 300), pytest.param(3_000, 20, 20, marks=pytest.mark.long), (1, 3, 0)],
)
def test_no_entry_is_larger(character: str, length: int, findings: int, notes: int) -> None:
    text = name = path = character * length
    place = Place(path=path, line=1, column=1, cell=1, source=text)
    finding = Finding(kind="late-release", message=text, place=place, name=name, hint=text)
    nested: Any = text
    for _ in range(5):
        nested = {name[:20] + str(n): nested for n in range(2)}
    details = {"nested": nested, "reproducer": text, "repairs": [text] * 50}
    checks = [check(id, 0.0, message=text, findings=(finding,) * findings, details=details)
              for id in CHECKS]  # fmt: skip
    made = grade(path, *checks, student=name, message=text, notes=(text,) * notes)
    entry = entry_of(made)
    assert [c["id"] for c in entry["checks"]] == list(CHECKS)
    for told in entry["checks"]:
        shown = told["findings"]
        left = [f for f in shown if f["kind"] == "more-findings"]
        missing = int(left[0]["message"].partition(" ")[0]) if left else 0
        assert len(shown) - len(left) + missing == findings
        assert len(shown) > len(left)


def unused(count: int) -> str:
    lines = "".join(f"        u = a * {n}.0\n" for n in range(count))
    return RIGHT.replace("        y = a * b", f"{lines}        del u\n        y = a * b")


LONG = "n" * 50_000
HOSTILE: dict[str, str | bytes] = {
    "unused_v1.py": unused(250),
    "names_v1.py": RIGHT.replace("a = w0 * x1", f"a = {LONG} = w0 * x1").replace(
        "        y = a * b", "".join(f"        {LONG}{n} = a * {n}.0\n" for n in range(9))
        + "        y = a * b"),
    "line_v1.py": WRONG.replace("dw1 = a * x3", "dw1 = a * x3 + 0.0 * len('" + "я" * 100_000 + "')"),
    "message_v1.py": RIGHT.replace("        a = w0", "        raise ValueError('\\x1b' * 10**7)\n        a = w0"),
    "right_v1.py": RIGHT,
}  # fmt: skip


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("large")
    pages = "--backprop-report=html:pages"
    return grade_folder(folder, HOSTILE, pages, "--backprop-points=256")


@pytest.mark.parametrize("name", HOSTILE)
def test_the_entry_of_a_hostile_submission(run: Run, name: str) -> None:
    sizes = entry_sizes((run.folder / "report.json").read_text(encoding="utf-8"))
    assert sizes[f"class/{name}"] <= ENTRY_LIMIT
    entry = run.by_name[name]
    assert entry["status"] == ("graded" if name != "message_v1.py" else entry["status"])
    assert entry["score"] == 100 if name == "right_v1.py" else entry["score"] < 100
    page = max((len(p.read_bytes()) for p in (run.folder / "pages").rglob("*.html")), default=0)
    assert 0 < page < 3_000_000


def test_all_unused_nodes_are_counted(run: Run) -> None:
    told = run.check("unused_v1.py", "unused-nodes")
    assert told["message"].endswith("(and 249 more)")
    assert told["details"]["unused"] == 250
    shown = [f for f in told["findings"] if f["kind"] == "unused-node"]
    more = [f["message"] for f in told["findings"] if f["kind"] == "more-findings"]
    assert more == [f"{250 - len(shown)} more left out"]
