import torch
from torch.nn.functional import unfold, fold


class MaxPool:
    @staticmethod
    def forward(x, pool_param):
        h, w, s = pool_param.values()
        N, C, H, W = x.shape
        cols = x.unfold(2, h, s).unfold(3, w, s)
        out = cols.amax((-2, -1))
        return out, (x, h, w, s, out)

    @staticmethod
    def backward(dout, cache):
        x, h, w, s, out = cache
        dx = x.new_zeros(x.shape)
        for i in range(dout.shape[2]):
            for j in range(dout.shape[3]):
                win = x[..., i * s:i * s + h, j * s:j * s + w]
                hit = (win == out[..., i:i + 1, j:j + 1]).to(x.dtype)
                hit /= hit.sum((-2, -1), keepdim=True)
                dx[..., i * s:i * s + h, j * s:j * s + w].add_(hit * dout[..., i:i + 1, j:j + 1])
        return dx
