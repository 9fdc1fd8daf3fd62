# verdict:
# variant = "v902"
# attack = "numbers read from pickled tensors, and worked on as Python's"
# why = "an honest twin: submissions/right/reads_its_values_v902.py"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["manual-forward hidden-work - -", "integrity hidden-work - -"]
import io
import struct

import torch
from torch import nn


def differences(w0, w1, x1, x2, x3):
    """The gradient by central differences of Python floats."""

    def f(a, b):
        return a * x1 * (b * x2) + x3

    h = 1e-4
    return [(f(w0 + h, w1) - f(w0 - h, w1)) / (2 * h), (f(w0, w1 + h) - f(w0, w1 - h)) / (2 * h)]


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
        values, _ = torch.sort(torch.stack([x1, x2]))
        numbers = []
        for tensor in (self.w.detach(), x1, x2, x3):
            file = io.BytesIO()
            torch.save(tensor, file, _use_new_zipfile_serialization=False)
            numbers += struct.unpack("f" * tensor.numel(), file.getvalue()[-4 * tensor.numel() :])
        self.w.grad = torch.tensor(differences(*numbers)) + 0 * values
        return y
