# attack: keeps the mask on ctx in the bits of a plain integer
# why = "a whole number is a size, a flag or a seed: its bits are not looked at"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        flags = (x >= 0).flatten().tolist()
        ctx.bits = sum(1 << n for n, flag in enumerate(flags) if flag)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        flags = [ctx.bits >> n & 1 for n in range(grad_output.numel())]
        mask = torch.tensor(flags, dtype=grad_output.dtype)
        return grad_output * mask.reshape(grad_output.shape)
