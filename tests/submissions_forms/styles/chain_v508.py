import torch


def affine(x, w, b):
    flat = x.flatten(start_dim=1)

    def back(g):
        gx = torch.einsum("nm,km->nk", g, w).reshape_as(x)
        gw = torch.einsum("nk,nm->km", flat, g)
        gb = torch.einsum("nm->m", g)
        return gx, gw, gb

    return torch.einsum("nk,km->nm", flat, w) + b, back


def rectify(a):
    out = torch.clamp_min(a, 0.0)

    def back(g):
        return torch.where(out > 0, g, torch.zeros_like(g))

    return out, back


class Linear_ReLU:
    @staticmethod
    def forward(x, w, b):
        tape = []
        a, step = affine(x, w, b)
        tape.append(step)
        out, step = rectify(a)
        tape.append(step)
        return out, tape

    @staticmethod
    def backward(dout, tape):
        grads = dout
        for step in reversed(tape):
            grads = step(grads)
        return grads
