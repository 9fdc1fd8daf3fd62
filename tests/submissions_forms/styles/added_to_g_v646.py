import torch


def lin(inp, w, b):
    return inp.matmul(w).add(b)


def accumulate(t, g):
    if hasattr(t, "g") and t.g is not None:
        t.g += g
    else:
        t.g = g


def lin_grad(inp, out, w, b):
    accumulate(inp, out.g.matmul(w.t()))
    accumulate(w, inp.t().matmul(out.g))
    accumulate(b, out.g.sum(0))
