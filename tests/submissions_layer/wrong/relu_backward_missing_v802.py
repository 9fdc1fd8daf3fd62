# verdict:
# status = "unreadable: no-function"
# why = "there is no function relu_backward"
import torch


def relu_forward(x):
    return x.clamp(min=0), x


def relu_back(dout, cache):
    return dout * (cache > 0)
