"""Cells of a notebook, and what all that are made here have in them."""

from __future__ import annotations

import json

from pytest_backprop.messages import say

Cell = dict[str, object]


def markdown(source: str) -> Cell:
    """Text."""
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def code(source: str) -> Cell:
    """Python that has not run."""
    return {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [],
            "source": source}  # fmt: skip


def unwritten(method: str) -> str:
    """The statement of a method that the student is to write."""
    text = say("{method} is not written yet", method=method)
    return f"        raise NotImplementedError({json.dumps(text, ensure_ascii=False)})"


def notebook(cells: list[Cell]) -> str:
    """nbformat 4.5: https://nbformat.readthedocs.io/en/latest/format_description.html"""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    numbered = [
        {"cell_type": cell["cell_type"], "id": f"cell-{number}", **cell}
        for number, cell in enumerate(cells, 1)
    ]
    document = {
        "cells": numbered,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
