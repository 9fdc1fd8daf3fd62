"""The HTML report in a real browser, opened from its folder: it works by keyboard, tells a screen
reader what it shows, asks for nothing outside the folder, and runs nothing of a submission's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec
import pytest
from alike_passes import class_of
from browser import Visit, browser, needs_browser, visit
from html_pages import DRAWING, drawn, write
from playwright.sync_api import Browser, expect
from plugin_samples import RIGHT, WRONG, bank, lay_out, notebook, run_pytest
from report_checks import check, grade
from sampling import few
from waiting import PATIENCE

from pytest_backprop.grading import drawing
from pytest_backprop.model import Finding
from pytest_backprop.model.drawing import DrawnLine, DrawnNode

pytestmark = needs_browser
ROOT = Path(__file__).parents[2]
EVIL = "</script><img src=x onerror=alert(1)><b>\u202e\x1b[2J"
EVIL_NAME = "<img src=x onerror=alert(document.domain)>_v1.py"
HOSTILE = RIGHT.replace(
    "        a = w0 * x1\n",
    f"        # {EVIL}\n        a = w0 * x1\n        self.__dict__[{EVIL!r}] = [a]\n",
).replace("        b = w1", "        javascript = w1 * 0  # {{ 7 * 7 }}\n        b = w1")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example class, through the plugin."""
    folder = tmp_path_factory.mktemp("graded") / "report"
    roster = ROOT / "examples/roster.csv"
    run_pytest(ROOT, "--backprop", "examples/class", f"--backprop-roster={roster}",
               f"--backprop-report=html:{folder}")  # fmt: skip
    return folder


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Submissions and a roster that try to act, through the plugin."""
    folder = tmp_path_factory.mktemp("hostile")
    lay_out(folder, bank())
    lay_out(
        folder / "class",
        {
            EVIL_NAME: HOSTILE,
            "b_v1.ipynb": notebook(f"# {EVIL}\n!echo {EVIL}", WRONG.replace("a = w0", "а = w0")),
            "c_v1.py": f"'''{EVIL}\n" + "class Net:  # " + EVIL,
        },
    )
    text = f'student,submission,variant\n"<script>alert(1)</script>{EVIL}",b_v1.ipynb,v1\n'
    (folder / "roster.csv").write_text(text, encoding="utf-8")
    done = run_pytest(folder, "--backprop", "class", "--backprop-roster=roster.csv",
                      "--backprop-report=html:report")  # fmt: skip
    assert (folder / "report/index.html").is_file(), done.out + done.err
    return folder / "report"


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The class page of 1,000 students."""
    folder = tmp_path_factory.mktemp("large")
    found = (Finding(kind="late-release", message="kept"),)
    write(
        folder,
        [
            grade(f"s{n:03}.py", check("forward", of=80), check("release", n % 21 / 20, findings=found),
                  student=f"Student {n}")
            for n in range(1000)
        ],
        only_class=True,
    )  # fmt: skip
    return folder


def page_of(folder: Path, name: str) -> str:
    return next(p.relative_to(folder).as_posix() for p in (folder / "students").iterdir()
                if name in p.name)  # fmt: skip


def column(opened: Visit, number: int) -> list[str]:
    """The texts of a column of the class's table, of all rows that are not filtered out."""
    cells = opened.page.locator(f"#class tbody tr:not([hidden]) > :nth-child({number})")
    return [text.strip() for text in cells.all_text_contents()]


# -- everybody can read it ---------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("width", [1300, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    chromium: Browser, graded: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    for name in ("index.html", page_of(graded, "boris"), page_of(graded, "dasha")):
        with visit(chromium, graded, name, scheme, width) as opened:
            opened.page.locator("details").evaluate_all(
                "all => all.forEach((element) => { element.open = true; })"
            )
            assert opened.violations() == [], name
            assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [1300, pytest.param(400, marks=pytest.mark.long)])
