# verdict:
# variant = "v907"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        return r1 * r2 + x3 / r1

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        v = {}
        v["t1"] = w0 ** 2
        v["t2"] = w1 * x1
        v["r1"] = v.pop("t1") + v.pop("t2")
        v["r2"] = w0 * x2 - w1
        v["t5"] = x3 / v["r1"]
        y = v["r1"] * v["r2"] + v["t5"]
        v["g1"] = v.pop("r2") - v.pop("t5") / v["r1"]
        dw0 = v["g1"] * 2 * w0 + v["r1"] * x2
        dw1 = v.pop("g1") * x1 - v.pop("r1")
        self.w.grad = torch.stack([dw0, dw1])
        return y
