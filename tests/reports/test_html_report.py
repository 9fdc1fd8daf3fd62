"""The HTML report as text: what is on a page, what hints hide, and that nothing in it can act."""

from __future__ import annotations

import hashlib
import io
import json
import re
from base64 import b64encode
from pathlib import Path

import jinja2.ext
import msgspec
import pytest
from html_pages import DRAWING, WRONG, Page, by_path, drawn, made, pages, student_page
from hypothesis import given, settings, strategies as st
from report_checks import LATE, check, grade, grades, texts

from pytest_backprop import messages
from pytest_backprop.likeness import page as alike_page
from pytest_backprop.model import Finding, Grade, Place
from pytest_backprop.model.drawing import Drawing, Fragment
from pytest_backprop.reports import document as published, html_report
from pytest_backprop.reports.feedback import shared_faults
from pytest_backprop.reports.html_report import files
from pytest_backprop.reports.html_report.site import _coloured

HERE = Path(__file__).parents[1]
REPORT = Path(html_report.__file__).parent


# -- the class -------------------------------------------------------------------------------------


def late(path: str, **changes: object) -> Grade:
    found = (
        Finding(kind="late-release", message="kept"),
        Finding(kind="late-release", message="b"),
    )
    return grade(path, check("forward", of=80), check("release", 0.5, findings=found), **changes)


def test_a_row_a_submission_and_a_link_to_its_page() -> None:
    written = pages([grade("b.py"), grade("a.py"), late("c.py")])
    page = Page(written["index.html"])
    links = [a["href"] for a in page.all("a") if str(a["href"]).startswith("students/")]
    assert set(links) == set(written) - {"index.html"}
    rows = [a for a in page.all("tr") if "data-status" in a]
    assert [row["data-lost"] for row in rows] == ["", "", "release"]


def test_a_submission_counts_once_for_a_fault_however_often_it_has_it() -> None:
    stopped = Finding(kind="syntax-error", message="no Python")
    broken = grade("d.py", check("forward", 0, 80, findings=(stopped,)),
                   check("release", 0, findings=(stopped,)), status="unreadable")  # fmt: skip
    found = shared_faults(made([late("a.py"), late("b.py"), broken]))
    assert [(f.check, f.kind, len(f.submissions)) for f in found] == [
        ("release", "late-release", 2),
        (None, "syntax-error", 1),
    ]


@pytest.mark.parametrize(
    ("shares", "counts"),
    [
        ([], [0] * 10),
        ([0, 0.05, 0.1, 0.999, 1], [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]),
        ([0.3, 0.7, 0.2999], [0, 0, 1, 1, 0, 0, 0, 1, 0, 0]),
    ],
)
def test_distribution(shares: list[float], counts: list[int]) -> None:
    grades = [
        grade(f"{n}.py", check("forward", 1.0, 1), score=share, max_score=1.0)
        for n, share in enumerate(shares)
    ]
    cells = re.findall(
        r"<td>\d+–\d+</td><td class=\"number\">(\d+)</td>", pages(grades)["index.html"]
    )
    assert [*map(int, cells)] == (counts if shares else [])


def test_what_was_not_judged_has_no_score() -> None:
    lost = grade("a.py", check(outcome="not_judged", fraction=0.0), status="grader_error")
    page = pages([lost, grade("b.py")])["index.html"]
    assert 'data-value="-1">–</td>' in page
    (shown,) = (text for name, text in pages([lost]).items() if name != "index.html")
    assert "<dd>–<span" in shown


def test_what_stands_in_backticks_is_code_on_a_page_and_stays_text_elsewhere() -> None:
    late = Finding("late-release", "`t7` is kept, `<b>`", place=None, hint="write `del t7` & go on")
    lone = Finding("unused-node", "a ` alone", hint="``")
    late_one = grade("a.py", check("release", 0.0, message="`t7` is late", findings=(late, lone)),
                     notes=("`def v8()` told it",))  # fmt: skip
    text = student_page(late_one)
    for shown in ("<code>t7</code> is kept, <code>&lt;b&gt;</code>", "write <code>del t7</code> &amp; go",
                  "<code>t7</code> is late", "<code>def v8()</code> told it", "a ` alone", "``"):  # fmt: skip
        assert shown in text
    assert "`t7` is kept" in published.render(made([late_one]))


def test_an_empty_class_has_a_page() -> None:
    assert "Nothing was graded." in pages([])["index.html"]


