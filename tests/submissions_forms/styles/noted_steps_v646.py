from collections import defaultdict
import functools

import torch

STEPS = defaultdict(int)


def noted(function):
    @functools.wraps(function)
    @torch.no_grad()
    def inner(*args):
        STEPS[function.__name__] += 1
        return function(*args)
    return inner


@noted
def lin(inp, w, b):
    return torch.addmm(b, inp, w)


@noted
def lin_grad(inp, out, w, b):
    g = out.g
    inp.g = torch.addmm(torch.zeros_like(inp), g, w.t())
    w.g = torch.addmm(torch.zeros_like(w), inp.t(), g)
    b.g = torch.ones(len(g)) @ g
