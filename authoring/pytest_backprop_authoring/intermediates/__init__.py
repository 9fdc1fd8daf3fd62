"""Answer keys and templates of the exercise `intermediate-gradients`: the task's own function, whose intermediates
keep their gradients.
"""

from __future__ import annotations

from ..functions.template import function_text
from .template import IMPORTS, template_cells
from .writing import class_text

__all__ = ["IMPORTS", "class_text", "function_text", "template_cells"]
