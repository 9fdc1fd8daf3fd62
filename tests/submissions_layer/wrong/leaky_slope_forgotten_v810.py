# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "that of ReLU without a leak"
import torch


class LeakyReLU:
    @staticmethod
    def forward(x, slope):
        return torch.where(x > 0, x, slope * x), (x, slope)

    @staticmethod
    def backward(dout, cache):
        x, slope = cache
        return dout * (x > 0)  # @X