@pytest.mark.parametrize("scheme", few(["light", "dark"]))
def test_axe_finds_nothing_on_the_page_of_pairs(
    chromium: Browser, tmp_path: Path, scheme: Literal["light", "dark"], width: int
) -> None:
    write(tmp_path, class_of(8))
    with visit(chromium, tmp_path, "alike.html", scheme, width) as opened:
        assert opened.violations() == []
        assert opened.page.evaluate("document.documentElement.scrollWidth") <= width
        opened.page.get_by_role("link", name="s00.py", exact=True).click()
        expect(opened.page.get_by_role("heading", level=1)).to_have_text("Student 0")


CONTRAST = """
() => {
  // of what axe leaves undecided: text in the drawings, on the shape that it stands on
  const channel = (c) => ((c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(channel);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const page = getComputedStyle(document.body).backgroundColor;
  return [...document.querySelectorAll("svg text")].map((text) => {
    const shape = text.parentElement.querySelector(".shape");
    const ground = light(shape ? getComputedStyle(shape).fill : page);
    const ink = light(getComputedStyle(text).fill);
    return [(Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05), text.textContent];
  });
}
"""


@pytest.mark.parametrize("scheme", few(["light", "dark"]))
def test_text_in_drawings_has_contrast(
    chromium: Browser, graded: Path, scheme: Literal["light", "dark"]
) -> None:
    with visit(chromium, graded, page_of(graded, "boris"), scheme) as opened:
        found = opened.page.evaluate(CONTRAST)
        assert len(found) > 100
        assert [(round(ratio, 2), text) for ratio, text in found if ratio < 4.5] == []


def test_without_scripts_the_pages_tell_everything(chromium: Browser, graded: Path) -> None:
    with visit(chromium, graded, "index.html", scripts=False) as opened:
        assert len(column(opened, 1)) == 5
        assert not opened.page.locator("#filters").is_visible()
        expect(opened.page.locator(".faults", has_text="late-release")).to_be_visible()
    with visit(chromium, graded, page_of(graded, "boris"), scripts=False) as opened:
        expect(opened.page.locator("#graph-status")).to_contain_text("the table below tells")
        opened.page.get_by_text("Nodes as a table").click()
        expect(opened.page.get_by_role("table").filter(has_text="reaches nothing")).to_be_visible()


# -- the class -----------------------------------------------------------------------------------


def test_sorting_by_keyboard(chromium: Browser, graded: Path) -> None:
    with visit(chromium, graded, "index.html") as opened:
        score = opened.page.get_by_role("columnheader", name="score")
        score.get_by_role("button").focus()
        opened.page.keyboard.press("Enter")
        assert score.get_attribute("aria-sort") == "descending"
        assert column(opened, 2) == ["100/100", "94/100", "68.5/100", "15/100", "0/100"]
        opened.page.keyboard.press("Space")
        assert score.get_attribute("aria-sort") == "ascending"
        assert column(opened, 1) == ["Dasha", "Gleb", "Boris", "Vera", "Anna"]
        variant = opened.page.get_by_role("columnheader", name="variant")
        variant.get_by_role("button").focus()
        opened.page.keyboard.press("Enter")
        assert column(opened, 4) == ["v1", "v3", "v8", "v8", "v10"]  # by number, not by letter
        assert opened.page.locator("[aria-sort]").count() == 1


def test_filtering_by_keyboard(chromium: Browser, graded: Path) -> None:
    with visit(chromium, graded, "index.html") as opened:
        page, told = opened.page, opened.page.get_by_role("status")
        page.get_by_label("Name, file or variant has").focus()
        page.keyboard.type("V8")
        assert column(opened, 1) == ["Anna", "Gleb"]
        expect(told).to_have_text("2 of 5 submissions are shown.")
        page.get_by_role("button", name="Show all").focus()
        page.keyboard.press("Enter")
        expect(told).to_have_text("5 of 5 submissions are shown.")
        page.get_by_label("Points lost in").select_option("release")
        assert column(opened, 1) == ["Boris", "Dasha", "Gleb", "Vera"]
        page.get_by_role("combobox", name="Status").select_option("unreadable")
        assert column(opened, 1) == ["Dasha"]
        page.get_by_role("button", name="Show all").press("Enter")
        page.get_by_role("button", name="late-release").press("Enter")
        assert column(opened, 1) == ["Boris", "Vera"]
        assert (
            page.get_by_role("button", name="late-release").get_attribute("aria-pressed") == "true"
        )


