# verdict:
# why = "strings that name a rule in a table"
import torch

RULES = {
    "where": lambda grad, x: torch.where(x >= 0, grad, 0),
    "product": lambda grad, x: grad * (x >= 0),
}


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.rule = "where" if x.dim() == 2 else "product"
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return RULES[ctx.rule](grad_output, *ctx.saved_tensors)
