# verdict:
# status = "unreadable: no-function"
# why = "the homework's class"
from torch import nn


class Model(nn.Module):
    def forward(self, x1, x2, x3):
        return x1

    def my_forward_backward(self, x1, x2, x3):
        return x1