SPELT = ("Алёна Семёнова", "José Núñez", "Łukasz Żółć", "Øystein Groß", "Nguyễn An")


@pytest.mark.parametrize(
    ("typed", "met"),
    [
        ("семенова", 0), ("АЛЁНА", 0), ("nunez", 1), ("lukasz zolc", 2), ("Żółć", 2), ("gross", 3),
        ("oystein", 3), ("nguyen", 4),
    ],
)  # fmt: skip
def test_the_search_knows_letters_without_their_marks(
    chromium: Browser, tmp_path: Path, typed: str, met: int
) -> None:
    write(
        tmp_path, [grade(f"s{n}.py", student=name) for n, name in enumerate(SPELT)], only_class=True
    )
    with visit(chromium, tmp_path, "index.html") as opened:
        opened.page.get_by_label("Name, file or variant has").fill(typed)
        assert column(opened, 1) == [SPELT[met]]


def test_head_name_and_score_stay_while_the_class_is_scrolled(
    chromium: Browser, large: Path
) -> None:
    with visit(chromium, large, "index.html", width=700) as opened:
        table = opened.page.locator(".grades")
        seen = ("thead th:nth-child(1)", "thead th:nth-child(2)", "tbody tr:nth-child(500) > th",
                "tbody tr:nth-child(500) > .score")  # fmt: skip
        opened.page.locator("#class tbody tr:nth-child(500)").scroll_into_view_if_needed()
        table.evaluate("element => { element.scrollLeft = 200; }")
        assert table.evaluate("element => element.scrollLeft") > 50
        for place in seen:
            assert opened.page.locator(f"#class {place}").evaluate(
                "(cell) => { const box = cell.getBoundingClientRect();"
                " return cell.contains(document.elementFromPoint(box.left + 30, box.bottom - 12)); }"
            ), place


@pytest.mark.long
def test_on_a_telephone_submissions_are_cards(chromium: Browser, graded: Path) -> None:
    with visit(chromium, graded, "index.html", width=400) as opened:
        for row in opened.page.locator("#class tbody tr").all():
            row.scroll_into_view_if_needed()
            boxes = [cell.bounding_box() for cell in row.locator("> *").all()]
            assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 400 for box in boxes)
        heads = [head.bounding_box() for head in opened.page.locator("#class thead button").all()]
        assert len(heads) == 11
        assert all(box and box["x"] >= 0 and box["x"] + box["width"] <= 400 for box in heads)
        for row in opened.page.locator("#class tbody tr").all():
            label = row.locator("[data-label='gradient']")
            assert "gradient" in label.evaluate(
                "cell => getComputedStyle(cell, '::before').content"
            )


@pytest.mark.parametrize("width", few([1300, 700, 400]))
def test_live_ranges_take_the_width_that_there_is(
    chromium: Browser, graded: Path, width: int
) -> None:
    with visit(chromium, graded, page_of(graded, "vera"), width=width) as opened:
        (whole,), bars, names = (
            opened.page.locator(which).evaluate_all(
                "all => all.map((one) => one.getBoundingClientRect())"
                ".map((box) => box.width ? [box.left, box.right] : null)"
            )
            for which in ("svg.lives", "svg.lives > rect", "svg.lives > text")
        )
        assert min(len(bars), len(names)) > 40
        start, end = whole
        assert all(start <= box[0] for box in names if box)  # some are not shown
        assert end - 13 < max(box[1] for box in bars if box) <= end
        assert end <= width


A4 = round((210 - 2 * 12) / 25.4 * 96)
"""Width of an A4 sheet between its margins, in CSS pixels."""


