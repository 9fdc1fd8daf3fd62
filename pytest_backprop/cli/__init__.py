"""The command `backprop`: what a course needs besides grading. One module a command.

It knows every other room, and none knows it. Commands that write answers are of another
distribution, `authoring/`.
"""

from __future__ import annotations

from .main import main

__all__ = ["main"]
