# verdict:
# why = "setup_context saves the output"
import math

import torch


class Exponential(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.pow(math.e, x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.saved_tensors[0] * grad_output


exp = Exponential.apply

t = torch.rand(4, dtype=torch.float64, requires_grad=True)
print(torch.autograd.gradcheck(exp, t), torch.autograd.gradgradcheck(exp, t))
