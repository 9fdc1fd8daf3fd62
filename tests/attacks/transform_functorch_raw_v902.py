# verdict:
# variant = "v902"
# attack = "the levels of functorch by torch._C alone"
# forward = "failed 0"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["forward raises - -", "manual-forward raises - -"]
import torch
from torch import nn

def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        raw = torch._C._functorch
        level = raw._grad_increment_nesting()
        w = raw._wrap_for_grad(self.w.detach(), level)
        with torch.enable_grad():
            w.requires_grad_()
            y = variant(w, x1, x2, x3)
            g = torch.autograd.grad(y, w)[0]
        y, self.w.grad = raw._unwrap_for_grad(y, level), raw._unwrap_for_grad(g, level)
        raw._grad_decrement_nesting()
        return y
