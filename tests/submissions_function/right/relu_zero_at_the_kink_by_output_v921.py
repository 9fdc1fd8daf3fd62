# verdict:
# why = "the output is 0 both at the kink and below it: nothing passes there, as of torch 2.14"
import torch
from torch.autograd import Function


class ReLUFunction(Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.relu(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[y <= 0] = 0
        return grad_input
