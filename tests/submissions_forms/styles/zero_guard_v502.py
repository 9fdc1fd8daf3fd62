import torch


class ReLU:
    @staticmethod
    def forward(x):
        out = torch.maximum(x, x.new_zeros(()))
        return out, out > 0

    @staticmethod
    def backward(dout, cache):
        return dout.where(cache, 0)
