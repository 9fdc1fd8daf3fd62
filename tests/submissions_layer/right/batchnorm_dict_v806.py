# verdict:
# why = "a dict as cache, values computed anew"
import torch


def batchnorm_forward(x, gamma, beta, eps=1e-5, mode="train"):
    assert mode == "train"
    mu = x.mean(dim=0, keepdim=True)
    var = ((x - mu) ** 2).mean(dim=0, keepdim=True)
    out = gamma * (x - mu) * torch.rsqrt(var + eps) + beta
    return out, dict(x=x, mu=mu, var=var, gamma=gamma, eps=eps)


def batchnorm_backward(dout, cache):
    x, mu, var, gamma, eps = (cache[key] for key in ("x", "mu", "var", "gamma", "eps"))
    inv = torch.rsqrt(var + eps)
    centred = x - mu
    dxhat = dout * gamma
    dvar = (dxhat * centred * -0.5 * inv ** 3).sum(0, keepdim=True)
    dmu = (-dxhat * inv).sum(0, keepdim=True)
    dx = dxhat * inv + dvar * 2 * centred / len(x) + dmu / len(x)
    return dx, (dout * centred * inv).sum(0), dout.sum(0)
