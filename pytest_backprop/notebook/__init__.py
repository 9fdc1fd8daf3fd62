"""The live cell: `check(Graph, "v8")` and `%%backprop v8` grade what a kernel has.

What was run in the kernel is a notebook, in the order in which it was run, and that is graded as
one that was handed in: in other processes, which live as long as the kernel does. The room knows
kernels, and nothing of how a submission is judged. IPython is used where it is there; only `magic`
needs it."""
