# verdict:
# failed = "gradient raises @D, unused-nodes"
# why = "a gradient of a plain number is not asked for"
import torch


class LeakyReLU:
    @staticmethod
    def forward(x, slope):
        return torch.where(x > 0, x, slope * x), (x, slope)

    @staticmethod
    def backward(dout, cache):  # @D
        x, slope = cache
        dx = torch.where(x > 0, dout, slope * dout)
        return dx, (dout * x * (x <= 0)).sum()
