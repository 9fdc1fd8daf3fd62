import itertools

import torch

SAVED = {}
tickets = itertools.count()


def keep(*things):
    ticket = next(tickets)
    SAVED[ticket] = things
    return ticket


class Linear:
    @staticmethod
    def forward(x, w, b):
        out = x.flatten(1).mm(w).add(b)
        return out, keep(x, w)

    @staticmethod
    def backward(dout, ticket):
        x, w = SAVED.pop(ticket)
        return dout.mm(w.t()).view_as(x), x.flatten(1).t().mm(dout), dout.sum(0)


class ReLU:
    @staticmethod
    def forward(x):
        out = x.clamp(min=0)
        return out, keep(out)

    @staticmethod
    def backward(dout, ticket):
        (out,) = SAVED.pop(ticket)
        return torch.where(out > 0, dout, torch.zeros_like(dout))


class Linear_ReLU:
    @staticmethod
    def forward(x, w, b):
        a, fc = Linear.forward(x, w, b)
        out, act = ReLU.forward(a)
        return out, [fc, act]

    @staticmethod
    def backward(dout, cache):
        return Linear.backward(ReLU.backward(dout, cache.pop()), cache.pop())
