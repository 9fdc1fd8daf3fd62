# verdict:
# variant = "v902"
import torch
from torch import nn
STEPS = []
STEPS.append(("a", "w0", "x1"))
STEPS.append(("b", "w1", "x2"))
STEPS.extend([("p", "a", "b")])


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        env = dict(w0=self.w[0], w1=self.w[1], x1=x1, x2=x2)
        for out, left, right in STEPS:
            env[out] = env[left] * env[right]
        y = env.pop("p") + x3
        self.w.grad = torch.stack([env.pop("b") * x1, env.pop("a") * x2])
        return y
