import torch


class LayerNorm(object):

    @staticmethod
    def forward(x, gamma, beta):
        D = x.size(-1)
        flat = x.reshape(-1, D).t()  # features first, so it is batch norm's code
        mu = flat.sum(0) / D
        v = ((flat - mu) ** 2).sum(0) / D
        std = (v + 1e-5).sqrt()
        z = (flat - mu) / std
        out = z.t() * gamma + beta
        return out.reshape(x.shape), (z.t(), std[:, None], gamma, x.shape)

    @staticmethod
    def backward(dout, cache):
        z, std, gamma, shape = cache
        D = shape[-1]
        dout = dout.reshape(-1, D)
        dgamma = (z * dout).sum(0)
        dbeta = dout.sum(0)
        dz = dout.mul(gamma)
        dx = (D * dz - dz.sum(1, keepdim=True) - z * (dz * z).sum(1, keepdim=True)) / (D * std)
        return dx.view(shape), dgamma, dbeta
