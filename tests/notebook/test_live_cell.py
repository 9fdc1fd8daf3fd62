"""`check` and `%%backprop` in real kernels, in a folder that holds no notebook."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import psutil
import pytest
from kernels import ENDLESS, HEAD, HELPER, IMPORTS, PASS, RIGHT, TASK, WRONG, Live, kernel, text_of
from waiting import wait_for_the_end

LAYER = '''from __future__ import annotations
EXERCISE = "layer"
CALLS = ("double_forward", "double_backward")

def v2(x: Float[Tensor, "n d"]):
    return 2 * x
'''  # fmt: skip


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("empty")
    with kernel(folder) as started:
        for cell in (IMPORTS, TASK, HELPER):
            assert not started.run(cell).error
        yield started
    assert [*folder.iterdir()] == []


def score(live: Live, cell: str = "check(Graph, v1)") -> float:
    card = live.run(cell).card
    found = re.match(r"\s*([\d.]+)/100", card)
    assert found, card
    return float(found[1])


def number(live: Live) -> int:
    """That of the cell which ran last."""
    return int(live.value("len(In) - 1")) - 1


# -- which class --------------------------------------------------------------------------------


def test_a_right_class(live: Live) -> None:
    live.run(RIGHT)
    shown = live.run("check(Graph, v1)")
    assert "Nothing to fix" in shown.card
    assert len(shown.plain) == 1  # what stood there meanwhile was redrawn, and it is no Out, too
    assert shown.plain[0].startswith("Graph · v1: 100/100")
    assert shown.printed == shown.error == ""


def test_a_wrong_class_with_its_place(live: Live) -> None:
    live.run(WRONG)
    cell = number(live)
    card = live.run("result = check(Graph, v1)").card
    assert f"Fix first: In [{cell}], line 14" in card
    assert "self.w.grad = torch.stack([2 * x1, a])" in card
    assert live.value("result.score, result.max_score") == "(80.0, 100.0)"
    (finding, *_) = live.value("[(f.kind, f.cell, f.line) for f in result.findings]").split("), ")
    assert finding.endswith(f", {cell}, 14")
    again = live.run("result")
    assert again.card == card
    assert "\x1b" not in again.plain[0]


def test_what_was_run_last_counts(live: Live) -> None:
    for cell, points in ((WRONG, 80), (RIGHT, 100), (WRONG, 80)):
        live.run(cell)
        assert score(live) == points


def test_a_helper_that_was_run_again_counts(live: Live) -> None:
    live.run(RIGHT)
    live.run("product = lambda w, x: w * x * x")
    assert score(live) < 100
    live.run(HELPER)
    assert score(live) == 100


def test_a_cell_that_failed_does_not_count(live: Live) -> None:
    live.run(WRONG)
    assert "ZeroDivisionError" in live.run(f"1 / 0\n{RIGHT}").error
    assert score(live) == 80
    assert "SyntaxError" in live.run(f"{RIGHT}(").error
    assert score(live) == 80


@pytest.mark.long
def test_a_class_that_was_saved_under_another_name(live: Live) -> None:
    live.run(WRONG)
    live.run("Old = Graph")
    live.run(RIGHT)
    assert score(live, "check(Old, v1)") == 80


def test_a_class_in_a_block(live: Live) -> None:
    live.run(f"if True:\n{indent(RIGHT, '    ')}")
    assert score(live) == 100
    live.run(HEAD)  # the kernel has the other no more
    assert "but no method my_forward_backward" in live.run("check(Graph, v1)").card
    live.run(f"for _ in range(1):\n{indent(RIGHT, '    ')}")
    shown = live.run("check(Graph, v1)")
    assert "is defined inside a function, a loop or another class" in shown.error
    assert shown.plain == []


def test_a_method_put_on_later_is_said(live: Live) -> None:
    live.run(WRONG)
    cell = number(live)
    live.run(re.sub("(?m)^    ", "", PASS))
    live.run("Graph.my_forward_backward = my_forward_backward")
    card = live.run("check(Graph, v1)").card
    assert card.startswith(" 100/100")
    pieces = f"In [{cell}] (__init__, forward) and In [{cell + 2}] (my_forward_backward)"
    assert f"Graph is put together from {pieces}" in card
    live.run(WRONG)  # the new class has not that method
    assert score(live) == 80


def test_a_class_in_pieces_is_said(live: Live) -> None:
    live.run(RIGHT)
    live.run(HEAD)
    assert "but no method my_forward_backward" in live.run("check(Graph, v1)").card
    live.run(f"class Graph(Graph):{PASS}")
    card = live.run("check(Graph, v1)").card
    assert card.startswith(" 100/100")
    assert "Graph is put together from" in card


@pytest.mark.long
def test_a_class_of_a_file(live: Live, tmp_path: Path) -> None:
    head = IMPORTS.replace("from pytest_backprop import check", HELPER)
    (tmp_path / "of_a_file.py").write_text(f"{head}\n{WRONG}")
    live.run(f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import of_a_file")
    card = live.run("check(of_a_file.Graph, v1)").card
    assert "Fix first: line 17" in card
    live.run("of_a_file.Graph.forward = lambda self, x1, x2, x3: x1")
    error = live.run("check(of_a_file.Graph, v1)").error
    assert "is from of_a_file, and In [" in error
    assert "changes `forward` of it" in error


# -- where it runs ------------------------------------------------------------------------------


def test_nothing_of_the_class_runs_in_the_kernel(live: Live) -> None:
    live.run("calls = []")
    live.run(RIGHT.replace("        a = x2", "        calls.append(1)\n        a = x2"))
    live.run("check(Graph, v1)")
    assert live.value("calls") == "[]"


@pytest.mark.long
def test_an_endless_loop_ends_and_the_kernel_lives(live: Live) -> None:
    live.run(ENDLESS)
    cell = number(live)
    card = live.run("check(Graph, v1, timeout=1)").card
    assert "the setting timeout is the limit" in card  # by the name that it has in a cell, too
    assert f"In [{cell}], line 13" in card  # the line at which it was
    live.run(RIGHT)
    assert score(live) == 100


@pytest.mark.long
@pytest.mark.parametrize("presses", [1, 2, 5])
def test_an_interrupt_ends_it(live: Live, presses: int) -> None:
    def press() -> None:
        for _ in range(presses):
            live.manager.interrupt_kernel()

    live.run(ENDLESS)
    live.begun = press
    shown = live.run("check(Graph, v1)")
    live.begun = lambda: None
    assert shown.error == "KeyboardInterrupt"
    assert shown.plain == []
    live.run(RIGHT)
    assert score(live) == 100


@pytest.mark.long
def test_graders_that_died_are_started_again(live: Live) -> None:
    live.run(RIGHT)
    live.run("check(Graph, v1)")
    graders = psutil.Process(live.manager.provisioner.pid).children(recursive=True)
    assert graders
    for process in graders:
        process.kill()
    wait_for_the_end(graders)
    assert score(live) == 100


@pytest.mark.long
def test_graders_end_with_the_kernel(tmp_path: Path) -> None:
    with kernel(tmp_path) as live:
        for cell in (IMPORTS, TASK, HELPER, RIGHT, "check(Graph, v1)"):
            live.run(cell)
        process = psutil.Process(live.manager.provisioner.pid)
        graders = process.children(recursive=True)
        assert graders
        process.kill()
        wait_for_the_end(graders)


# -- how it is asked ----------------------------------------------------------------------------


def test_a_strict_check_is_silent_or_raises(live: Live) -> None:
    live.run(RIGHT)
    shown = live.run("check(Graph, v1, strict=True)")
    assert (shown.plain, shown.printed, shown.error) == ([], "", "")
    live.run(WRONG)
    shown = live.run("check(Graph, v1, strict=True)")
    assert shown.plain == []
    assert shown.error.startswith("Graph · v1: 80/100")
    assert "\x1b" not in shown.error
    assert "File " not in shown.error
    caught = (
        "try:\n    check(Graph, v1, strict=True)\nexcept AssertionError as e:\n    e.result.score"
    )
    assert live.run(f"{caught}\n    print(e.result.score)").printed == "80.0\n"


def test_the_magic_runs_a_cell_and_grades_it(live: Live) -> None:
    live.run("%load_ext pytest_backprop")
    shown = live.run(f"%%backprop v1\n{WRONG}\n'the value of the cell'")
    assert "Fix first" in shown.card
    assert f"In [{number(live)}], line 15" in shown.card  # of the cell, the magic's line counted
    assert "'the value of the cell'" in shown.plain
    assert "Сначала исправить" in live.run(f"%%backprop v1 --lang ru\n{WRONG}").card
    shown = live.run(f"%%backprop v1 Graph --strict\n{RIGHT}")
    assert (shown.plain, shown.error) == ([], "")
    assert "does not say what to grade" in live.run(f"%%backprop\n{RIGHT}").error
    shown = live.run(f"%%backprop v1\n1 / 0\n{RIGHT}")
    assert "ZeroDivisionError" in shown.error
    assert shown.cards == []
    shown = live.run(f"%%backprop v1\n{RIGHT}(")
    assert "SyntaxError" in shown.error
    assert shown.cards == []
    assert score(live, f"%%backprop v1\n%precision 3\n{RIGHT}") == 100

    live.run("import asyncio")
    error = live.run(f"%%backprop v1\nawait asyncio.sleep(0)\n{RIGHT}").error
    assert "is run by no magic" in error


def test_a_language_is_that_of_one_check(live: Live) -> None:
    live.run(WRONG)
    card = live.run("russian = check(Graph, v1, lang='ru')").card
    assert "Сначала исправить" in card
    assert "there is no setting 'nope'" in live.run("check(Graph, v1, nope=1)").error
    assert "в ячейке нет настройки" in live.run("check(Graph, v1, lang='ru', nope=1)").error
    assert live.run("russian").card == card
    assert "Fix first" in live.run("check(Graph, v1)").card


@pytest.mark.parametrize("words", ["Graph(), 'V1'", "[Graph, Graph], v1"])
def test_what_is_clear_all_the_same(live: Live, words: str) -> None:
    live.run(RIGHT)
    shown = live.run(f"check({words})")
    assert shown.plain[0].startswith("Graph · v1: 100/100"), shown


@pytest.mark.long
def test_functions_of_a_layer_on_a_task_of_a_cell(live: Live) -> None:
    live.run(LAYER)
    live.run("def double_forward(x):\n    return 2 * x, None")
    live.run("def double_backward(dout, cache):\n    return dout")
    cell = number(live)
    card = live.run("check([double_forward, double_backward], v2)").card
    assert f"Fix first: In [{cell}], line 1" in card
    live.run("def double_backward(dout, cache):\n    return 2 * dout")
    error = live.run("check([double_forward, check], v2)").error
    assert "v2 asks for `double_forward` and `double_backward`, not for" in error
    assert score(live, "check([double_forward, double_backward], 'v2')") == 100
    live.run("%load_ext pytest_backprop")
    assert score(live, f"%%backprop v2\n{LAYER}") == 100  # what the task calls


@pytest.mark.long
def test_tasks_of_the_nearest_folder_and_of_a_module(live: Live, tmp_path: Path) -> None:
    inner = tmp_path / "variants" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "variants" / "v1.py").write_text(TASK.replace("x2 * x3", "x2"))
    (tmp_path / "variants" / "__init__.py").write_text("")
    (tmp_path / "course.py").write_text(TASK)
    live.run(RIGHT)
    live.run(f"import os, sys; before = os.getcwd(); os.chdir({str(inner)!r})")
    try:
        assert score(live, "check(Graph, 'v1')") < 60  # of the folder
        live.run(f"sys.path.insert(0, {str(tmp_path)!r}); import course, variants")
        assert score(live, "check(Graph, 'v1', variants=course)") == 100
        assert score(live, "check(Graph, course.v1)") == 100
        assert score(live, "check(Graph, 'v1', variants=variants)") < 60
        error = live.run("check(Graph, 'v11', variants=course)").error
        assert "there is no variant 'v11' among the 1 of course" in error
    finally:
        live.run("os.chdir(before)")
    assert score(live, "check(Graph, 'v1')") == 100  # of the kernel, which has a function v1


BAD = {
    "exec('class Ex:\\n    def forward(self): pass'); check(Ex, v1)": (
        "`Ex` has no source that can be read",
        "define it in a cell of its own",
    ),
    "check(Graph, 'v888')": ("there is no variant 'v888' among", "did you mean v8"),
    "check('Graf', v1)": ("this kernel has no `Graf`", "did you mean `Graph`?"),
    "check('Nothing', v1)": ("this kernel has no `Nothing`", "run the cell that defines it"),
    "def helper(x): return x\ncheck(helper, 'v8')": (
        "`helper` is a function, and the task asks for a class",
        "give the class that has forward and my_forward_backward",
    ),
    "check([], 'v8')": ("[] names nothing to grade", 'as `check(Graph, "v8")`'),
    "check(nn.Linear, 'v8')": ("`Linear` is a library's", "give what is yours"),
    "check(nn.Linear(2, 3), v1)": ("Linear(in_fe", "is no class and no function", "give what is"),
    "check(5, v1)": ("5 is no class and no function", "give what is yours"),
    "check(torch.tensor(1.0), v1)": ("tensor(1.) is no class", "give what is yours"),
    "check(Graph.forward, v1)": ("`Graph.forward` is not defined at the top", "without indent"),
    "class Other:\n    x = 1\ncheck(Other, v1)": (
        "there is only `Other`",
        "one class must have both",
    ),
    "check([Graph, v1], v1)": ("v1 asks for one class or function, not for `Graph` and `v1`",),
    "check(Graph)": ("no task is named", 'give its name, as `check(Graph, "v8")`'),
    "check(Graph, 5)": ("5 is no task", "give its name"),
    "check(Graph, lambda: 1)": ("`<lambda>` is not the name of a task", "as `def v8(…)`"),
    "check(Graph, 'v1', variants='/nowhere')": ("there is no task in /nowhere", "v8.py"),
    "check(Graph, v1, tmeout=3)": ("there is no setting 'tmeout'", "timeout, memory"),
    "check(Graph, v1, timeout='soon')": ("timeout: 'soon' is not a time limit", "give seconds"),
}


@pytest.mark.parametrize("cell", BAD)
def test_what_cannot_be_asked_is_told_with_a_way_out(live: Live, cell: str) -> None:
    live.run(RIGHT)
    shown = live.run(cell)
    for words in BAD[cell]:
        assert words in shown.error
    assert "\x1b" not in shown.error
    assert shown.plain == []


def test_plain_text_says_nothing_twice(live: Live) -> None:
    live.run(RIGHT)
    live.run("product = lambda w, x: w * x * x")
    (text,) = live.run("check(Graph, v1)").plain
    live.run(HELPER)
    sentences = [" ".join(part.split()) for part in re.split(r"\n(?=\S|  \S|    \S)", text)]
    told = [
        each for each in sentences if not re.match(r"model|with|In \[|print|to see it|\d+ of", each)
    ]
    assert len(told) > 8
    assert len(set(told)) == len(told), text
    for sentence in told:
        assert not any(other.startswith(f"{sentence}:") for other in told), sentence


# -- without a notebook -------------------------------------------------------------------------


@pytest.mark.long
def test_in_a_script_it_is_text(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(f"{IMPORTS}\n{HELPER}\n{TASK}\n{WRONG}\nprint(check(Graph, v1))\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.startswith("Graph · v1: 80/100\n"), done.stderr
    assert "  line 20: self.w.grad = torch.stack([2 * x1, a])" in done.stdout
    assert "\x1b" not in done.stdout
    code = f"from pytest_backprop import check\n{TASK}\ncheck(None, v1)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )
    assert "choose a Python kernel for the notebook" in done.stderr


@pytest.mark.long
def test_in_ipythons_terminal_it_is_text(tmp_path: Path) -> None:
    cells = [IMPORTS, HELPER, TASK, WRONG, "check(Graph, v1)", "check(Graph, v1)"]
    typed = "".join(re.sub("\n+", "\n", cell) + "\n\n" for cell in cells)
    command = [sys.executable, "-m", "IPython", "--simple-prompt", "--colors=NoColor"]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.count("Graph · v1: 80/100") == 2, done.stdout
    assert "<style>" not in done.stdout


def test_a_card_says_nothing_twice(live: Live) -> None:
    live.run(WRONG.replace("        y = product", "        unused = a * x1\n        y = product"))
    (card,) = live.run("result = check(Graph, v1)").cards
    messages = live.run("for f in result.findings: print(f.message.replace('`', ''))").printed
    assert len(messages.splitlines()) > 2
    for message in messages.splitlines():
        assert text_of(card).count(message) == 1, message
    for outside in ("http:", "https:", "<script", "src=", "@import"):
        assert outside not in card.replace("http://www.w3.org/2000/svg", "")
