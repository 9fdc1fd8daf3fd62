# verdict:
# failed = "gradient raises @R, needs-input-grad, unused-nodes, saved"
# why = "the sum of a row meets a column"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=-1)
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        s, = ctx.saved_tensors
        return s * (grad_output - (s * grad_output).sum(dim=-1))  # @R
