# verdict:
# why = "the clone was forgotten: what is handed back is right, and a note says what was written into"
import torch


def relu_forward(x):
    return x.clamp(min=0), x


def relu_backward(dout, cache):
    dx = dout
    dx[cache <= 0] = 0
    return dx
