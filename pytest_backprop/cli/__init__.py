"""The command `backprop`: what a course needs besides grading. One module a command."""

from __future__ import annotations

from .main import main

__all__ = ["main"]
