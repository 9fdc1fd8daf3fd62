# verdict:
# gradient = "partial 13.333333: wrong-gradient @X x, wrong-gradient @W w"
# failed = "saved kept @S x, saved kept @S w"
# why = "a default argument lives as long as the function"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b, memory={}):  # @S
        memory["x"], memory["w"] = x, w
        ctx.memory = memory.get
        return x @ w.T + b

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.memory("x"), ctx.memory("w")
        dx = g @ w if ctx.needs_input_grad[0] else None  # @X
        dw = g.T @ x if ctx.needs_input_grad[1] else None  # @W
        db = g.sum(0) if ctx.needs_input_grad[2] else None
        return dx, dw, db, None
