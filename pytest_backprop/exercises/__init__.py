"""Kinds of exercise, a folder each: what a task is, where it is tried, and what is right there.

They do not know submissions' files, reports or pytest.
"""
