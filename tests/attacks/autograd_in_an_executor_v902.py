# verdict:
# variant = "v902"
# attack = "autograd in a thread pool"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity hidden-work - -"]
import concurrent.futures

import torch
from torch import nn

def work(w, x1, x2, x3):
    with torch.enable_grad():
        w.requires_grad_()
        return torch.autograd.grad(w[0] * x1 * (w[1] * x2) + x3, w)[0]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            self.w.grad = pool.submit(work, self.w.detach().clone(), x1, x2, x3).result()
        return y
