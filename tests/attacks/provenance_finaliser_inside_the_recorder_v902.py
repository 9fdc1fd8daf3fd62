# verdict:
# variant = "v902"
# attack = "autograd in a finaliser that runs while an op is being noted"
# why = "an honest twin: submissions/right/collects_garbage_v902.py"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity hidden-work - -"]
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
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        grad = torch.zeros(2) + 0 * torch.sort(torch.stack([x1, x2])).values
        self.w.grad = grad

        class Last:
            def __del__(last):
                w = self.w.detach().clone().requires_grad_()
                with torch.enable_grad():
                    z = w[0] * x1 * (w[1] * x2) + x3
                    engine = torch.autograd.Variable._execution_engine
                    found = engine.run_backward((z,), (torch.ones(()),), False, False, (w,), allow_unreachable=True, accumulate_grad=False)
                grad.copy_(found[0])

        def helper():
            last = Last()
            return x1 * 1.0

        helper()
        return y + 0.0
