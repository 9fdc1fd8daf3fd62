"""A real browser for tests: Chromium, driven by Playwright, which sees every request and message."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright
from waiting import PATIENCE

AXE = (Path(__file__).parent / "vendor/axe.min.js").read_text(encoding="utf-8")
NAMES = ("chromium", "chromium-browser", "google-chrome")
needs_browser = pytest.mark.program("chromium")


@contextmanager
def browser() -> Iterator[Browser]:
    """For tests marked with `needs_browser`, which are left out where there is none."""
    found = next(filter(None, map(shutil.which, NAMES)))
    # as root Chromium runs only without its own sandbox; it opens nothing but our own pages
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(
            executable_path=found, args=arguments, timeout=PATIENCE * 1000
        )


class Visit:
    """A page opened from its file. `outside` are requests for anything but a file of the report,
    `said` what the console, a dialog or an error said: policy violations come there too."""

    def __init__(self, page: Page, folder: Path, name: str, scripts: bool) -> None:
        self.page = page
        self.outside: list[str] = []
        self.said: list[str] = []
        ours = folder.resolve().as_uri() + "/"

        def route(handler: Any) -> None:
            if handler.request.url.startswith(ours):
                handler.continue_()
            else:
                self.outside.append(handler.request.url)
                handler.abort()

        page.route("**/*", route)
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: (self.said.append(dialog.message), dialog.dismiss()))
        page.goto(ours + name)
        if scripts and page.locator("#graph-place").count():
            page.locator("#graph-place svg").wait_for()

    def violations(self) -> list[str]:
        """What axe finds wrong, each with where and why."""
        self.page.evaluate(AXE)
        # preload would fetch the style sheet, which the policy of the page forbids
        found = self.page.evaluate("axe.run({preload: false})")
        return [
            f"{rule['id']}: {node['target']} {node['failureSummary']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]

    def check(self) -> None:
        """Nothing was asked for outside the report, and nothing was said."""
        assert self.outside == []
        assert self.said == []


expect.set_options(timeout=PATIENCE * 1000)  # a busy machine is no fault of a page's


@contextmanager
def visit(
    on: Browser,
    folder: Path,
    name: str,
    scheme: Literal["light", "dark"] = "light",
    width: int = 1300,
    scripts: bool = True,
) -> Iterator[Visit]:
    """A page in a fresh context, checked when it is left."""
    context = on.new_context(
        color_scheme=scheme,
        viewport={"width": width, "height": 900},
        java_script_enabled=scripts,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE * 1000)
    try:
        opened = Visit(context.new_page(), folder, name, scripts)
        yield opened
        opened.check()
    finally:
        context.close()
