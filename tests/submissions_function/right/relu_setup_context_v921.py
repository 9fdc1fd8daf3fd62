# verdict:
# why = "forward without ctx"
import torch


class ReLUFn(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.where(x > 0, x, torch.zeros_like(x))

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.where(x < 0, torch.zeros_like(grad_output), grad_output)


def relu(x):
    return ReLUFn.apply(x)


if __name__ == "__main__":
    x = torch.randn(4, 3, dtype=torch.double, requires_grad=True)
    print(torch.autograd.gradcheck(relu, (x,)))
