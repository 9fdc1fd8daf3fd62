# verdict:
# failed = "forward wrong-value @F, gradient wrong-gradient @X x"
# why = "0.01, whatever the slope is"
import torch


class LeakyReLU:
    @staticmethod
    def forward(x, slope):
        return torch.where(x > 0, x, 0.01 * x), x  # @F

    @staticmethod
    def backward(dout, cache):
        return torch.where(cache > 0, dout, 0.01 * dout)  # @X
