# verdict:
# failed = "gradient raises @R"
# why = "view of a grad_output that is not contiguous"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x >= 0)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        mask, = ctx.saved_tensors
        flat = grad_output.view(-1)  # @R
        return (flat * mask.reshape(-1)).view(mask.shape)
