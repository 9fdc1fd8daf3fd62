import torch
import torch.nn as nn


def bn_one_channel(v, eps=1e-5):
    """v: 1-d tensor with all the pixels of a channel"""
    m = v.numel()
    mean = v.sum() / m
    centered = v - mean
    var = (centered * centered).sum() / m
    std = torch.sqrt(var + eps)
    return centered / std, std


def bn_one_channel_back(dxhat, xhat, std):
    # formula from the paper, simplified on paper
    m = dxhat.numel()
    tmp = dxhat - dxhat.mean()
    tmp = tmp - xhat * (dxhat * xhat).sum() / m
    return tmp / std


class SpatialBatchNorm(object):

    @staticmethod
    def forward(x, gamma, beta):
        N, C, H, W = x.size()
        out = torch.zeros_like(x)
        cache = []
        for c in range(C):
            pixels = x[:, c, :, :].clone().reshape(-1)
            xhat, std = bn_one_channel(pixels)
            y = xhat * gamma[c] + beta[c]
            out[:, c, :, :] = y.reshape(N, H, W)
            cache.append((xhat, std, gamma[c]))
        assert len(cache) == C
        return out, cache

    @staticmethod
    def backward(dout, cache):
        N, C, H, W = dout.size()
        dx = torch.zeros_like(dout)
        dgamma = torch.zeros(C, dtype=dout.dtype)
        dbeta = torch.zeros(C, dtype=dout.dtype)
        for c in range(C):
            xhat, std, g = cache[c]
            dy = dout[:, c, :, :].reshape(-1)
            dbeta[c] = dy.sum()
            dgamma[c] = (dy * xhat).sum()
            dv = bn_one_channel_back(dy * g, xhat, std)
            dx[:, c, :, :] = dv.reshape(N, H, W)
        # print(dx.shape, dgamma, dbeta)
        return dx, dgamma, dbeta