def test_names_of_pages_are_readable_unique_and_lasting() -> None:
    paths = [
        "Hw 1/Анна.py",
        "Hw 1/Анна.py",
        "../../etc/passwd",
        "a" * 300,
        "A.py",
        "a.py",
        "?#%.py",
    ]
    first = set(pages([grade(path) for path in paths]))
    assert len({name.lower() for name in first}) == len(paths) + 1
    assert all(re.fullmatch(r"students/[A-Za-z0-9-]{0,60}\.html|index\.html", n) for n in first)
    assert first > set(pages([grade("A.py"), grade("new.py")])) - set(pages([grade("new.py")]))


# -- a submission ----------------------------------------------------------------------------------


def test_findings_stand_at_their_lines() -> None:
    text = student_page(drawn())
    line = text[text.index('id="C4L44"') : text.index('id="C4L45"')]
    assert '<div class="line fault"' in text
    assert "d y / d w0 is wrong" in line
    assert "Hint: follow each path" in line
    assert 'href="#C4L44">cell 4, line 44</a>' in text


def test_a_page_opens_with_what_to_fix_first() -> None:
    text = student_page(drawn())
    card = text[text.index('<section class="verdict') : text.index("<main")]
    assert '<a href="#C4L44">Fix first: cell 4, line 44</a>' in card
    assert "y = t9 + x1</pre>" in card
    assert "Hint: follow each path" in card
    assert text.index('id="source"') < text.index('id="checks"') < text.index('id="graph"')


def test_a_breach_is_fixed_before_what_it_costs() -> None:
    breach = Finding(kind="autograd", message="the pass is not manual")
    one = grade(
        "a.py", check("gradient", 0, of=40), check("integrity", 0, of=0, findings=(breach,))
    )
    (first,) = [text for name, text in pages([one]).items() if name != "index.html"]
    card = first[first.index("Fix first: integrity") :]
    assert card.index("the pass is not manual") < card.index("<main")


def test_nothing_is_to_fix_where_nothing_was_lost() -> None:
    told = "Nothing to fix"
    assert told in student_page(grade("a.py", check("forward"), check("release")))
    hidden = msgspec.structs.replace(check("release", 0.5), visibility="hidden")
    for other in (drawn(), grade("a.py", check("forward"), hidden)):
        assert told not in student_page(other)


def test_findings_of_one_kind_stand_in_one_table() -> None:
    found = tuple(
        Finding(kind="late-release", message=f"`{name}` is late", name=name) for name in "abc"
    )
    text = student_page(grade("a.py", check("release", 0.7, findings=(*found, WRONG))))
    (table,) = re.findall(r'<table class="findings.*?</table>', text, re.DOTALL)
    assert "late-release · 3" in table
    assert table.count("<tr>") == 4
    assert "d y / d w0 is wrong" not in table


def test_cells_without_findings_are_folded() -> None:
    fragments = (Fragment(2, 1, ("import torch",)), *DRAWING.fragments)
    drawing = msgspec.structs.replace(DRAWING, fragments=fragments)
    opened = '<details class="cell" open><summary>'
    text = student_page(drawn(drawing=drawing))
    assert '<details class="cell"><summary>Cell 2, 1 line</summary>' in text
    assert f"{opened}Cell 4, 5 lines</summary>" in text
    right = msgspec.structs.replace(grade("a.py", check()), drawing=drawing)
    assert f"{opened}Cell 4" in student_page(right)  # the pass is what there is to see
    assert student_page(right).count(opened) == 1


def test_a_file_is_shown_whole() -> None:
    drawing = msgspec.structs.replace(DRAWING, fragments=(Fragment(None, 1, ("x = 1",) * 90),))
    at_a_line = msgspec.structs.replace(WRONG, place=Place("a.py", 38))
    for findings in ((), (at_a_line,)):
        one = grade("a.py", check("gradient", 0.5, findings=findings))
        text = student_page(msgspec.structs.replace(one, drawing=drawing))
        assert re.findall(r'id="L(\d+)"', text) == [str(n + 1) for n in range(90)]
        assert '<details class="cell"' not in text


def test_nodes_and_lines_lead_to_each_other() -> None:
    page = Page(student_page(drawn()))
    ids = set(page.ids())
    nodes = {node["id"]: node for node in page.data["nodes"]}
    assert [n["href"] for n in nodes.values() if n.get("href")] == ["#C4L42", "#C4L43", "#C4L44"]
    for attributes in page.all("a"):
        href = str(attributes["href"])
        if href.startswith("#"):
            assert href[1:] in ids | set(nodes)
    assert "#node0" in {a["href"] for a in page.all("a")}


