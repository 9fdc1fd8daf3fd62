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