@pytest.mark.long
def test_pages_are_printed_whole(chromium: Browser, graded: Path, large: Path) -> None:
    """Nothing is wider than the sheet, scrolled out of sight or folded away."""
    for folder, name in ((large, "index.html"), (graded, "index.html"),
                         (graded, page_of(graded, "boris")), (graded, page_of(graded, "vera"))):  # fmt: skip
        with visit(chromium, folder, name, width=A4) as opened:
            opened.page.emulate_media(media="print")
            cut = opened.page.evaluate(
                "[...document.querySelectorAll('body, .scroll')].filter((e) => e.checkVisibility() &&"
                " (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1))"
                ".map((e) => [e.className, e.scrollWidth, e.clientWidth, e.scrollHeight, e.clientHeight])"
            )
            assert cut == [], name
            split = opened.page.evaluate(
                "[...document.querySelectorAll('.legend, section > p:has(+ .legend)')]"
                ".filter((e) => getComputedStyle(e).breakAfter !== 'avoid').length"
            )
            grounds = opened.page.evaluate(
                "[...document.querySelectorAll('.key, .badge, .line.fault')]"
                ".filter((e) => getComputedStyle(e).printColorAdjust !== 'exact').length"
            )
            assert (split, grounds) == (0, 0), name  # a legend is above its drawing, in its colours
            folded = opened.page.locator(".cell .line")
            for line in folded.all()[:3]:
                expect(line).to_be_visible()


def test_from_the_class_to_a_student_and_back(chromium: Browser, graded: Path) -> None:
    with visit(chromium, graded, "index.html") as opened:
        opened.page.locator("#class").get_by_role("link", name="Boris").click()
        expect(opened.page.get_by_role("heading", level=1)).to_have_text("Boris")
        opened.page.locator("#graph-place svg").wait_for()
        opened.page.get_by_role("link", name="the class").click()
        expect(opened.page.get_by_role("heading", level=1)).to_have_text("Grades of the class")


def test_a_thousand_students(chromium: Browser, large: Path) -> None:
    with visit(chromium, large, "index.html") as opened:
        opened.page.get_by_role("columnheader", name="score").get_by_role("button").click()
        scores = [float(text.partition("/")[0]) for text in column(opened, 2)]
        assert len(scores) == 1000
        assert scores == sorted(scores, reverse=True)
        opened.page.get_by_label("Name, file or variant has").fill("student 99")
        assert len(column(opened, 1)) == 11


# -- a student -----------------------------------------------------------------------------------


def test_nodes_lead_to_lines_and_lines_to_nodes(chromium: Browser, graded: Path) -> None:
    with visit(chromium, graded, page_of(graded, "boris")) as opened:
        page = opened.page
        node = page.get_by_role("link", name=re.compile("^seed, mul, line 42, reaches nothing"))
        node.focus()
        expect(page.locator("#L42")).to_have_class(re.compile("met"))
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("#L42$"))
        expect(page.locator("#L42")).to_be_in_viewport()
        page.get_by_role("link", name="line 42, to its node in the graph").press("Enter")
        expect(node).to_be_focused()
        expect(node).to_be_in_viewport()


@pytest.mark.parametrize("width", few([1600, 1200, 1000, 800, 400], [1200, 400]))
def test_findings_are_read_beside_their_line_without_scrolling(
    chromium: Browser, graded: Path, width: int
) -> None:
    with visit(chromium, graded, page_of(graded, "boris")) as opened:
        opened.page.set_viewport_size({"width": width, "height": 900})
        notes = opened.page.locator(".line .margin")
        assert notes.count() >= 4
        for note in notes.all():
            box = note.bounding_box()
            assert box
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


def test_arrows_go_from_node_to_node_and_tab_leaves_the_graph(
    chromium: Browser, graded: Path
) -> None:
    with visit(chromium, graded, page_of(graded, "boris")) as opened:
        page = opened.page
        assert page.locator("#graph-place a[tabindex='0']").count() == 1
        page.locator("#node0").focus()
        page.keyboard.press("ArrowDown")
        expect(page.locator("#node1")).to_be_focused()
        page.keyboard.press("End")
        page.keyboard.press("ArrowRight")
        last = page.locator("#graph-place a").last
        expect(last).to_be_focused()
        page.keyboard.press("Home")
        expect(page.locator("#node0")).to_be_focused()
        page.keyboard.press("Tab")
        assert page.evaluate("!document.activeElement.closest('#graph-place')")


