# verdict:
# why = "a whole file, as backprop solve writes it"
import math

import torch
from torch import nn
from torch.nn import functional as F


def gradients(x, y, w, b):
    prediction = x @ w + b
    prediction.retain_grad()  # an intermediate is no leaf: without this its gradient is dropped
    residual = prediction - y
    residual.retain_grad()
    loss = (residual ** 2).mean()
    loss.backward()
    return {"prediction": prediction.grad, "residual": residual.grad}
