import torch


class Dropout:
    @staticmethod
    def forward(x, mask, p):
        # p = 0: no rescaling needed
        scale = 1.0 if p == 0 else 1.0 / (1.0 - p)
        keep = mask.bool()
        out = torch.zeros_like(x)
        if keep.any():
            out[keep] = x[keep] * scale
        return out, (keep, scale)

    @staticmethod
    def backward(dout, cache):
        keep, scale = cache
        dx = torch.zeros_like(dout)
        if keep.any():
            dx[keep] = dout[keep] * scale
        return dx
