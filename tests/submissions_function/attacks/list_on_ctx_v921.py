# attack: keeps the input on ctx as a list of floats
# failed = "saved on-ctx @S rows"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.rows = x.tolist()  # @S
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x = torch.tensor(ctx.rows, dtype=grad_output.dtype).reshape(grad_output.shape)
        return grad_output * (x >= 0)
