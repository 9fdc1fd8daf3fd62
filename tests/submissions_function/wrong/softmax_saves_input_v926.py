# verdict:
# failed = "saved saved-unread @S x"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.softmax(x, dim=-1)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, = inputs
        ctx.save_for_backward(x, output)  # @S

    @staticmethod
    def backward(ctx, grad_output):
        s = ctx.saved_tensors[1]
        return s * (grad_output - (s * grad_output).sum(dim=-1, keepdim=True))