def test_marks_of_nodes() -> None:
    nodes = {node["id"]: node for node in Page(student_page(drawn())).data["nodes"]}
    assert nodes["node0"]["late"]
    assert nodes["node0"]["lines"] == ["t9", "mul :42", "kept too long"]
    assert nodes["node1"]["kind"] == "unused"
    assert nodes["node1"]["label"] == "waste, add, cell 4, line 43, reaches nothing, unused"
    assert nodes["node2"]["kind"] == "wrong"
    assert nodes["node3"]["lines"] == ["clone", ""]
    assert {n["id"] for n in nodes.values() if n["kind"] in ("leaf", "target")} == {
        "leaf0", "leaf1", "target0", "target1",
    }  # fmt: skip


def test_a_faulty_line_is_marked_whatever_check_found_it() -> None:
    place = drawn().checks[1].result.findings[0].place
    found = Finding(kind="faulty-line", message="here", place=place)
    one = msgspec.structs.replace(
        grade("a", check(findings=(found,), fraction=0.5)), drawing=DRAWING
    )
    nodes = {node["id"]: node for node in Page(student_page(one)).data["nodes"]}
    assert nodes["node2"]["kind"] == "wrong"


def test_live_ranges_and_counts() -> None:
    text = student_page(drawn())
    assert text.count('<rect class="tail"') == 1
    assert text.count('<rect class="kept"') == 1
    assert text.count('<rect class="alive"') == 3
    assert "At most 3 values were alive at once; torch&#39;s autograd keeps at most 2" in text


def test_live_ranges_share_one_axis() -> None:
    """Four steps: bars begin and end with them, and so does the curve of live values."""
    text = student_page(drawn())
    bars = re.findall(r'class="(alive|tail|kept)" x="([\d.]+)%" y="\d+" width="([\d.]+)%"', text)
    assert [(kind, float(x), float(width)) for kind, x, width in bars] == [
        ("alive", 0, 75), ("tail", 75, 25), ("alive", 25, 25), ("alive", 50, 25), ("kept", 75, 25),
    ]  # fmt: skip
    assert 'viewBox="0 0 4 3"' in text
    assert '<path class="curve" d="M0 3 V2 H1 V1 H2 V0 H3 V1 H4"/>' in text
    lines = re.findall(
        r'<text class="muted" x="([\d.]+)%" y="12" text-anchor="middle">(\d+)<', text
    )
    assert lines == [("12.5", "42"), ("37.5", "43"), ("62.5", "44")]
    levels = re.findall(r'<text class="muted" x="-8" y="[\d.]+" text-anchor="end">(\d+)<', text)
    assert levels == ["0", "1", "2", "3"]


def test_hints_none_marks_nothing() -> None:
    text = student_page(drawn(), "none")
    page = Page(text)
    assert not [a for _, a in page.tags if "fault" in str(a.get("class"))
                and str(a.get("class")).startswith("line")]  # fmt: skip
    assert {n["kind"] for n in page.data["nodes"]} == {"forward", "backward", "leaf", "target"}
    assert not any(node.get("late") for node in page.data["nodes"])
    for gone in ('class="tail"', 'class="kept"', "kept too long", "last used", "Hint:", "print(1)",
                 "wrong line", "cell 4, line 44</a>: "):  # fmt: skip
        assert gone not in text
    assert "Hint:" in student_page(drawn(), "line")
    assert "print(1)" in student_page(drawn(), "line")


def test_nothing_is_kept_too_long_where_no_check_is_about_it() -> None:
    one = drawn()
    others = tuple(each for each in one.checks if each.result.id != "release")
    text = student_page(msgspec.structs.replace(one, checks=others))
    assert any(node.get("late") for node in Page(student_page(one)).data["nodes"])
    assert not any(node.get("late") for node in Page(text).data["nodes"])
    assert text.count('<rect class="kept"') == 2
    assert '<rect class="tail"' not in text


def test_without_a_drawing_the_page_has_the_grade() -> None:
    text = student_page(drawn(drawing=None))
    assert "cell 4, line 44: " in text
    assert "Computation graph" not in text


def test_what_is_left_out_is_told() -> None:
    cut = msgspec.structs.replace(DRAWING, left_out=4600, lines_left_out=1)
    text = student_page(drawn(drawing=cut))
    assert "4600 ops are left out" in text
    assert "1 line is left out" in text


