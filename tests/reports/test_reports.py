from __future__ import annotations

import json
import math
import os
import random
import stat
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from report_checks import LATE, PLACE, SCHEMA_FILE, check, check_report, grade, grades, schema_text

from pytest_backprop.errors import GraderFault, UsageProblem
from pytest_backprop.model import Finding, Grade, GradedCheck, Place
from pytest_backprop.reports import RENDERERS
from pytest_backprop.reports.document import Document, ToolInfo, render
from pytest_backprop.reports.entries import apply_hints, document
from pytest_backprop.reports.text import CUT, FINDINGS_LIMIT, clean
from pytest_backprop.reports.writing import write_atomically

TOOL = ToolInfo(name="pytest-backprop", version="1.0", torch="2.13.0", python="3.11.4")
SETTINGS: dict[str, Any] = {
    "seed": 0,
    "points": 4096,
    "rtol": 5e-5,
    "atol": 1e-7,
    "variant": None,
    "variants": "built-in",
    "roster": None,
    "rubric": None,
    "assignment": None,
    "class_name": None,
    "timeout": 20.0,
    "memory_mb": 2048,
    "sandbox": "auto",
    "hints": "line",
    "lang": "en",
    "kind": "forward-backward",
}


def report(*grades: Grade, seconds: float = 3.0) -> dict[str, Any]:
    return check_report(render(document(grades, SETTINGS, TOOL, seconds)))


def only_check(result: GradedCheck) -> dict[str, Any]:
    found: dict[str, Any] = report(grade("a.py", result))["submissions"][0]["checks"][0]
    return found


# -- the document --------------------------------------------------------------------------------


def test_report_in_full() -> None:
    late = check("release", 0.9, findings=(LATE,), details={"peak": 7, "reference": 5})
    assert report(grade("a.ipynb", check("forward", of=80), late, notes=("adapted",))) == {
        "schema_version": 1,
        "tool": {
            "name": "pytest-backprop", "version": "1.0", "torch": "2.13.0", "python": "3.11.4",
        },
        "settings": SETTINGS,
        "submissions": [
            {
                "path": "a.ipynb",
                "student": "Ann",
                "variant": "v8",
                "variant_source": "roster",
                "status": "graded",
                "score": 98.0,
                "max_score": 100.0,
                "seconds": 1.25,
                "checks": [
                    {
                        "id": "forward",
                        "outcome": "passed",
                        "score": 80.0,
                        "max_score": 80.0,
                        "message": "forward says",
                        "basis": "observed",
                        "findings": [],
                        "details": {},
                        "visibility": "visible", "part": "",
                    },
                    {
                        "id": "release",
                        "outcome": "partial",
                        "score": 18.0,
                        "max_score": 20.0,
                        "message": "release says",
                        "basis": "observed",
                        "findings": [
                            {
                                "kind": "late-release",
                                "message": "t9 kept after line 43 (2 late values)",
                                "path": "a.ipynb",
                                "file": None, "cell": 4, "execution_count": None,
                                "line": 43, "row": None,
                                "column": 15,
                                "source": "        dt10dt7 = t9",
                                "name": "t9",
                                "hint": "write `del t9` after line 43",
                                "level": "fault",
                            }
                        ],
                        "details": {"peak": 7, "reference": 5},
                        "visibility": "visible", "part": "",
                    },
                ],
                "message": "",
                "notes": ["adapted"],
                "student_id": None,
                "email": None,
                "members": [],
                "taken_from": None,
                "late": None,
                "parts": [],
                "adjustment": 0.0,
            }
        ],
        "summary": {
            "submissions": 1, "graded": 1, "mean": 98.0, "median": 98.0, "seconds": 3.0,
        },
        "roster": None,
        "left_out": [],
        "alike": {"pairs": [], "left_out": 0, "compared": 0, "too_few": []},
    }  # fmt: skip


def test_render_keeps_key_order_text_and_ends_in_a_line_break() -> None:
    text = RENDERERS["json"](document([grade("Иванов.py")], SETTINGS, TOOL, 1))
    assert text.startswith('{\n  "schema_version": 1,\n  "tool": {\n    "name": "pytest-backprop"')
    assert "Иванов.py" in text
    assert text.endswith("}\n")


def test_no_submissions() -> None:
    assert report()["summary"] == {
        "submissions": 0, "graded": 0, "mean": None, "median": None, "seconds": 3.0,
    }  # fmt: skip


@pytest.mark.parametrize("visibility", ["visible", "hidden", "after_due_date", "after_published"])
def test_visibility_id_and_email_are_in_the_report(visibility: str) -> None:
    one = msgspec.structs.replace(check(), visibility=visibility)
    (found,) = report(grade("a", one, student_id="=7", email="ann@uni.example"))["submissions"]
    assert [c["visibility"] for c in found["checks"]] == [visibility]
    assert (found["student_id"], found["email"]) == ("=7", "ann@uni.example")


