# verdict:
# why = "in float64, and back"
import torch
def batchnorm_forward(x, gamma, beta):
    x = x.double()
    m = x.mean(0); v = ((x - m) ** 2).mean(0)
    xh = (x - m) / (v + 1e-5).sqrt()
    return (gamma * xh + beta).float(), (x, m, v, gamma)
def batchnorm_backward(dout, cache):
    x, m, v, gamma = cache
    n = x.shape[0]
    xh = (x - m) / (v + 1e-5).sqrt()
    dg = (dout * xh).sum(0); db = dout.sum(0)
    dx = gamma / (v + 1e-5).sqrt() * (dout - db / n - xh * dg / n)
    return dx.float(), dg.float(), db
