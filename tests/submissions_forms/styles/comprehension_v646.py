import torch


def lin(inp, w, b):
    # one output unit at a time, as in the drawing of a neuron
    units = [(inp * w[:, j]).sum(1) + b[j] for j in range(w.shape[1])]
    return torch.stack(units, dim=1)


def lin_grad(inp, out, w, b):
    n, m = out.g.shape
    # print(inp.shape, out.g.shape, w.shape, b.shape)
    # unit j only sees column j of out.g
    per_unit = [out.g[:, j:j + 1] for j in range(m)]
    w.g = torch.cat([(inp * g).sum(0)[:, None] for g in per_unit], dim=1)
    b.g = torch.cat([g.sum(0) for g in per_unit])
    # an input feeds all units: add up what comes back from each
    inp.g = torch.zeros_like(inp)
    for j, g in enumerate(per_unit):
        inp.g += g * w[:, j]
    assert inp.g.shape == inp.shape and w.g.shape == w.shape and b.g.shape == b.shape
