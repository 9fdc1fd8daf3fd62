"""Grades that were there before: the journal, and what a grade depends on.

A run that ended goes on where it was, and what was graded again is compared. It does not know how a
grade comes about.
"""
