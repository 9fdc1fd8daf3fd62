# attack: dual numbers of torch.autograd.forward_ad
# failed = "integrity transform @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch
import torch.autograd.forward_ad as fwad


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        with fwad.dual_level():
            dual = fwad.make_dual(x.clone(), torch.ones_like(x))  # @I
            slope = fwad.unpack_dual(dual * torch.sigmoid(dual)).tangent
        return grad_output * slope
