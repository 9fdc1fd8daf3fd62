"""The language of a command's texts."""

from __future__ import annotations

import click

from ..messages import use_language


def with_language(lang: str) -> None:
    """Tells all in a language until the command is over."""
    use_language(lang)
    click.get_current_context().call_on_close(lambda: use_language("en"))
