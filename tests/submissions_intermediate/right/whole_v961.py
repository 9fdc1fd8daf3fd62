# verdict:
# why = "a whole file, as backprop solve writes it"
import math

import torch
from torch import nn
from torch.nn import functional as F


def gradients(x, y, w, v):
    hidden = torch.tanh(x @ w)
    hidden.retain_grad()  # an intermediate is no leaf: without this its gradient is dropped
    logits = hidden @ v
    logits.retain_grad()
    loss = F.cross_entropy(logits, y)
    loss.backward()
    return {"hidden": hidden.grad, "logits": logits.grad}
