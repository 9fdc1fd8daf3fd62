"""Answer keys: the manual forward-backward of a variant, as a right student would hand it in; and what the
notebook that a student starts from has of it."""

from __future__ import annotations

from pytest_backprop.errors import UsageProblem
from pytest_backprop.exercises.functions.bank import Variant
from pytest_backprop.messages import say

from ..cells import Cell
from . import template, writing
from .writing import IMPORTS

__all__ = ["IMPORTS", "class_text", "function_text", "template_cells"]


def class_text(variant: Variant, explain: bool = False) -> str:
    """The module alone. Raises UsageProblem for a function that has no answer."""
    return writing.class_text(scalar(variant), explain)


def function_text(variant: Variant) -> str:
    """The variant as it is written."""
    return variant.source


def template_cells(variant: Variant) -> tuple[list[Cell], list[Cell]]:
    """The assignment's text and the module to fill in; then how its graph is drawn."""
    return template.template_cells(scalar(variant))


def scalar(variant: Variant) -> Variant:
    """The same, for what is written of scalars alone: answer keys, templates, drawn graphs.

    Raises UsageProblem for a task of matrices.
    """
    if not variant.of_scalars:
        raise UsageProblem(
            say("{name} is a task of matrices", name=variant.name),
            say("this is written for tasks of scalars alone; backprop grade does both"),
        )
    return variant
