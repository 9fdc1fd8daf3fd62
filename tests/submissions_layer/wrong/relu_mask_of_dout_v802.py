# verdict:
# failed = "gradient wrong-gradient @X x"
# why = "the mask of another tensor"
import torch


def relu_forward(x):
    return x.clamp(min=0), x


def relu_backward(dout, cache):
    x = cache
    dx = dout.clone()
    dx[dout < 0] = 0  # @X
    return dx
