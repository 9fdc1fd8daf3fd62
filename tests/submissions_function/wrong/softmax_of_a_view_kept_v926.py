# verdict:
# failed = "saved kept @A columns"
# why = "made of a view of the input, and kept in a list"
import torch

kept = []


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        columns = torch.softmax(x.t(), dim=0)  # @A
        kept.append(columns)
        ctx.save_for_backward(x)
        return columns.t().clone()

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        p = torch.softmax(x, dim=-1)
        return p * (grad_output - (grad_output * p).sum(-1, keepdim=True))
