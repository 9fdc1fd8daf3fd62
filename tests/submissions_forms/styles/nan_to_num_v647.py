import torch


def relu(x):
    return (x + x.abs()) / 2


def relu_grad(inp, out):
    # out / inp is 1 where it passes and 0 where not; 0 / 0 is no number
    inp.g = out.g * torch.nan_to_num(out / inp, nan=0.0)
