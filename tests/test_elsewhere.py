"""The way of every system, by a Python that has nothing of Linux's: the whole command, and what a worker promises."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from corpus import FOLDER
from corpus_text import text_of
from elsewhere import make_elsewhere
from plugin_samples import RIGHT, bank, environment, lay_out

ROOT = Path(__file__).parent.parent
COMMAND = "import sys; from pytest_backprop.cli import main; sys.exit(main())"
SAMPLE = ("right/grad_scalar_tensors_v902.py", "wrong/os_exit_v902.py", "wrong/endless_v902.py")
"""Of the corpus; the whole of it is graded this way by `test_the_corpus_has_its_verdicts`."""
MEASURED = ("seconds", "peak_memory", "settings", "summary", "tool")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it has nothing to take away")


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(make_elsewhere(tmp_path_factory.mktemp("другой питон") / "env"))


def graded(python: str, folder: Path, *words: str, encoding: str = "utf-8") -> tuple[str, Any]:
    """What `backprop grade` says on a console of an encoding, and its report."""
    done = subprocess.run(
        [python, "-c", COMMAND, "grade", *words, "--backprop-report", "json:r.json"],
        cwd=folder, env=environment(folder) | {"PYTHONIOENCODING": encoding}, capture_output=True, check=False,
    )  # fmt: skip
    path = folder / "r.json"
    report = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return done.stdout.decode(encoding) + done.stderr.decode(encoding), report


def timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items() if key not in MEASURED}
    return [timeless(item) for item in value] if isinstance(value, list) else value


def lay_out_sample(folder: Path, *names: str) -> None:
    """Of the corpus, as files of Windows in a folder with a blank and Cyrillic in its name."""
    lay_out(
        folder,
        {f"variants/{path.name}": path.read_bytes() for path in (FOLDER / "bank").glob("*.py")},
    )
    for name in names:
        text = text_of(FOLDER / name)
        # an endless loop is stopped at one of its lines: this one has one
        text = re.sub(rb"while True:\s+pass", b"while True: pass", text).replace(b"\n", b"\r\n")
        lay_out(folder / "кл асс", {f"Ёлкин {Path(name).name}": text})


@pytest.mark.parametrize(
    ("encoding", "names"),
    [
        ("cp866", SAMPLE),
        *(pytest.param(e, SAMPLE[:1], marks=pytest.mark.long) for e in ("cp1251", "cp1252")),
    ],
)
def test_the_whole_command_gives_the_same_report(
    encoding: str, names: tuple[str, ...], elsewhere: str, tmp_path: Path
) -> None:
    lay_out_sample(tmp_path, *names)
    words = ("кл асс", "--backprop-variants=variants", "--backprop-timeout=2", "--backprop-lang=ru")
    here, report = graded(sys.executable, tmp_path, *words)
    (tmp_path / "r.json").unlink()
    there, other = graded(elsewhere, tmp_path, *words, encoding=encoding)
    assert "fresh interpreter + limits" in there
    assert "fresh interpreter" not in here
    assert "\\u" not in there
    assert len(report["submissions"]) == len(names)
    assert timeless(other) == timeless(report)


def test_what_needs_linux_says_so(elsewhere: str, tmp_path: Path) -> None:
    lay_out(tmp_path, {**bank(), "class/a_v1.py": RIGHT})
    words = ("class", "--backprop-variants=variants")
    told, report = graded(elsewhere, tmp_path, *words, "--backprop-sandbox=require")
    assert "it reaches 'fresh interpreter + limits' only" in " ".join(told.split())
    lay_out(tmp_path, {"plugins/naming.py": NAMING})
    told, report = graded(elsewhere, tmp_path, *words, "-p", "naming")
    assert "what the plugin naming adds to grading is a function in this process" in told
    assert report is None


NAMING = "def pytest_backprop_checks(config):\n    return []\n"
QUICK = "right_answer or grows_slowly or left_behind"


@pytest.mark.parametrize("words", [("-k", QUICK), pytest.param((), marks=pytest.mark.long)])
def test_a_worker_keeps_its_promises(words: tuple[str, ...], elsewhere: str) -> None:
    done = subprocess.run(
        [elsewhere, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/processes/test_worker.py", *words],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
    assert " passed" in done.stdout


PART = "v8 or v10 or v904 or v906 or v910 or v916"
"""Tasks of some dozen submissions: the whole corpus takes half an hour alone, by `-k stated_verdict`."""


@pytest.mark.long
def test_the_corpus_has_its_verdicts(elsewhere: str) -> None:
    done = subprocess.run(
        [elsewhere, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/grading/test_corpus.py", "-k", f"stated_verdict and ({PART})"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-4000:]
