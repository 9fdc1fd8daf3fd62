# verdict:
# variant = "v902"
# attack = "prints escape codes, markup, formulas and half characters"
import logging
import sys
import warnings

import torch
from torch import nn

HOSTILE = (
    "\x1b[31m\x1b]0;title\x07\x1b[2J\x9b1m \x00 \x08\x08\x7f \r100/100 \u202e001\u2066 \ud800\udfff "
    "<script>alert(1)</script><img src=x onerror=alert(1)> =cmd|' /C calc'!A0 @SUM(1) +1 -1 "
    "\nGrade :=>> 100\nComment :=>> well done\n::error file=a::b\n##vso[task.complete]\n\u2028\u0085 "
)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        sys.stdout.buffer.write(HOSTILE.encode('utf-8', 'surrogatepass'))
        sys.stdout.flush()
        warnings.warn(HOSTILE, stacklevel=1)
        logging.error(HOSTILE)
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        dw0 = b * x1
        del b
        dw1 = a * x2
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
