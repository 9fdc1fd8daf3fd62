"""The card in a real JupyterLab, in a real browser, in a light and in a dark theme."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from browser import browser, needs_browser
from kernels import HELPER, IMPORTS, RIGHT, TASK, WRONG
from playwright.sync_api import Browser, expect
from waiting import PATIENCE, wait_until

pytestmark = [needs_browser, pytest.mark.long]
THEMES = ("Light", "Dark")
UNUSED = WRONG.replace("        y = product", "        unused = a * x1\n        y = product")
CELLS = (IMPORTS, TASK, HELPER, UNUSED, "check(Graph, v1)", RIGHT, "check(Graph, v1)")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as started:
        yield started


@pytest.fixture(params=THEMES)
def lab(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a notebook in a server of its own, with a theme. Nothing of it is where a
    user's settings are."""
    folders = {"CONFIG": "config", "DATA": "data", "RUNTIME": "runtime"}
    environment = {f"JUPYTER_{key}_DIR": str(tmp_path / name) for key, name in folders.items()}
    settings = tmp_path / "settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    chosen = {
        "themes": {"theme": f"JupyterLab {request.param}"},
        "notification": {"fetchNews": "false", "checkForUpdates": False},
    }
    for name, values in chosen.items():
        (settings / f"{name}.jupyterlab-settings").write_text(json.dumps(values))
    environment["JUPYTERLAB_SETTINGS_DIR"] = str(tmp_path / "settings")
    environment["JUPYTERLAB_WORKSPACES_DIR"] = str(tmp_path / "workspaces")
    work = tmp_path / "work"
    work.mkdir()
    cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    book = nbformat.v4.new_notebook(cells=cells)
    book.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(book, work / "homework.ipynb")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--port={port}"]
    command += ["--IdentityProvider.token=", f"--ServerApp.root_dir={work}"]
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            command, cwd=work, env=os.environ | environment, stdout=log, stderr=log
        )
    try:
        wait_until(lambda: server.poll() is not None or _answers(port), "the server does not start")
        assert server.poll() is None, (tmp_path / "log").read_text()
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _answers(port: int) -> bool:
    with socket.socket() as link:
        return link.connect_ex(("127.0.0.1", port)) == 0


CONTRAST = """cards => {
  const context = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const pixel = (layers) => {
    context.clearRect(0, 0, 1, 1);
    for (const layer of layers) { context.fillStyle = layer; context.fillRect(0, 0, 1, 1); }
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => rgb
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, n) => sum + v * [0.2126, 0.7152, 0.0722][n], 0);
  const told = [];
  for (const card of cards) for (const element of card.querySelectorAll("*")) {
    const own = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!own || !element.checkVisibility() || ["STYLE", "title"].includes(element.nodeName)) continue;
    const grounds = ["white"];
    const around = [];
    for (let e = element; e; e = e.parentElement) around.unshift(e);
    for (const e of around) grounds.push(getComputedStyle(e).backgroundColor);
    const shape = element.closest(".node")?.querySelector(".shape");
    if (shape) grounds.push(getComputedStyle(shape).fill);
    const style = getComputedStyle(element);
    const colour = element instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [pixel(grounds), pixel([...grounds, colour])].map(light).sort((x, y) => y - x);
    told.push([(a + 0.05) / (b + 0.05), element.textContent.trim().slice(0, 40), colour]);
  }
  return told;
}"""
"""Of each text of some elements how its colour stands out from all that is behind it."""


def test_the_card_in_jupyterlab(lab: str, chromium: Browser, tmp_path: Path) -> None:
    # the browser's own scheme is light: the dark one is Jupyter's
    page = chromium.new_page(viewport={"width": 1300, "height": 3200}, color_scheme="light")
    page.set_default_timeout(PATIENCE * 1000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{lab}/lab/tree/homework.ipynb")
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    cards = page.locator(".backprop-card")
    cards.nth(1).wait_for()
    assert cards.count() == 2  # what stood there meanwhile was redrawn
    assert page.get_by_text("grading …").count() == 0
    wrong, right = cards.nth(0), cards.nth(1)
    expect(wrong.get_by_text("Fix first: In [4], line 15")).to_be_visible()
    expect(right.get_by_text("Nothing to fix")).to_be_visible()
    for drawing in wrong.locator("summary").all():
        drawing.click()
    expect(wrong.locator(".graph .node", has_text="unused").first).to_be_visible()
    expect(wrong.locator("svg.lives")).to_be_visible()
    wrong.screenshot(path=tmp_path / "wrong.png")
    right.screenshot(path=tmp_path / "right.png")
    box, inner = wrong.bounding_box(), wrong.locator("svg.lives").bounding_box()
    assert box is not None
    assert inner is not None
    assert inner["x"] + inner["width"] <= box["x"] + box["width"]
    told = cards.evaluate_all(CONTRAST)
    assert len(told) > 50
    assert [text for text in told if text[0] < 4.5] == []
    assert [url for url in asked if not url.startswith((lab, "data:", "blob:"))] == []
    page.close()
