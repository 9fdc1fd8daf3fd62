# verdict:
# why = "forward without ctx; a list of gradients"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(x, w, b):
        return x @ w.transpose(0, 1) + b.unsqueeze(0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, w, _ = inputs
        ctx.save_for_backward(x, w)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        rules = (
            lambda: torch.matmul(g, w),
            lambda: torch.matmul(g.transpose(0, 1), x),
            lambda: torch.sum(g, dim=0),
        )
        return tuple(rule() if need else None for rule, need in zip(rules, ctx.needs_input_grad))
