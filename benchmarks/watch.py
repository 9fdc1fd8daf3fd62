"""From a save to the verdict on the screen of `backprop watch`: the first, and those after it, of a notebook that is
right, of one with a wrong line, and of one that cannot be read, which is told at the next look alone."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TIMES = 15
START = "from pytest_backprop.cli import main; main(prog_name='backprop')"
HOMEWORK = Path(__file__).parent.parent / "examples" / "class" / "anna_v8.ipynb"


def main() -> None:
    """Prints seconds."""
    right = HOMEWORK.read_text(encoding="utf-8")
    wrong = right.replace("dw0 + 2 * w0 * da3", "dw0 + w0 * da3")
    assert wrong != right
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, HOMEWORK.name)
        path.write_text(wrong, encoding="utf-8")
        start = time.perf_counter()
        command = [sys.executable, "-c", START, "watch", path.name]
        with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
            shown = process.stdout
            assert shown is not None

            def verdict() -> float:
                while "Ctrl-C" not in shown.readline():
                    pass
                return time.perf_counter()

            def save(text: str) -> float:
                other = path.with_suffix(".tmp")
                other.write_text(text, encoding="utf-8")
                start = time.perf_counter()
                os.replace(other, path)
                return verdict() - start

            print(f"first verdict       {verdict() - start:6.2f} s")
            kinds = {"right": right, "wrong": wrong, "unreadable": right[: len(right) // 2]}
            times = [[save(text) for text in kinds.values()] for _ in range(TIMES + 1)][1:]
            for name, own in zip(kinds, zip(*times, strict=True), strict=True):
                least, median, most = min(own), statistics.median(own), max(own)
                print(f"{'saved, ' + name:<20}{median:6.3f} s  ({least:.3f} to {most:.3f})")
            process.terminate()


main()
