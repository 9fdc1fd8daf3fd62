"""Answer keys: the manual forward-backward of a variant, as a right student would hand it in; and the
notebook that a student starts from."""

from __future__ import annotations

from .notebooks import answer_notebook, template_notebook
from .writing import answer_text, class_text

__all__ = ["answer_notebook", "answer_text", "class_text", "template_notebook"]
