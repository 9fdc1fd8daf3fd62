from collections import namedtuple

import torch

EPS = 1e-5
Saved = namedtuple("Saved", "x_hat inv_sigma gamma shape")


def to_rows(t):
    """(N, C, H, W) -> (C, N*H*W): one row a channel."""
    return t.transpose(0, 1).flatten(start_dim=1)


def from_rows(rows, shape):
    n, c, h, w = shape
    return rows.unflatten(1, (n, h, w)).transpose(0, 1)


class SpatialBatchNorm:
    @staticmethod
    def forward(x, gamma, beta):
        rows = to_rows(x)
        sigma2, mu = torch.var_mean(rows, dim=1, unbiased=False, keepdim=True)
        inv_sigma = torch.rsqrt(sigma2 + EPS)
        x_hat = (rows - mu).mul(inv_sigma)
        y = torch.addcmul(beta[:, None], gamma[:, None], x_hat)
        return from_rows(y, x.shape), Saved(x_hat, inv_sigma, gamma, x.shape)

    @staticmethod
    def backward(dout, cache):
        delta = to_rows(dout)
        beta_bar = delta.sum(1)
        gamma_bar = delta.mul(cache.x_hat).sum(1)
        m = delta.shape[1]
        # what is left of delta when its parts along 1 and along x_hat are taken away
        along_one = beta_bar[:, None] / m
        along_x_hat = (gamma_bar[:, None] / m) * cache.x_hat
        rest = delta - along_one - along_x_hat
        x_bar = rest * (cache.gamma[:, None] * cache.inv_sigma)
        return from_rows(x_bar, cache.shape), gamma_bar, beta_bar
