"""The command `backprop`: what a course needs besides grading. One module a command.

It knows every other room, and none knows it.
"""

from __future__ import annotations

from .main import main

__all__ = ["main"]
