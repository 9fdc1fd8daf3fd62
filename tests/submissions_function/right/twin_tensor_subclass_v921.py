# verdict:
# class = "ReLU"
# why = "a class beside the Function, which is no tensor and no Function"
import torch


class Checked:
    """Compares two tensors, and says where they differ."""

    def __init__(self, tensor):
        self.tensor = tensor

    def __eq__(self, other):
        return torch.allclose(self.tensor, other)


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.zeros_like(grad_output).where(x < 0, grad_output)


x = torch.randn(3)
print(Checked(ReLU.apply(x)) == torch.relu(x))
