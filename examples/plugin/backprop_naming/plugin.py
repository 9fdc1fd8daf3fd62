"""The hooks. pytest loads this module in every run, so it imports what they need when they are
called."""

from __future__ import annotations


def pytest_backprop_checks(config):
    """The check `naming`, worth nothing until a rubric gives it points."""
    from pytest_backprop.extension import CheckRules, ExtraCheck

    from .naming import ID, judge

    return [ExtraCheck(ID, judge, CheckRules(points=0, credit="per-finding", penalty=0.2))]


def pytest_backprop_report_formats(config):
    """The format `plain`."""
    from .plain import render

    return {"plain": render}


def pytest_backprop_exercises(config):
    """The exercise `gradient-table`: the homework, with gradients in a table of the module's."""
    from msgspec.structs import replace

    from pytest_backprop.extension import FORWARD_BACKWARD

    child = "backprop_naming.table_child"
    names = ("fill_table",)
    return [replace(FORWARD_BACKWARD, name="gradient-table", child=child, pass_names=names)]
