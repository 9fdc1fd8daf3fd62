"""What a cell waits for its answer in a real kernel: the first, and those after it, of a class that is right and of
one with a wrong line, alone and after many other cells."""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from jupyter_client.manager import start_new_kernel

TIMES, OTHERS = 15, 200
ASK = 'check(Graph, "v8")'
PATIENCE = 600.0
HOMEWORK = Path(__file__).parent.parent / "examples" / "class" / "anna_v8.ipynb"


def main() -> None:
    """Prints seconds."""
    cells = json.loads(HOMEWORK.read_text(encoding="utf-8"))["cells"]
    texts = ["".join(cell["source"]) for cell in cells]
    right = next(text for text in texts if text.startswith("class Graph"))
    wrong = right.replace("dw0 + 2 * w0 * da3", "dw0 + w0 * da3")
    with tempfile.TemporaryDirectory() as folder:
        manager, client = start_new_kernel(cwd=folder, startup_timeout=PATIENCE)
        try:

            def seconds(cell: str) -> float:
                start = time.perf_counter()
                reply: Any = client.execute_interactive(
                    cell, output_hook=lambda message: None, timeout=PATIENCE
                )
                assert reply["content"]["status"] == "ok", reply
                return time.perf_counter() - start

            seconds("import torch\nfrom torch import nn\nfrom pytest_backprop import check")
            seconds(right)
            print(f"first answer        {seconds(ASK):6.2f} s")
            for name, text in (("right", right), ("wrong", wrong)):
                seconds(text)
                show(f"warm, {name}", [seconds(ASK) for _ in range(TIMES)])
            for number in range(OTHERS):
                seconds(f"import math\nvalues_{number} = [math.sin({number})]\n{right}")
            show(f"after {OTHERS} cells", [seconds(ASK) for _ in range(TIMES)][1:])
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def show(name: str, times: list[float]) -> None:
    """A line of least, median and greatest."""
    least, median, most = min(times), statistics.median(times), max(times)
    print(f"{name:<20}{median:6.3f} s  ({least:.3f} to {most:.3f})")


main()
