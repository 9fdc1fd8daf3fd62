# verdict:
# why = "row by row, the Jacobian of each"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        shifted = x - x.max(dim=1, keepdim=True).values
        numerator = torch.exp(shifted)
        out = numerator / numerator.sum(dim=1, keepdim=True)
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        out, = ctx.saved_tensors
        grad_input = torch.empty_like(out)
        for i, p in enumerate(out):
            jacobian = torch.diag(p) - torch.outer(p, p)
            grad_input[i] = jacobian @ grad_output[i]
        return grad_input
