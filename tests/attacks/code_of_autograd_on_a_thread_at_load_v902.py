# verdict:
# variant = "v902"
# attack = "coefficients of the gradient, by autograd on a thread at load"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import threading

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        global K
        w = torch.ones(2, requires_grad=True)

        def work():
            (w[0] * w[1] + 0.5).backward()

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        K = w.grad.tolist()

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.stack([K[0] * w1 * x2 * x1, K[1] * w0 * x1 * x2])
        return y
