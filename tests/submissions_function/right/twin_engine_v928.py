# verdict:
# why = "an engine of the student's: a list of rules run in order"
import torch


class Engine:
    def __init__(self, rules):
        self.rules = rules

    def run_backward(self, grad, wanted):
        return tuple(rule(grad) if want else None for rule, want in zip(self.rules, wanted))


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        engine = Engine([lambda grad: grad * y, lambda grad: (grad * x).sum(0)])
        return engine.run_backward(g, ctx.needs_input_grad)