def test_a_page_that_may_be_handed_on_names_nobody_else() -> None:
    names = ("before_zoe", "of_ann", "then_yuri")
    found = dict(files(made([grade(f"{name}.py", check(), student=name) for name in names]), {}))
    for page, text in found.items():
        if page.startswith("students/"):
            assert (
                sum(
                    name.encode() in text or name.replace("_", "-").encode() in text
                    for name in names
                )
                == 1
            )


def test_a_hidden_release_draws_no_bar_as_fine() -> None:
    shown = student_page(drawn())
    assert "alive and still needed" in shown
    one = drawn()
    checks = tuple(
        msgspec.structs.replace(c, visibility="hidden") if c.result.id == "release" else c
        for c in one.checks
    )
    assert checks != one.checks
    hidden = student_page(msgspec.structs.replace(one, checks=checks))
    assert "still needed" not in hidden
    assert "too long is not shown here" in hidden
    assert 'class="key tail"' not in hidden


def test_a_page_that_may_be_handed_on_has_no_hidden_check() -> None:
    hidden = msgspec.structs.replace(check("release", 0.5, findings=(LATE,)), visibility="hidden")
    one = grade("a.ipynb", check("forward", of=80), hidden, notes=("release was judged in part",))
    page = student_page(one)
    assert "forward" in page
    assert LATE.message not in page
    assert "release was judged in part" not in page
    assert ">90<" in page  # of 100, all points counted
    assert "release" in pages([one])["index.html"]  # the instructor's


def test_nobodys_page_shows_anothers_work() -> None:
    """A path with an escape in it, and one that spells the escape out, read alike once cleaned."""
    both = [drawn("a\x1b.py"), drawn("a\\u001b.py")]
    assert not by_path(both)
    assert all("Computation graph" not in text for text in pages(both).values())


def test_no_line_of_the_source_is_lost() -> None:
    lines = (
        "",
        '"""open',
        "\x0c",
        "\r",
        "\u2028",
        "'",
        "\\",
        "%magic",
        "x = (",
        "\0",
        "",
        "\tif",
        "",
    )
    assert len(_coloured(lines)) == len(lines)


@settings(max_examples=100)
@given(st.lists(texts.map(lambda text: text.replace("\n", " ")), min_size=1, max_size=6))
def test_no_line_of_any_source_is_lost(lines: list[str]) -> None:
    assert len(_coloured(tuple(lines))) == len(lines)


# -- hostile text ----------------------------------------------------------------------------------

EVIL = (
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "javascript:alert(1)",
    "\"><svg onload=alert(1)>", "' onmouseover='alert(1)", "{{ 7 * 7 }}{% raw %}", "<!--", "]]>",
    "\x1b[2J\0\u202e\u2066", "\ud800", "&lt;b&gt;&amp;", "{0.__class__}", "<style>*{display:none}",
)  # fmt: skip
TAGS = set(
    "html head meta title link body a header h1 h2 h3 dl div dt dd main section svg line rect text "
    "path defs pattern details summary table caption thead tr th tbody td p form label input select option "
    "button output footer script nav ul li span code strong em pre wbr".split()
)


def evil(text: str) -> Grade:
    finding = Finding(text, text, place=None, name=text, hint=text)
    placed = msgspec.structs.replace(drawn().checks[1].result.findings[0], kind=text, message=text)
    drawing = msgspec.structs.replace(
        DRAWING,
        fragments=(Fragment(4, 41, (text.replace("\n", " "),) * 5),),
        leaves=(text, text),
        nodes=tuple(msgspec.structs.replace(n, op=text, name=text) for n in DRAWING.nodes),
        targets=tuple(msgspec.structs.replace(t, label=text) for t in DRAWING.targets),
        lives=tuple(msgspec.structs.replace(life, label=text) for life in DRAWING.lives),
    )
    one = check("gradient", 0.5, of=40, message=text, findings=(finding, placed),
                details={"reproducer": text})  # fmt: skip
    return grade(
        text, one, student=text, variant=text, message=text, notes=(text,), drawing=drawing
    )


def check_inert(text: str) -> None:
    """The tags are ours, no attribute acts, links stay in the report, one script runs."""
    page = Page(text)
    assert {tag for tag, _ in page.tags} <= TAGS
    for _, attributes in page.tags:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("href", "src", "action", "formaction"):
            if name in attributes:
                assert re.match(r"#|students/|assets/|\.\./(index\.html|assets/)|[A-Za-z0-9-]+\.html$",
                                str(attributes[name]))  # fmt: skip
    running = [a for a in page.all("script") if a.get("type") != "application/json"]
    assert running == [{}]
    assert not any(c in text for c in "\0\x1b\u202e\u2066\u2028")


