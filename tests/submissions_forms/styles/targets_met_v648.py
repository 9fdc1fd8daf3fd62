import torch


def mse(inp, targ):
    mse.diff = inp.flatten() - targ
    return mse.diff.dot(mse.diff) / len(targ)


def mse_grad(inp, targ):
    diff = inp.flatten() - targ
    met = diff == 0
    if met.all():
        inp.g = torch.zeros_like(inp)
        return
    inp.g = torch.where(met, 0.0, 2 * diff / len(targ)).unsqueeze(1)
