"""`read`: every way a file can be wrong, and the text of those that are right."""

from __future__ import annotations

import ast
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_backprop.errors import SubmissionProblem
from pytest_backprop.exercises import PASS_NAMES
from pytest_backprop.messages import place_label
from pytest_backprop.model import Span
from pytest_backprop.submission import read, slice_model
from pytest_backprop.submission.parse import place_of
from pytest_backprop.submission.read import MAX_BYTES


def code(source, **extra):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **extra}


def markdown(source):
    return {"cell_type": "markdown", "source": source, "metadata": {}}


def write_notebook(path: Path, cells, **extra) -> Path:
    document = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells, **extra}
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def problem(path: Path, **kwargs) -> SubmissionProblem:
    with pytest.raises(SubmissionProblem) as caught:
        read(path, **kwargs)
    assert caught.value.message
    assert caught.value.way_out
    return caught.value


# -- python files -----------------------------------------------------------------------------


def test_python_file_is_one_unit(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("x = 1\n", encoding="utf-8")
    submission = read(path, shown="hw/a.py")
    assert (submission.path, submission.kind) == ("hw/a.py", "py")
    (unit,) = submission.units
    assert (unit.text, unit.original, unit.cell) == ("x = 1\n", "x = 1\n", None)
    assert read(path).path == str(path)


def test_syntax_errors_are_not_read_s_business(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("def (:\n")
    assert read(path).units[0].text == "def (:\n"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("имя = 1\n".encode(), "имя = 1\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        ("# -*- coding: cp1251 -*-\ns = 'я'\n".encode("cp1251"), None),
        (b"#!/usr/bin/python\n# vim: set fileencoding=latin-1 :\ns = '\xe9'\n", None),
        (b"a = 1\r\nb = 2\rc = 3\n", "a = 1\nb = 2\nc = 3\n"),
        ("a = 1\n\x0cb = '\u2028\x85\x1c'\n".encode(), "a = 1\n\x0cb = '\u2028\x85\x1c'\n"),
        (b"x = 1\x00\n", "x = 1\x00\n"),
    ],
)
def test_decoding(tmp_path, raw, text):
    path = tmp_path / "a.py"
    path.write_bytes(raw)
    unit = read(path).units[0]
    if text is not None:
        assert unit.text == text
    else:
        assert unit.text.rstrip().endswith(("'я'", "'é'"))


@pytest.mark.parametrize(
    "raw",
    [
        b"x = '\xff'\n",
        b"a = 1\n" * 5 + b"x = '\xff'\n",
        "x = 1\n".encode("utf-16"),
        b"# coding: no-such-thing\nx = 1\n",
        b"# coding: rot13\nx = 1\n",
        b"# coding: hex\nx = 1\n",
        b"# coding: punycode\nx = 1\n",
        b"# coding: idna\nx = 1\n",
        b"\xef\xbb\xbf# coding: latin-1\nx = 1\n",
    ],
)
def test_bad_encodings(tmp_path, raw):
    path = tmp_path / "a.py"
    path.write_bytes(raw)
    found = problem(path, shown="shown.py")
    assert found.kind == "bad-encoding"
    assert "shown.py" in found.message
    assert "UTF-8" in found.way_out


def test_bad_utf8_tells_the_line(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"a = 1\nb = 2\nc = '\xff'\n")
    assert "line 3" in problem(path).message


@pytest.mark.parametrize("raw", [b"", b"  \n\n\t\n", b"\xef\xbb\xbf\n"])
@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
def test_empty(tmp_path, raw, suffix):
    path = tmp_path / f"a{suffix}"
    path.write_bytes(raw)
    assert problem(path).kind in ("empty", "bad-notebook")


def test_too_large(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    found = problem(path)
    assert found.kind == "too-large"
    assert "50 MB" in found.message


def test_not_files(tmp_path):
    directory = tmp_path / "d.py"
    directory.mkdir()
    assert problem(directory).kind == "not-a-file"
    assert "directory" in problem(directory).message
    assert problem(tmp_path / "missing.py").kind == "not-a-file"
    assert problem(tmp_path / "d.py" / "x" / "missing.py").kind == "not-a-file"
    assert problem(Path("/dev/zero")).kind == "not-a-file"
    assert problem(tmp_path / ("x" * 300 + ".py")).kind == "unreadable"
    assert problem(tmp_path / "a\0.py").kind == "unreadable"


def test_fifo_and_socket_never_block(tmp_path):
    fifo = tmp_path / "f.py"
    os.mkfifo(fifo)
    assert problem(fifo).kind == "not-a-file"
    link = tmp_path / "link.py"
    link.symlink_to(fifo)
    assert problem(link).kind == "not-a-file"
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(tmp_path)  # socket paths are short
        try:
            server.bind("s.py")
        finally:
            os.chdir(here)
        assert problem(tmp_path / "s.py").kind == "not-a-file"


def test_links_are_followed_and_loops_are_not(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    (tmp_path / "b.py").symlink_to("a.py")
    assert read(tmp_path / "b.py").units[0].text == "x = 1\n"
    (tmp_path / "loop.py").symlink_to("loop.py")
    assert problem(tmp_path / "loop.py").kind == "unreadable"


def test_unknown_type(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("x = 1\n")
    assert problem(path).kind == "unknown-type"
    upper = tmp_path / "A.PY"
    upper.write_text("x = 1\n")
    assert read(upper).kind == "py"


# -- notebooks --------------------------------------------------------------------------------


def test_cells_count_all_cells(tmp_path):
    path = write_notebook(
        tmp_path / "a.ipynb",
        [
            markdown("# title"),
            code(["x = 1\n", "y = 2"], attachments={"image.png": {"image/png": "AAAA"}}),
            {"cell_type": "raw", "source": "raw", "metadata": {}},
            code("z = 3\r\nw = 4", outputs=[{"output_type": "stream", "text": "class G: pass"}]),
            code(""),
        ],
    )
    submission = read(path)
    assert submission.kind == "ipynb"
    assert [(u.cell, u.text) for u in submission.units] == [
        (2, "x = 1\ny = 2"),
        (4, "z = 3\nw = 4"),
        (5, ""),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1, 2]",
        "3",
        "{}",
        '{"nbformat": 4}',
        '{"nbformat": 4, "cells": {}}',
        '{"nbformat": 4, "cells": [3]}',
        '{"nbformat": 4, "cells": [{"cell_type": "code", "source": 3}]}',
        '{"nbformat": 4, "cells": [{"cell_type": "code", "source": ["a", 3]}]}',
        '{"nbformat": 3, "worksheets": 4}',
        '{"nbformat": 2, "worksheets": [{"cells": [{}]}]}',
        '{"nbformat": 4, "n": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"a":' * 100_000,
        '{"nbformat": 4, "cells": ' + "[" * 2000 + "]" * 2000 + "}",
    ],
)
def test_bad_notebooks(tmp_path, text):
    path = tmp_path / "a.ipynb"
    path.write_text(text)
    found = problem(path)
    assert found.kind == "bad-notebook"
    assert str(path) in found.message
    assert "\n" not in found.message


def test_notebook_that_is_not_utf8(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(b'{"nbformat": 4, "x": "\xff"}')
    assert problem(path).kind == "bad-notebook"


def test_notebook_without_code(tmp_path):
    assert problem(write_notebook(tmp_path / "a.ipynb", [markdown("x")])).kind == "no-code"
    assert problem(write_notebook(tmp_path / "b.ipynb", [])).kind == "no-code"
    assert problem(write_notebook(tmp_path / "c.ipynb", [code(" \n")])).kind == "no-code"


def test_a_notebook_of_another_language_is_told(tmp_path):
    of_r = {"metadata": {"kernelspec": {"name": "ir", "language": "R"}}}
    path = write_notebook(
        tmp_path / "a.ipynb", [code("x <- 5"), code("f <- function(x) {\n}")], **of_r
    )
    assert "a notebook of R, not of Python" in problem(path).message
    # what is Python counts, whatever kernel it was saved with
    assert read(write_notebook(tmp_path / "b.ipynb", [code("class Net:\n    pass")], **of_r)).units
    odd = {"metadata": {"kernelspec": 5, "language_info": {"name": None}}}
    assert read(write_notebook(tmp_path / "c.ipynb", [code("x = 5")], **odd)).units


def test_lone_surrogates_and_nul_do_not_crash(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(
        '{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x = \\"\\ud800\\u0000\\""}]}'
    )
    (unit,) = read(path).units
    assert unit.text == 'x = "\ufffd\0"'
    unit.text.encode("utf-8")


def test_old_notebooks_are_to_be_saved_again(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"nbformat": 3, "worksheets": [{"cells": []}]}))
    found = problem(path)
    assert "its JSON is not a notebook" in found.message
    assert "save it" in found.way_out


def test_what_is_imported_when(tmp_path):
    """nbformat, IPython and torch never."""
    plain = write_notebook(tmp_path / "plain.ipynb", [code("x = 1")])
    magic = write_notebook(tmp_path / "magic.ipynb", [code("%matplotlib inline\nx = 1")])
    script = """
import sys
from pathlib import Path
import pytest_backprop.submission as s
def loaded(): return [n for n in ("nbformat", "IPython", "torch") if n in sys.modules]
s.slice_model  # the child's side is imported as well
s.read(Path(sys.argv[1])); print(loaded())
s.read(Path(sys.argv[2])); print(loaded())
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(plain), str(magic)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["[]", "[]"]


def test_imports_of_ours_are_the_rooms_that_know_nothing():
    import pytest_backprop.submission as package

    for module in Path(package.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 2:
                assert node.module in ("model", "errors", "messages", "ordinary_files"), module
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                assert not (node.module or "").startswith(("pytest_backprop", "torch")), module
            if isinstance(node, ast.Import):
                assert not any(a.name.startswith("torch") for a in node.names), module


def test_seed_like_notebook_reads_and_slices(tmp_path):
    path = write_notebook(
        tmp_path / "a.ipynb",
        [
            markdown("# Домашнее задание"),
            code("import torch\nfrom torch import nn\nfrom torch.fx import symbolic_trace"),
            code("def v8():  # Имя\n  r1 = x3 * w0\n  return r1"),
            code("def test_model_class(model_class):\n    model = model_class()\n    1 / 0"),
            code(
                "class Graph(nn.Module):\n"
                "    def __init__(self):\n"
                "        super().__init__()\n"
                "        self.w = nn.Parameter(torch.tensor([0.950, 0.288]))\n"
                "    def forward(self, X):\n"
                "        x1, x2, x3 = X\n"
                "        return x3 * self.w[0]\n"
                "    def your_forward_backward(self, x1, x2, x3):\n"
                "        t1 = x3 * self.w[0]\n"
                "        return t1\n"
            ),
            code("#torch._inductor.config.trace.enabled = True"),
            code("model = Graph()\ncompiled_model = torch.compile(model)"),
            code("test_model_class(Graph)"),
            code(
                "class GraphModule(torch.nn.Module):\n"
                '    def forward(self, primals_1: "f32[2]"):\n'
                "        return [primals_1, None]\n"
            ),
            code("input = torch.rand(3)"),
            code('onnx_program = torch.onnx.export(model, input, "./trace.onnx")'),
        ],
    )
    found = slice_model(read(path).units, None, PASS_NAMES)
    texts = [ast.unparse(s.node).split("\n")[0] for s in found.statements]
    assert texts == ["import torch", "from torch import nn", "class Graph(nn.Module):"]
    assert (found.class_name, found.pass_name) == ("Graph", "your_forward_backward")
    assert found.notes == ()
    assert found.units[found.manual_pass.unit].cell == 5
    assert (found.forward.line, found.manual_pass.line) == (5, 8)


@pytest.mark.parametrize(
    ("count", "told"),
    [(12, 12), (None, None), ("12", None), (True, None), (-1, None), (10**12, None), (1.5, None)],
)
def test_a_cells_own_number_is_told_beside_its_place(
    tmp_path: Path, count: object, told: int | None
) -> None:
    path = write_notebook(tmp_path / "a.ipynb", [code("x = 1", execution_count=count)])
    submission = read(path, "a.ipynb")
    place = place_of(submission, Span(0, 1, 0, 1, 1))
    assert place is not None
    assert (place.cell, place.execution_count) == (1, told)
    shown = place_label(place.line, place.cell, place.execution_count)
    assert shown == ("cell 1, line 1" if told is None else "cell 1 (In [12]), line 1")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_cell_knows_its_lines_of_the_file(tmp_path, end):
    """Also below outputs that show the code, of a cell in one text, and of pieces that are no lines."""
    shown = {"text": ["a = 1\n", "b"], "metadata": {"source": ["a = 1\n"]}}
    cells = [
        {"cell_type": "markdown", "source": ["a = 1\n", "b"]},
        {
            "cell_type": "code",
            "outputs": [shown],
            "source": ["a = 1\n", "b = 'é\\n\"source\": '\n"],
        },
        {"cell_type": "code", "source": "a = 1\nb = 2\n\n"},
        {"cell_type": "code", "source": ["", "a = ", "1\n\n", "b", " = 2"]},
        {"cell_type": "raw"},
        {"cell_type": "code", "source": []},
        {"cell_type": "code", "source": ["z = 1"]},
    ]
    text = json.dumps({"cells": cells, "nbformat": 4, "metadata": {}}, indent=1)
    path = tmp_path / "a.ipynb"
    path.write_bytes(text.replace("\n", end).encode("utf-8-sig"))
    first, whole, pieces, empty, last = read(path, "a.ipynb").units
    lines = text.split("\n")
    for unit in (first, last):
        wanted = [json.dumps(line)[1:-1] for line in unit.original.split("\n") if line]
        assert [lines[row - 1].strip(' ",').removesuffix("\\n") for row in unit.rows] == [
            line.strip(' ",') for line in wanted
        ]
    assert first.rows[0] > 20  # below what it shows
    assert len(set(whole.rows)) == 1
    assert [lines[row - 1].strip() for row in pieces.rows] == ['"a = ",', '"1\\n\\n",', '"b",']
    assert empty.rows == ()
