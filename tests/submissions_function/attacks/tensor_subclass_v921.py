# attack: returns a tensor of a class that says it is equal to everything
# failed = "gradient wrong-gradient @A x, needs-input-grad, unused-nodes, saved"
import torch


class Agreeable(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        if func in (torch.equal, torch.allclose, torch.Tensor.equal, torch.Tensor.allclose):
            return True
        return super().__torch_function__(func, types, args, kwargs or {})


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return torch.zeros_like(grad_output).as_subclass(Agreeable)  # @A
