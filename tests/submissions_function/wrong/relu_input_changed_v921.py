# verdict:
# failed = "forward raises @I, integrity input-changed @I x, gradient, needs-input-grad, unused-nodes, saved"
# why = "clamp_ writes into the input; the mask was taken before"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0
        ctx.save_for_backward(mask)
        x.clamp_(min=0)  # @I
        return x.clone()

    @staticmethod
    def backward(ctx, grad_output):
        mask, = ctx.saved_tensors
        return grad_output * mask