def test_a_visibility_there_is_not_is_not_in_the_schema() -> None:
    one = msgspec.structs.replace(check(), visibility="secret")
    with pytest.raises(jsonschema.ValidationError, match="'secret' is not one of"):
        report(grade("a", one))


def test_mean_and_median_leave_out_what_was_not_judged() -> None:
    lost = check(outcome="not_judged", fraction=0.0)
    found = report(
        grade("a", check(of=100)),
        grade("b", check(fraction=0.0, of=100), status="timeout", message="took 20 s"),
        grade("c", check(fraction=0.2, of=100)),
        grade("d", lost, status="grader_error"),
        grade("e", lost),
    )
    assert found["summary"] == {
        "submissions": 5, "graded": 3, "mean": 40.0, "median": 20.0, "seconds": 3.0,
    }  # fmt: skip


def test_noise_of_floats_does_not_show() -> None:
    found = report(grade("a", check("a", 0.1, 1), check("b", 0.2, 1), score=0.1 + 0.2))
    assert found["submissions"][0]["score"] == 0.3
    found = report(grade("a", check("a", 1 / 3, 1)), seconds=1e-9)
    assert found["submissions"][0]["checks"][0]["score"] == 0.333333
    assert str(found["summary"]["seconds"]) == "0.0"


def test_score_that_is_no_number_is_our_fault() -> None:
    with pytest.raises(GraderFault, match="nan"):
        report(grade("a", score=math.nan))


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        document([], SETTINGS | {"sede": 1}, TOOL, 0)


def test_details_become_plain() -> None:
    details = {
        "error": math.nan,
        "worst": [math.inf, -math.inf, 1e-9],
        "pair": (1, True, None),
        "place": PLACE,
        "big": 2**70,
        "deep": {"a": {"b": "\x1b[31m"}},
        "many": list(range(1500)),
        "other": {1: Path("x")},
    }
    found = only_check(check(details=details))["details"]
    assert found["error"] == "nan"
    assert found["worst"] == ["inf", "-inf", 1e-9]
    assert found["pair"] == [1, True, None]
    assert found["place"]["line"] == 43
    assert found["big"] == hex(2**70)
    assert found["deep"] == {"a": {"b": "\\u001b[31m"}}
    assert found["many"] == [*range(1000), f"{CUT} 500"]
    assert found["other"] == {"1": "x"}


def test_details_that_contain_themselves_end() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert CUT in repr(only_check(check(details={"loop": loop}))["details"])


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("a\0b", "a\\u0000b"),
        ("a\x1b[2Jb", "a\\u001b[2Jb"),
        ("a\nb\tc", "a\nb\tc"),
        ("a\r\nb\rc", "a\nb\\u000dc"),
        ("x\ud800y", "x\ufffdy"),
        ("\u202egnp.py", "\\u202egnp.py"),
        ("\u2066a\u2069\u200f", "\\u2066a\\u2069\\u200f"),
        ("\x85\x9b\u2028\ufeff", "\\u0085\\u009b\\u2028\\ufeff"),
        ("Пётр 李 👩‍🎓", "Пётр 李 👩‍🎓"),
    ],
)
def test_clean_shows_what_hides(text: str, want: str) -> None:
    assert clean(text) == want


@pytest.mark.parametrize(
    ("text", "length"),
    [("x" * 10, 10), ("x" * 11, 10), ("\0" * 9, 10), ("\r\n" * 50, 10), ("\r\n" * 10, 10)],
)
def test_clean_cuts_and_says_so(text: str, length: int) -> None:
    found = clean(text, 10)
    assert len(found) == length
    assert found.endswith(CUT) == (len(text.replace("\r\n", "\n")) > 10 or "\0" in text)


def test_limits_of_text() -> None:
    long = "x" * 20_000
    finding = Finding(
        kind="k", message=long, name=long, hint=long, place=Place(path="a", line=1, source=long)
    )
    found = report(
        grade("a", check(message=long + "\nb", findings=(finding,)), message=long, notes=(long,))
    )["submissions"][0]
    entry = found["checks"][0]["findings"][0]
    lengths = [len(text) for text in (found["message"], found["checks"][0]["message"],
               entry["message"], entry["source"], entry["name"], entry["hint"],
               found["notes"][0])]  # fmt: skip
    assert lengths == [2000, 2000, 2000, 500, 10_000, 10_000, 10_000]
    assert found["message"].endswith("x… (cut)")


def test_message_is_one_line() -> None:
    found = report(grade("a", check(message="a\nb"), message="c\r\nd"))["submissions"][0]
    assert (found["message"], found["checks"][0]["message"]) == ("c d", "a b")


