"""Gradients that a student writes by hand, in the form in which their course asks for them.

`forms` has one file a form: what is looked for in a submission, who calls what, and how each
gradient comes back. `pairs` runs the forms in which one function gives the value and another the
gradients, `task` reads their tasks, and `checks` are those of all forms; a form's rules say which
of them it asks for. Nothing here knows how a class arrives.
"""