def test_the_graph_is_drawn_as_it_is(chromium: Browser, graded: Path) -> None:
    """Every node and edge of the data is in the picture, apart from every other."""
    with visit(chromium, graded, page_of(graded, "boris")) as opened:
        page = opened.page
        data = page.evaluate("JSON.parse(document.getElementById('graph-data').textContent)")
        assert page.locator("#graph-place .node").count() == len(data["nodes"])
        assert page.locator("#graph-place .edge").count() == len(data["edges"])
        boxes = page.evaluate(
            "[...document.querySelectorAll('#graph-place .shape')].map((shape) => {"
            " const b = shape.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; })"
        )
        for number, (left, top, right, bottom) in enumerate(boxes):
            for other in boxes[number + 1 :]:
                assert (
                    right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
                )
        wide = page.evaluate(
            "[...document.querySelectorAll('#graph-place .node')].filter((node) => {"
            " const box = node.querySelector('.shape').getBBox().width;"
            " return [...node.querySelectorAll('text')].some((t) => t.getBBox().width > box); })"
            ".map((node) => node.id)"
        )
        assert wide == []


def centred(opened: Visit, node: str) -> bool:
    """Whether a node stands in the middle of what is seen of the graph."""
    found: bool = opened.page.evaluate(
        """(id) => {
          const seen = document.getElementById("graph-place");
          const [a, b] = [seen, document.getElementById(id)].map((e) => e.getBoundingClientRect());
          const off = [a.left + a.width / 2 - b.left - b.width / 2, a.top + a.height / 2 - b.top - b.height / 2];
          return off.every((distance) => Math.abs(distance) < 20);
        }""",
        node,
    )
    return found


def test_a_graph_too_large_to_read_opens_at_its_first_fault(
    chromium: Browser, tmp_path: Path
) -> None:
    nodes = [
        DrawnNode("mul", f"t{n}", DrawnLine(4, 44 if n == 20 else 42), "forward",
                  tuple(s for s in (n - 1, n - 2) if s >= 0), ())
        for n in range(40)
    ]  # fmt: skip
    nodes += [DrawnNode("add", f"u{n}", DrawnLine(4, 42), "forward", (n,), ()) for n in range(40)]
    changed = msgspec.structs.replace(DRAWING, nodes=tuple(nodes))
    write(tmp_path, [drawn(drawing=changed)])
    with visit(chromium, tmp_path, page_of(tmp_path, "a-ipynb"), width=400) as opened:
        assert centred(opened, "node20")
        opened.page.get_by_role("button", name="fit all").click()
        box = opened.page.locator("#graph-place svg").bounding_box()
        room = opened.page.locator("#graph-place").bounding_box()
        assert box
        assert room
        assert box["width"] <= room["width"]
        assert box["height"] <= room["height"]
        opened.page.get_by_role("button", name="to the first fault").click()
        assert centred(opened, "node20")


