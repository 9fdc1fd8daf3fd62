# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "the local derivative alone"
import torch


def relu_forward(x):
    return x.clamp(min=0), x


def relu_backward(dout, cache):
    return (cache > 0).float()  # @X
