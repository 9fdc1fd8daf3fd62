"""What all pages share: templates, names of files, and what a browser may do with them."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import partial
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from ...messages import language, place_label, say, say_count
from ...model.verdict import ORIGINS
from ..document import Document
from ..text import decimal, in_words, unused, variant_label

HERE = Path(__file__).parent

STUDENT_SCRIPTS = ("../assets/viz.js", "../assets/student.js")


class Site:
    """Renders templates with everything escaped, and with a policy that leaves a page no freedom:
    one inline script, known by its hash, loads ours; nothing else runs, and nothing is sent."""

    def __init__(self, *templates: Path) -> None:
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader([HERE / "templates", *templates]),
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {
            "say": say,
            "say_count": say_count,
            "language": language,
            "variant_label": variant_label,
            "place_label": place_label,
            "in_words": in_words,
            "ORIGINS": ORIGINS,
        }
        self._templates.filters |= {"points": partial(decimal, places=2), "prose": prose}

    def render(self, template: str, scripts: tuple[str, ...], **values: object) -> bytes:
        """A page as UTF-8."""
        loader = self._templates.get_template("loader.js.jinja").render(scripts=scripts)
        digest = hashlib.sha256(loader.encode()).digest()
        text = self._templates.get_template(template).render(
            values,
            root="../" if scripts == STUDENT_SCRIPTS else "",
            loader=loader,
            loader_hash=base64.b64encode(digest).decode(),
            wasm=scripts == STUDENT_SCRIPTS,
        )
        return text.encode()

    def fragment(self, template: str, **values: object) -> str:
        """A piece of a page, for what has a page around it."""
        return self._templates.get_template(template).render(values)


def prose(text: str) -> Markup:
    """A sentence of ours as HTML: what stands in backticks is code. What a student can influence in
    it is escaped first, and a pair of backticks of theirs can make code and nothing else."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def page_names(document: Document) -> list[str]:
    """For each submission the file of its page: readable, the same in every run, and unique."""
    names: list[str] = []
    taken: set[str] = set()
    for entry in document.submissions:
        plain = re.sub(r"[^A-Za-z0-9]+", "-", entry.path).strip("-")[-40:].strip("-")
        digest = hashlib.sha256(entry.path.encode()).hexdigest()[:10]
        names.append(unused(f"students/{plain}-{digest}", ".html", taken))
    return names
