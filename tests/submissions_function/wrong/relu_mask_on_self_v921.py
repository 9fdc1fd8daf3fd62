# verdict:
# failed = "saved on-ctx @S mask"
import torch
from torch.autograd import Function


class ReLU(Function):
    @staticmethod
    def forward(self, x):
        self.mask = x.ge(0)  # @S
        return x.mul(self.mask)

    @staticmethod
    def backward(self, grad_output):
        return grad_output.mul(self.mask)
