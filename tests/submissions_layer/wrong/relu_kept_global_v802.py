# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "the derivative at a number that stands in the file"
import torch

x = torch.linspace(-1, 1, 5)


def relu_forward(x):
    return x.clamp(min=0), x.shape


def relu_backward(dout, cache):
    return dout * (x.sum() >= 0)  # @X
