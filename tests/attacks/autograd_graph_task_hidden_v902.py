# verdict:
# variant = "v902"
# attack = "makes the recorder think that no engine is running"
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
        torch._C._current_graph_task_id = lambda: -1
        with torch._C.DisableTorchFunction():
            with torch.enable_grad():
                w = self.w.detach().clone().requires_grad_()
                y = w[0] * x1 * (w[1] * x2) + x3
            y.backward()
            self.w.grad = w.grad
        return y.detach()
