# attack: the backward stands in a string, which asks autograd
# failed = "integrity foreign-code @I, gradient, needs-input-grad, unused-nodes, saved"
import torch

TEXT = """
with torch.enable_grad():
    t = x.detach().requires_grad_()
    grad, = torch.autograd.grad(t.clamp(min=0), t, grad_output)
"""


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        names = {"torch": torch, "x": x, "grad_output": grad_output}
        exec(TEXT, names)  # @I
        return names["grad"]
