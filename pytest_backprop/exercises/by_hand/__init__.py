"""Gradients that a student writes by hand, in the form in which their course asks for them.

`forms` has one file a form: its rules and what findings say. `pairs` is the child's half of the
form in which one function gives the value and another the gradients, `task` reads its tasks, and
`checks` are those of all forms. Nothing here knows how a class arrives.
"""
