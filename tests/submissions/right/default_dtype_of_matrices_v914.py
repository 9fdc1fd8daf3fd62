# verdict:
# why = "inputs have the dtype that torch.rand gives; a column at a time, in a loop"
import torch
from torch import nn
torch.set_default_dtype(torch.float64)


class BN(nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = nn.Parameter(torch.rand(3))
        self.beta = nn.Parameter(torch.rand(3))
        self.w = nn.Parameter(torch.rand(3))

    def forward(self, x, y):
        z = x * self.w
        normal = (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + 0.1)
        return ((self.gamma * normal + self.beta - y) ** 2).mean()

    def my_forward_backward(self, x, y):
        n, d = x.shape
        grads = {k: [] for k in ("gamma", "beta", "w")}
        total = 0
        for k in range(d):
            z = x[:, k] * self.w[k]
            mu = z.sum() / n
            zc = z - mu
            z = mu = None
            var = (zc ** 2).sum() / n
            std = (var + 0.1).sqrt()
            var = None
            xhat = zc / std
            out = self.gamma[k] * xhat + self.beta[k] - y[:, k]
            total = total + (out ** 2).sum()
            dout = 2 * out / (n * d)
            out = None
            grads["beta"].append(dout.sum())
            grads["gamma"].append((dout * xhat).sum())
            dxhat = dout * self.gamma[k]
            dout = None
            dstd = -(dxhat * xhat).sum() / std
            xhat = None
            dzc = dxhat / std
            dxhat = None
            dvar = dstd / (2 * std)
            dstd = std = None
            dzc = dzc + 2 * zc * dvar / n
            zc = dvar = None
            dz = dzc - dzc.sum() / n
            dzc = None
            grads["w"].append((dz * x[:, k]).sum())
            dz = None
        for name, parts in grads.items():
            getattr(self, name).grad = torch.stack(parts)
        return total / (n * d)
