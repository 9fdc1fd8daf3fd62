# attack: torch's own backward kernel of softmax
# failed = "integrity built-in-derivative @I, gradient, needs-input-grad, unused-nodes, saved"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=-1)
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        s, = ctx.saved_tensors
        return torch._softmax_backward_data(grad_output, s, -1, s.dtype)  # @I
