# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "backward is forward once more"
import torch


def relu_forward(x):
    return x.clamp(min=0), x


def relu_backward(dout, cache):
    dx = dout.clamp(min=0)  # @X
    return dx
