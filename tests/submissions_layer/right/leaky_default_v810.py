# verdict:
# why = "a default for the slope, and a factor in place on ones"
import torch


class LeakyReLU(object):
    @staticmethod
    def forward(x, slope=0.01):
        factor = torch.ones_like(x)
        factor[x < 0] = slope
        return x * factor, factor

    @staticmethod
    def backward(dout, factor):
        dx = dout.clone()
        dx *= factor
        return dx