@pytest.mark.long
def test_a_large_graph_is_laid_out_too(chromium: Browser, tmp_path: Path) -> None:
    """As large as a drawing gets, with edges from one end to the other."""
    count = drawing.OPS_DRAWN
    nodes = tuple(
        DrawnNode("mul", f"t{n}", DrawnLine(4, 42), "forward",
                  tuple(sorted({s for s in (n - 1, n - 3, n // 2 - 1) if 0 <= s < n})), ())
        for n in range(count)
    )  # fmt: skip
    write(tmp_path, [drawn(drawing=msgspec.structs.replace(DRAWING, nodes=nodes))])
    with visit(chromium, tmp_path, page_of(tmp_path, "a-ipynb")) as opened:
        assert opened.page.locator("#graph-place a.node").count() == count


@pytest.mark.long
def test_the_graph_can_be_made_larger(chromium: Browser, graded: Path) -> None:
    with visit(chromium, graded, page_of(graded, "boris"), width=400) as opened:
        width = "document.querySelector('#graph-place svg').getBoundingClientRect().width"
        before = opened.page.evaluate(width)
        opened.page.get_by_role("button", name="larger").press("Enter")
        assert opened.page.evaluate(width) > before
        opened.page.get_by_role("button", name="fit all").press("Enter")
        assert opened.page.evaluate(width) <= 400


@pytest.mark.long
def test_a_graph_that_cannot_be_laid_out_is_told(chromium: Browser, tmp_path: Path) -> None:
    write(tmp_path, [drawn()])
    (tmp_path / "assets/viz.js").write_text(
        "const Viz = { instance: () => Promise.reject('no') };", encoding="utf-8"
    )
    context = chromium.new_context()
    page = context.new_page()
    page.goto((tmp_path / page_of(tmp_path, "a-ipynb")).as_uri())
    expect(page.locator("#graph-status")).to_have_text(
        "The graph could not be laid out; the table below tells the same."
    )
    context.close()


# -- hostile text --------------------------------------------------------------------------------


def test_nothing_of_a_submission_acts(chromium: Browser, hostile: Path) -> None:
    names = sorted(p.relative_to(hostile).as_posix() for p in hostile.rglob("*.html"))
    assert len(names) == 4
    for name in names:
        with visit(chromium, hostile, name) as opened:
            page = opened.page
            assert page.locator("img, b, iframe, object, [onerror], [onload]").count() == 0
            # ours: the loader, what it loads, and the data
            sources = page.evaluate("[...document.scripts].map((s) => s.getAttribute('src'))")
            assert {s for s in sources if s} <= {
                "assets/class.js",
                "../assets/viz.js",
                "../assets/student.js",
            }
            text = page.locator("body").inner_text()
            assert "\u202e" not in text
            assert "\x1b" not in text
            assert opened.violations() == []


def test_hostile_text_is_shown_as_it_is(chromium: Browser, hostile: Path) -> None:
    with visit(chromium, hostile, "index.html") as opened:
        page = opened.page
        expect(
            page.locator("#class").get_by_role("link", name=re.compile("^<img src=x onerror=alert"))
        ).to_be_visible()
        page.get_by_label("Name, file or variant has").fill("<script>alert(1)")
        assert len(column(opened, 1)) == 1
        page.get_by_label("Name, file or variant has").fill("")
        page.locator("#class a", has_text=re.compile("^<img src=x")).click()
        page.locator("#graph-place svg").wait_for()
        source = "\n".join(page.locator(".code").all_inner_texts())
        assert "</script><img src=x onerror=alert(1)><b>\\u202e\\u001b[2J" in source
        assert "{{ 7 * 7 }}" in source
        assert page.get_by_role("link", name=re.compile("^javascript, mul")).count() == 1


@pytest.mark.long
def test_what_gets_into_a_page_after_all_cannot_run(chromium: Browser, graded: Path) -> None:
    """The policy holds if a text should ever slip through: no script, no frame, no request."""
    context = chromium.new_context()
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    asked: list[str] = []
    blocked: list[str] = []
    page.on("console", lambda message: blocked.append(message.text))
    page.goto((graded / "index.html").as_uri())
    page.route("**/*", lambda route: (asked.append(route.request.url), route.abort()))
    page.evaluate(
        "document.body.insertAdjacentHTML('beforeend', `<img src='http://localhost:9/x.png'"
        " onerror='window.ran = 1'><iframe srcdoc='<script>top.ran = 1<\\/script>'></iframe>"
        "<a id='click' href='javascript:window.ran = 1'>x</a>`)"
    )
    with page.expect_console_message(lambda message: "JavaScript URL" in message.text):
        page.locator("#click").click()
    assert page.evaluate("window.ran") is None
    assert asked == []
    assert any("Content Security Policy" in text for text in blocked)
    context.close()
