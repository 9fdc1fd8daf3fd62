# verdict:
# why = "forward writes into x: right numbers, a note"
import torch


def relu_forward(x):
    out = x.clamp_(min=0)
    return out, out


def relu_backward(dout, cache):
    return dout * (cache > 0)
