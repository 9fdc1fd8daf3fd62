# verdict:
# failed = "saved on-ctx @S cache"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0
        ctx.cache = {"mask": mask, "shape": x.shape}  # @S
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        return (grad_output * ctx.cache["mask"]).reshape(ctx.cache["shape"])
