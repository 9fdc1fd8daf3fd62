# Wrong at: everywhere, by a constant with few digits
import torch


class GELU(object):
    @staticmethod
    def forward(x):
        t = torch.tanh(0.79788 * (x + 0.0447 * x ** 3))
        return 0.5 * x * (1 + t), (x, t)

    @staticmethod
    def backward(dout, cache):
        x, t = cache
        return dout * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.79788 * (1 + 3 * 0.0447 * x * x))
