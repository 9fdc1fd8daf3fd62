"""`backprop watch` as a student has it: a real process in a terminal of 80 columns, and real saves. What it shows is
waited for."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import psutil
import pytest
from plugin_samples import ENDLESS, RIGHT, VARIANTS, WRONG, environment, lay_out, notebook
from waiting import PATIENCE, wait_for_the_end, wait_until

from pytest_backprop.reports.terminal import width_of

START = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from pytest_backprop.cli import main, watch; {}main(prog_name='backprop')"
)
PAUSE = 0.2
"""Seconds between two pieces of a save."""
NEVER_BY_ITSELF = "watch.LOOK = 10**9; "
"""It then looks only where the system tells of a change."""
HOME = "мои задания"
NAME = f"{HOME}/моя работа.py"
SHARED = RIGHT.replace("import torch\n", "import torch\nfrom parts import product\n", 1)
SHARED = SHARED.replace("y = a * b + x3", "y = product(a, b) + x3")


def command(*words: str, first: str = "") -> list[str]:
    code = "import pytest_backprop.cli.watch; " + START.format(first)
    return [sys.executable, "-c", code, "watch", *words]


def save(path: Path, text: str) -> None:
    """As many editors do: a new file takes the place of the old one."""
    other = path.with_name(f".{path.name}.swp")
    other.write_text(text, encoding="utf-8")
    os.replace(other, path)


class Screen:
    """A terminal with `backprop watch` in it."""

    def __init__(self, folder: Path, *words: str, first: str = "") -> None:
        self.folder, self.room = folder, folder / "room"
        self.room.mkdir()
        program, *arguments = command(*words, first=first)
        self.child = pexpect.spawn(
            program, arguments, cwd=str(folder), encoding="utf-8",
            env=environment(folder) | {"TMPDIR": str(self.room)}, dimensions=(40, 80), timeout=PATIENCE, echo=False,
        )  # fmt: skip
        self.processes: list[psutil.Process] = []

    def shows(self, text: str) -> str:
        """The screen that ends with the next one on which a text stands."""
        while True:
            self.child.expect("Ctrl-C[^\n]*\n")
            screen = str(self.child.before).replace("\r", "").rpartition("\x1b[2J")[2]
            lines = screen.removeprefix("\x1b[1;1H").split("\n")
            assert [line for line in lines if width_of(line) > 80] == []
            self.processes = psutil.Process(self.child.pid).children(recursive=True)
            if text in screen:
                return screen

    def ends(self, how: Callable[[], None]) -> None:
        """It ends well, and nothing of it stays."""
        how()
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert (self.child.exitstatus, self.child.signalstatus) == (0, None)
        wait_for_the_end(self.processes)
        assert [*self.room.iterdir()] == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("watch")
    lay_out(made, {f"tasks/{name}": text for name, text in VARIANTS.items()})
    lay_out(made, {NAME: WRONG})
    return made


@pytest.fixture(scope="module")
def screen(folder: Path) -> Iterator[Screen]:
    made = Screen(folder, NAME, "--variant", "v1", "--variants", "tasks")
    yield made
    made.child.close(force=True)


# -- one day of a student -----------------------------------------------------------------------


def test_at_first(screen: Screen) -> None:
    shown = screen.shows("/100")
    assert "моя работа.py · v1: 78/100" in shown
    assert "`a` is kept after its last use" in shown


def test_what_is_mended_leaves(screen: Screen) -> None:
    save(screen.folder / NAME, RIGHT)
    shown = screen.shows("100/100")
    assert re.search(r"\d\d:\d\d:\d\d: 100/100\n", shown)
    assert "is kept" not in shown
    assert "dw1 = " not in shown


def test_what_stays_unreadable_is_told(screen: Screen) -> None:
    save(screen.folder / NAME, RIGHT.replace("return y", "return ("))
    shown = screen.shows("unreadable")
    assert ": return (" in shown


def test_taken_away_and_back(screen: Screen) -> None:
    path = screen.folder / NAME
    path.unlink()
    shown = screen.shows("моя работа.py")
    assert "there is no .py or .ipynb file" in shown
    assert "give the path" in shown
    path.write_text(SHARED, encoding="utf-8")
    assert "it uses the module" in screen.shows("parts")


def test_what_it_imports(screen: Screen) -> None:
    path = screen.folder / HOME / "parts.py"
    path.write_text("def product(a, b):\n    return a * b * 2\n", encoding="utf-8")
    assert "forward 15 / 15, manual-forward 0 / 10" in screen.shows("graded with it: parts.py")
    save(path, "def product(a, b):\n    return a * b\n")
    screen.shows("100/100")


def test_the_tasks(screen: Screen) -> None:
    path = screen.folder / "tasks" / "v1.py"
    save(path, VARIANTS["v2.py"].replace("v2", "v1"))
    screen.shows("forward 0 / 15")
    save(path, "def v1(:\n")
    assert "v1.py" in screen.shows("v1.py")
    save(path, VARIANTS["v1.py"])
    screen.shows("100/100")


def test_the_end(screen: Screen) -> None:
    screen.ends(screen.child.sendintr)


# -- in pieces, and in the middle of things -----------------------------------------------------


def test_half_a_notebook_says_nothing_and_an_endless_loop_can_be_left(tmp_path: Path) -> None:
    lay_out(tmp_path, {f"variants/{name}": text for name, text in VARIANTS.items()})
    path = tmp_path / "mine_v1.ipynb"
    whole = notebook(WRONG)
    path.write_text(whole, encoding="utf-8")
    screen = Screen(tmp_path, "mine_v1.ipynb", first=NEVER_BY_ITSELF)
    try:
        assert "v1 (name): 78/100" in screen.shows("/100")
        with path.open("w", encoding="utf-8") as file:
            # what is written before it listens, nobody tells it of
            while screen.child.expect(["grading", pexpect.TIMEOUT], timeout=PAUSE):
                file.seek(0)
                file.write(whole[: len(whole) // 2])
                file.flush()
            right = notebook(RIGHT)
            file.seek(0)
            file.write(right)
        shown = screen.shows("")
        assert "100/100" in shown
        save(path, notebook(ENDLESS))
        screen.child.expect("grading")
    finally:
        screen.ends(screen.child.sendintr)


def test_the_next_save_ends_an_endless_loop(tmp_path: Path) -> None:
    lay_out(tmp_path, {"mine_v1.py": ENDLESS, "variants/v1.py": VARIANTS["v1.py"]})
    screen = Screen(tmp_path, "mine_v1.py", "--timeout", "86400")
    try:
        screen.child.expect("grading")
        save(tmp_path / "mine_v1.py", RIGHT)
        assert "100/100" in screen.shows("")
    finally:
        screen.ends(screen.child.sendintr)


def test_without_a_terminal_it_is_plain_and_a_signal_ends_it(tmp_path: Path) -> None:
    lay_out(tmp_path, {"mine_v1.py": WRONG, "variants/v1.py": VARIANTS["v1.py"]})
    lay_out(tmp_path, {"pytest.ini": "[pytest]\nbackprop_points = 64\n"})
    with (tmp_path / "out.txt").open("wb") as out:
        process = subprocess.Popen(
            command("mine_v1.py", "--lang", "ru"), cwd=tmp_path, env=environment(tmp_path),
            stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
        )  # fmt: skip

        def printed() -> str:
            return (tmp_path / "out.txt").read_text(encoding="utf-8")

        try:
            wait_until(lambda: printed().count("Ctrl-C") == 1, "no grade")
            save(tmp_path / "mine_v1.py", RIGHT)
            wait_until(lambda: printed().count("Ctrl-C") == 2, "no second grade")
            others = psutil.Process(process.pid).children(recursive=True)
        finally:
            process.send_signal(signal.SIGTERM)
            code = process.wait()
    wait_for_the_end(others)
    assert code == 0
    assert printed().startswith("pytest.ini здесь не читается")
    assert "mine_v1.py · v1 (имя): 78/100" in printed()
    assert ": 100/100\n" in printed()
    assert "\x1b" not in printed()
    assert "проверяется" not in printed()


# -- what cannot be watched ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["none.py"], ["there is no .py or .ipynb file", "none.py", "give the path"]),
        (["."], ["there is no .py or .ipynb file", "give the path"]),
        (["notes.txt"], ["there is no .py or .ipynb file", "notes.txt"]),
        (["mine.py", "--variant", "v99"], ["there is no variant 'v99'", "did you mean"]),
        (["mine.py", "--variant", "x"], ["--variant: 'x' is not", "give one as v8"]),
        (["mine.py", "--variants", "nowhere"], ["--variants: 'nowhere' is not a folder"]),
        (["mine.py", "--variants", "bad"], ["v1.py"]),
    ],
)
def test_what_cannot_be_watched(words: list[str], told: list[str], tmp_path: Path) -> None:
    lay_out(tmp_path, {"mine.py": RIGHT, "notes.txt": "", "bad/v1.py": "def v1(:\n"})
    done = subprocess.run(
        command(*words), cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert done.stdout == ""
    assert [text for text in told if text not in done.stderr] == []
    assert "Traceback" not in done.stderr


def test_without_watchfiles(tmp_path: Path) -> None:
    lay_out(tmp_path, {"mine.py": RIGHT})
    done = subprocess.run(
        command("mine.py", first="sys.modules['watchfiles'] = None; "), cwd=tmp_path,
        env=environment(tmp_path), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "needs watchfiles" in done.stderr
    assert "pip install watchfiles" in done.stderr
