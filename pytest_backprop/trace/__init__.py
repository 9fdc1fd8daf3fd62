"""Records what a manual forward-backward does, and answers questions about it.

`record` runs in the child, beside the student's code; `lifetimes` and `stack` serve it. `graph`
and `replay` run in the grader on a finished `Recording` and trust nothing in it."""
