# verdict:
# class = "Exp"
# why = "inherits from a Function of the student's own that computes the output anew"
import torch


class Recomputed(torch.autograd.Function):
    """Saves inputs only; `again` gives what backward needs."""

    @classmethod
    def forward(cls, ctx, *inputs):
        ctx.save_for_backward(*inputs)
        return cls.again(*inputs)


class Exp(Recomputed):
    @staticmethod
    def again(x):
        return torch.exp(x)

    @classmethod
    def backward(cls, ctx, grad_output):
        return grad_output * cls.again(*ctx.saved_tensors)
