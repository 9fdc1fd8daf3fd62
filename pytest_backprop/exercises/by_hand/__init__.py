"""Gradients that a student writes by hand, in the form in which their course asks for them.

`forms` has one file a form: what is called and how, where leaves are held and gradients delivered.
`task` reads the tasks; `hands` is the child's half of all forms but scripts, which `scripts` runs;
`recognition` says which form a file has. Nothing here knows how a class arrives."""
