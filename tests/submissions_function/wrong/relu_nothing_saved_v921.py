# verdict:
# failed = "gradient raises @R, needs-input-grad, unused-nodes, saved"
# why = "save_for_backward was forgotten"
import torch


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors  # @R
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0
        return grad_input
