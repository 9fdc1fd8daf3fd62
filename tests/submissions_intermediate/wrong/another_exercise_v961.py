# verdict:
# status = "unreadable: no-function"
# why = "the homework"
import torch


class Net(torch.nn.Module):
    def forward(self, x1):
        return x1

    def my_forward_backward(self, x1):
        return x1
