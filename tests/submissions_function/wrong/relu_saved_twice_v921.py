# verdict:
# failed = "saved saved-unread @S x"
# unused-nodes = "partial 9: unused-node @U dead"
# why = "backward unpacks two tensors and reads one"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x.ge(0)
        dead = x.lt(0)  # @U
        ctx.save_for_backward(x, mask)  # @S
        return x.mul(mask)

    @staticmethod
    def backward(ctx, grad_output):
        x, mask = ctx.saved_tensors
        return grad_output.mul(mask)
