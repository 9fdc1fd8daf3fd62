# verdict:
# why = "backward writes into the value that forward returned, when it is not needed any more"
import torch


def relu_forward(x):
    out = x.clamp(min=0)
    return out, out


def relu_backward(dout, out):
    out[out > 0] = 1.0
    return out * dout
