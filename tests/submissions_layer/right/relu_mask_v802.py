# verdict:
# why = "the mask is the cache, and the gradient comes alone in a tuple"
import torch


def relu_forward(x):
    mask = (x > 0).to(x.dtype)
    return x * mask, mask


def relu_backward(dout, mask):
    return (dout * mask,)
