import torch


class ReLU(object):
    @staticmethod
    @torch.no_grad()
    def forward(x):
        out = torch.maximum(x, x.new_zeros(()))
        return out, out

    @staticmethod
    @torch.no_grad()
    def backward(dout, out):
        alive = out > 0
        if not alive.any() or not dout.any():
            return torch.zeros_like(dout)
        dx = torch.zeros_like(dout)
        dx[alive] = dout[alive]
        return dx
