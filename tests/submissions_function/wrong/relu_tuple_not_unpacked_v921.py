# verdict:
# failed = "gradient raises @R, needs-input-grad, unused-nodes, saved"
# why = "saved_tensors is a tuple"
import torch


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        input = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[input < 0] = 0  # @R
        return grad_input
