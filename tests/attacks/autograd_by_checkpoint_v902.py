# attack: backward through torch.utils.checkpoint
# slow = true
# failed = "integrity autograd, gradient, unused-nodes, release"
import torch
from torch.utils.checkpoint import checkpoint
from torch import nn
#: class
        with torch.enable_grad():
            w = self.w.detach().clone().requires_grad_()
            y = checkpoint(lambda w: w[0] * x1 * (w[1] * x2) + x3, w, use_reentrant=True)
            y.backward()
        self.w.grad = w.grad
        return y.detach()
