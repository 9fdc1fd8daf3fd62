"""What an editor and code scanning read of a real run: the places are where the code is."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest
from consumers import editor, sarif
from plugin_samples import RIGHT, WRONG, Run, grade_folder, notebook

FOLDER = "Группа 1"
PY, BOOK = f"{FOLDER}/анна иванова_v1.py", f"{FOLDER}/ben_v1.ipynb"


def as_jupyter_saves(*cells: str) -> str:
    """A line of a cell is a line of the file, and what was printed stands above the code."""
    book = json.loads(notebook(*cells))
    for cell in book["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
        stream = {"name": "stdout", "output_type": "stream", "text": cell["source"]}
        cell["outputs"] = [{**stream, "metadata": {"source": cell["source"][:2]}}]
    return json.dumps(book, indent=1, sort_keys=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return grade_folder(
        tmp_path_factory.mktemp("editors"),
        {PY: WRONG, BOOK: as_jupyter_saves("x = 1", WRONG), f"{FOLDER}/c_v1.py": RIGHT},
        "--backprop-report=lines:-", "--backprop-report=sarif:out.sarif", "-q", "--tb=no",
    )  # fmt: skip


def test_the_terminal_has_lines_that_lead_to_the_code(run: Run) -> None:
    found = editor.problems(run.out)
    assert {problem.file for problem in found} == {f"class/{PY}", f"class/{BOOK}"}
    assert {problem.severity for problem in found} >= {"error", "note"}
    source = (run.folder / "class" / PY).read_text(encoding="utf-8").split("\n")
    (kept,) = (p for p in found if p.file.endswith(".py") and "`a` is kept" in p.message)
    assert source[kept.line - 1][kept.column - 1 :] == "dw1 = a * x3"
    text = (run.folder / "class" / BOOK).read_text(encoding="utf-8").split("\n")
    (kept,) = (p for p in found if p.file.endswith(".ipynb") and "`a` is kept" in p.message)
    assert "dw1 = a * x3" in text[kept.line - 1]
    assert kept.message.startswith("cell 2, line 21: ")
    # the code stands below what it printed
    assert sum("dw1 = a * x3" in line for line in text[: kept.line]) == 2
    assert "report: -" not in run.out
    assert "report: out.sarif" in run.out


def test_code_scanning_has_the_same(run: Run) -> None:
    results = sarif.run_of((run.folder / "out.sarif").read_text(encoding="utf-8"))["results"]
    places = [result["locations"][0]["physicalLocation"] for result in results]
    found = [p for p in editor.problems(run.out) if not p.message.startswith("hint: ")]
    assert [
        (unquote(place["artifactLocation"]["uri"]), place["region"]["startLine"])
        for place in places
    ] == [(problem.file, problem.line) for problem in found]


def test_a_folder_is_not_shown(tmp_path: Path) -> None:
    told = grade_folder(tmp_path, {"a_v1.py": RIGHT}, "--backprop-report=html:-")
    assert told.code == 4
    assert "'html:-' is a folder, which no terminal shows" in told.told
    assert not (tmp_path / "-").exists()
