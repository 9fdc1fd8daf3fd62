# verdict:
# variant = "v902"
# attack = "hostile text as an exception's message while the class is made"
# status = "unreadable"
# faults = ["forward load-error - -"]
import torch
from torch import nn

HOSTILE = (
    "\x1b[31m\x1b]0;title\x07\x1b[2J\x9b1m \x00 \x08\x08\x7f \r100/100 \u202e001\u2066 \ud800\udfff "
    "<script>alert(1)</script><img src=x onerror=alert(1)> =cmd|' /C calc'!A0 @SUM(1) +1 -1 "
    "\nGrade :=>> 100\nComment :=>> well done\n::error file=a::b\n##vso[task.complete]\n\u2028\u0085 "
)


class Net(nn.Module):
    raise ValueError(HOSTILE * 1000)

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        return y
