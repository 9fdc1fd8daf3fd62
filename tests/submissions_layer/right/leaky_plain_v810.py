# verdict:
import torch


class LeakyReLU:
    @staticmethod
    def forward(x, slope):
        return torch.where(x > 0, x, slope * x), (x, slope)

    @staticmethod
    def backward(dout, cache):
        x, slope = cache
        return torch.where(x > 0, dout, slope * dout)
