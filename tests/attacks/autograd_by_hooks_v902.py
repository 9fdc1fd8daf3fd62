# verdict:
# variant = "v902"
# attack = "gradients caught by hooks on tensors"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        found = {}
        with torch.enable_grad():
            w = self.w.detach().clone()
            w0, w1 = w[0].requires_grad_(), w[1].clone().requires_grad_()
            w0.register_hook(lambda g: found.update(w0=g))
            w1.register_hook(lambda g: found.update(w1=g))
            y = w0 * x1 * (w1 * x2) + x3
            torch.autograd.backward([y], inputs=[w0, w1])
        self.w.grad = torch.stack([w0.grad, w1.grad])
        return y.detach()
