# attack: keeps the mask on ctx as an array of NumPy
# failed = "saved on-ctx @S mask"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mask = (x >= 0).numpy()  # @S
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * torch.from_numpy(ctx.mask)
