"""Real kernels for tests, and cells for them: what a student runs, and what then stands under the cell."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from jupyter_client.manager import KernelManager
from waiting import PATIENCE

IMPORTS = "import torch\nfrom torch import nn\nfrom pytest_backprop import check"
TASK = "def v1():\n    return w0 * x1 + w1 * x2 * x3"
HEAD = """class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.95, 0.288]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return product(w0, x1) + w1 * x2 * x3
"""
PASS = """
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = x2 * x3
        y = product(w0, x1) + w1 * a
        self.w.grad = torch.stack([x1.clone(), a])
        return y
"""
HELPER = "product = lambda w, x: w * x"
RIGHT = HEAD + PASS
WRONG = RIGHT.replace("x1.clone()", "2 * x1")
ENDLESS = RIGHT.replace("        a = x2", "        while True:\n            pass\n        a = x2")


class Shown(NamedTuple):
    """What a cell gave. `cards` are pieces of HTML, `plain` what a terminal would show in their place,
    `error` the lines of a traceback."""

    cards: list[str]
    plain: list[str]
    printed: str
    error: str

    @property
    def card(self) -> str:
        """The text of the only card."""
        (card,) = self.cards
        return text_of(card)


def text_of(card: str) -> str:
    """What a reader sees of HTML."""
    card = re.sub(r"<(style|title)>.*?</\1>", "", card, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub("<[^>]*>", "", card)))


class Live:
    """A kernel. Displays that are redrawn are shown as they are at the end of the cell."""

    def __init__(self, manager: KernelManager) -> None:
        self.manager = manager
        self._client = manager.blocking_client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=PATIENCE)
        self.begun = lambda: None
        """Called when a cell first shows something."""

    def run(self, code: str) -> Shown:
        """Runs a cell."""
        shown: dict[object, dict[str, str]] = {}
        printed: list[str] = []
        error: list[str] = []

        def take(message: dict[str, Any]) -> None:
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                printed.append(content["text"])
            elif kind == "error":
                error.extend(content["traceback"])
            elif "data" in content:
                id = content.get("transient", {}).get("display_id")
                assert kind != "update_display_data" or id in shown
                first = not shown
                shown[id or len(shown)] = content["data"]
                if first:
                    self.begun()

        self._client.execute_interactive(code, output_hook=take, timeout=PATIENCE)
        whole = [data for data in shown.values() if any(data.values())]
        return Shown(
            [data["text/html"] for data in whole if "text/html" in data],
            [data["text/plain"] for data in whole],
            "".join(printed),
            "\n".join(error),
        )

    def value(self, expression: str) -> str:
        """What an expression gives, as text; it shows nothing else."""
        shown = self.run(expression)
        assert not shown.error, shown.error
        return shown.plain[-1]

    def close(self) -> None:
        self._client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@contextmanager
def kernel(folder: Path) -> Iterator[Live]:
    """A kernel that works in a folder."""
    manager = KernelManager()
    manager.start_kernel(cwd=str(folder))
    live = Live(manager)
    try:
        yield live
    finally:
        live.close()