def test_findings_are_capped_and_faults_go_last() -> None:
    notes = tuple(Finding(kind="n", message=f"note {n}", level="note") for n in range(150))
    faults = tuple(Finding(kind="f", message=f"fault {n}") for n in range(150))
    found = only_check(check(findings=notes + faults))["findings"]
    assert len(found) == FINDINGS_LIMIT + 1
    assert [f["message"] for f in found[:150]] == [f"fault {n}" for n in range(150)]
    assert (found[-1]["kind"], found[-1]["level"], found[-1]["message"]) == (
        "more-findings", "note", "100 more left out",
    )  # fmt: skip
    assert len(only_check(check(findings=faults))["findings"]) == 150


def hinted(level: Any) -> list[dict[str, Any]]:
    faulty = Finding(kind="faulty-line", message="it goes wrong here", place=PLACE)
    made = document([grade("a", check(findings=(LATE, faulty)))], SETTINGS, TOOL, 0)
    found = check_report(render(apply_hints(made, level)))
    findings: list[dict[str, Any]] = found["submissions"][0]["checks"][0]["findings"]
    return findings


def test_hints() -> None:
    assert [f["kind"] for f in hinted("line")] == ["late-release", "faulty-line"]
    assert hinted("none") == [
        {
            "kind": "late-release",
            "message": "t9 kept after line 43 (2 late values)",
            "path": "a.ipynb",
            "cell": None,
            "execution_count": None,
            "file": None,
            "line": None,
            "row": None,
            "column": None,
            "source": None,
            "name": None,
            "hint": None,
            "level": "fault",
        }
    ]


# -- hypothesis: any text, any order -------------------------------------------------------------


@settings(max_examples=60)
@given(st.lists(grades, max_size=4), st.randoms(use_true_random=False))
def test_any_text_in_any_order_gives_the_same_valid_report(
    made: list[Grade], shuffle: random.Random
) -> None:
    text = render(document(made, SETTINGS, TOOL, 1))
    check_report(text)
    other = list(made)
    shuffle.shuffle(other)
    assert render(document(other, SETTINGS, TOOL, 1)) == text


# -- files ---------------------------------------------------------------------------------------


def test_shipped_schema_is_the_types() -> None:
    """To make it anew: `make schema`."""
    assert SCHEMA_FILE.read_text(encoding="utf-8") == schema_text()


def test_every_key_of_the_schema_is_described() -> None:
    for name, struct in json.loads(schema_text())["$defs"].items():
        for key, entry in struct["properties"].items():
            if "$ref" not in entry and key not in ("findings",):
                assert entry.get("description"), f"{name}.{key}"
        assert struct["additionalProperties"] is False
        assert set(struct["required"]) == set(struct["properties"])


def test_write_makes_folders_and_replaces(tmp_path: Path) -> None:
    path = tmp_path / "new" / "r.json"
    for text in ("one Ж\n", "two\n"):
        write_atomically(path, text)
        assert path.read_bytes() == text.encode()
        assert os.listdir(path.parent) == ["r.json"]


@pytest.mark.skipif(os.name == "nt", reason="no umask")
@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600)])
def test_write_respects_the_umask(tmp_path: Path, umask: int, mode: int) -> None:
    old = os.umask(umask)
    try:
        write_atomically(tmp_path / "r.json", "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "r.json").stat().st_mode) == mode


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_old_report_survives_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "r.json"
    path.write_text("old", encoding="utf-8")
    monkeypatch.setattr(os, step, full)
    with pytest.raises(UsageProblem, match=r"r\.json cannot be written: No space left"):
        write_atomically(path, "new")
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["r.json"]


def test_write_to_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "afile").touch()
    for path in (tmp_path, tmp_path / "afile" / "r.json", tmp_path / ("x" * 300)):
        with pytest.raises(UsageProblem) as caught:
            write_atomically(path, "x")
        assert str(path) in caught.value.message
    assert os.listdir(tmp_path) == ["afile"]


@pytest.mark.skipif(os.name == "nt", reason="links and devices")
def test_write_follows_links_and_spares_devices(tmp_path: Path) -> None:
    target = tmp_path / "target.json"
    link = tmp_path / "link.json"
    link.symlink_to(target)
    write_atomically(link, "x")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "x"
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(fifo, "x")
    assert os.read(reader, 10) == b"x"
    os.close(reader)
    assert stat.S_ISFIFO(fifo.stat().st_mode)


def test_document_is_frozen() -> None:
    made = document([], SETTINGS, TOOL, 0)
    assert isinstance(made, Document)
    with pytest.raises(AttributeError):
        made.summary = made.summary  # type: ignore[misc]


@pytest.mark.parametrize(("score", "adjustment"), [(90.0, -10.0), (105.5, 5.5), (0.0, -100.0)])
def test_a_score_that_a_plugin_changed_is_the_checks_and_the_adjustment(
    score: float, adjustment: float
) -> None:
    entry = report(grade("a.py", score=score))["submissions"][0]
    assert (entry["score"], entry["adjustment"]) == (score, adjustment)
