"""Answer keys and templates of the exercise `tape`: Variables with the operators that a task needs, derived from
its text.

`operators` has what each calculates and what flows back, `reading` finds those that a task needs, `writing` makes
Python of it, `template` what a student starts from.
"""

from __future__ import annotations

from .template import IMPORTS, function_text, template_cells
from .writing import class_text

__all__ = ["IMPORTS", "class_text", "function_text", "template_cells"]
