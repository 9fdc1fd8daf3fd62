"""A submission's file as Python text, and the definitions in it that the model class needs.

The grader calls `read`, which only reads text. The child process calls `slice_model`, which parses
and runs nothing, and then `load`, which runs the statements that were chosen and no others.
`Statements` leads from a place in the text back to the student's statement.
"""

from __future__ import annotations

from .likelihood import likelihood
from .load import LOADS_ANEW, compile_slice, load, unit_filename, unit_of_filename
from .parse import describe_line
from .read import read, read_bytes
from .slice import Slice, SlicedStatement, slice_model, slice_names
from .statements import StatementAt, Statements

__all__ = [
    "LOADS_ANEW",
    "Slice",
    "SlicedStatement",
    "StatementAt",
    "Statements",
    "compile_slice",
    "describe_line",
    "likelihood",
    "load",
    "read",
    "read_bytes",
    "slice_model",
    "slice_names",
    "unit_filename",
    "unit_of_filename",
]
