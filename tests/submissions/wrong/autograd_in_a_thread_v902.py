# verdict:
# variant = "v902"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity hidden-work @P -", "integrity autograd @T -"]
# why = "the recorder does not see ops of other threads, but the replay does, and the watch sees the engine"
import threading

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):  # @P
        w = self.w.detach().clone().requires_grad_()

        def work():
            with torch.enable_grad():
                (w[0] * x1 * (w[1] * x2) + x3).backward()  # @T

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = w.grad
        return y
