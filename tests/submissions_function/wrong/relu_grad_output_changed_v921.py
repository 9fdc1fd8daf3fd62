# verdict:
# failed = "integrity input-changed @I grad_output, gradient, needs-input-grad, unused-nodes, saved"
# why = "the clone was forgotten"
import torch


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        input, = ctx.saved_tensors
        grad_input = grad_output
        grad_input[input < 0] = 0  # @I
        return grad_input


x = torch.tensor([[-1.0, 2.0]], requires_grad=True)
MyReLU.apply(x).backward(torch.ones(1, 2))
print(x.grad)
