# verdict:
# unused-nodes = "partial 8: unused-node @U size, unused-node @V total"
# why = "sums that were for looking only"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        total = x.sum()  # @V
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[x < 0] = 0
        size = grad_input.norm()  # @U
        # print("grad norm", size)
        return grad_input
