"""Answer keys and templates of the exercise `autograd-function`: a Function derived from its task.

`reading` takes the task's text apart into a `graph` of ops on tensors, `derivatives` has a rule for each of
these, `program` says what is saved and what is computed for whom, `writing` makes Python of it.
"""

from __future__ import annotations

from .template import IMPORTS, function_text, template_cells
from .writing import class_text

__all__ = ["IMPORTS", "class_text", "function_text", "template_cells"]
