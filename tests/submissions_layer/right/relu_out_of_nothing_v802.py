# verdict:
# why = "`out=` gives what is empty its size, as torch does"
import torch


def relu_forward(x):
    out = torch.empty(0)
    torch.clamp(x, min=0, out=out)
    return out, x


def relu_backward(dout, x):
    dx = torch.empty(0)
    torch.mul(dout, x > 0, out=dx)
    return dx
