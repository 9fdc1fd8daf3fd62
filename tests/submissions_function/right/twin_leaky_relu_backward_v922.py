# verdict:
# why = "leaky_relu_backward is a function of the student's; the kernels are forward ones"
import torch
import torch.nn.functional as F


def leaky_relu_backward(grad_output, x, slope):
    return grad_output * torch.heaviside(x, torch.zeros_like(x)).lerp(
        torch.ones_like(x), slope
    )


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return F.leaky_relu(x, slope)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return leaky_relu_backward(grad_output, x, ctx.slope), None