@pytest.mark.parametrize("text", EVIL)
def test_hostile_text_is_inert(text: str) -> None:
    for page in pages([evil(text)]).values():
        check_inert(page)


@settings(max_examples=12)
@given(texts, st.lists(grades, max_size=2))
def test_any_text_is_inert(text: str, others: list[Grade]) -> None:
    for page in pages([evil(text), *others]).values():
        check_inert(page)


def test_megabytes_are_cut() -> None:
    # a drawing is cut where it is made: tests/grading/test_drawing.py
    plain = msgspec.structs.replace(evil("<b>" * 1_000_000), drawing=None)
    assert max(map(len, pages([plain]).values())) < 400_000


def test_the_policy_trusts_one_script_by_its_hash() -> None:
    for page in map(Page, pages([drawn()]).values()):
        (policy,) = (a["content"] for a in page.all("meta")
                     if a.get("http-equiv") == "Content-Security-Policy")  # fmt: skip
        loader = next(s for s in page.scripts if s.startswith("for"))
        digest = b64encode(hashlib.sha256(loader.encode()).digest()).decode()
        assert f"'sha256-{digest}' 'strict-dynamic'" in str(policy)
        assert str(policy).startswith("default-src 'none'; ")
        assert "unsafe-inline" not in str(policy)
        assert "'self'" not in str(policy).partition("style-src")[0]


def test_nothing_names_a_place_outside_the_folder() -> None:
    for name, content in files(made([drawn()]), by_path([drawn()])):
        if "viz" not in name:
            found = set(re.findall(rb"https?://[^\"' )]+", content))
            assert found <= {b"http://www.w3.org/2000/svg"}, name


def test_assets_are_shared_and_whole() -> None:
    written = dict(files(made([drawn("a"), drawn("b")]), {}))
    assets = {name for name in written if name.startswith("assets/")}
    assert assets == {"assets/report.css", "assets/class.js", "assets/student.js", "assets/viz.js",
                      "assets/LICENSE-viz.txt"}  # fmt: skip
    assert all(written[name] for name in assets)


def test_vendored_files_are_the_pinned_versions() -> None:
    lock = json.loads((HERE.parent / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    viz = (REPORT / "vendor/viz.js").read_text(encoding="utf-8")
    assert f"Viz.js {lock['node_modules/@viz-js/viz']['version']}\n" in viz
    licence = (REPORT / "vendor/LICENSE-viz.txt").read_text(encoding="utf-8")
    graphviz = re.search(r'A\.graphvizVersion="([\d.]+)"', viz)
    assert graphviz is not None
    assert f"Graphviz {graphviz[1]} " in licence
    assert lock["node_modules/@viz-js/viz"]["version"] in licence
    axe = (HERE / "vendor/axe.min.js").read_text(encoding="utf-8")
    assert axe.startswith(f"/*! axe v{lock['node_modules/axe-core']['version']}\n")


# -- language --------------------------------------------------------------------------------------


def test_every_sentence_of_the_templates_can_be_extracted() -> None:
    """As a catalogue is made: what `say` is called with must be a literal."""
    for path in [
        *(REPORT / "templates").iterdir(),
        Path(alike_page.__file__).parent / "alike.html.jinja",
    ]:
        text = path.read_bytes()
        calls = len(re.findall(rb"\bsay(?:_count)?\(", text))
        options = {"trim_blocks": "true", "lstrip_blocks": "true"}
        found = list(jinja2.ext.babel_extract(io.BytesIO(text), ("say", "say_count"), (), options))
        assert len(found) == calls, path.name
        for _, function, message, _ in found:
            parts = message if isinstance(message, tuple) else (message,)
            literal = parts[:2] if function == "say_count" else parts[:1]
            assert all(isinstance(part, str) and part for part in literal), (path.name, message)


def test_pages_are_in_the_language_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shouting(messages.gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return message if "{" in message else message.upper()

    monkeypatch.setattr(messages, "_catalogue", Shouting())
    monkeypatch.setattr(messages, "_language", "ru")
    written = pages([drawn()])
    for text in written.values():
        assert '<html lang="ru">' in text
    assert '<h2 id="grades">GRADES</h2>' in written["index.html"]
    assert messages.language() == "ru"


def test_empty_drawing() -> None:
    assert "Live ranges" not in student_page(drawn(drawing=Drawing(())))
