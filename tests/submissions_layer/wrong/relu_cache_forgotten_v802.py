# verdict:
# status = "unreadable: signature @S"
# why = "backward takes dout alone"
import torch


def relu_forward(x):
    global saved
    saved = x
    return x.clamp(min=0), x


def relu_backward(dout):  # @S
    return dout * (saved > 0)
