# verdict:
# status = "unreadable: no-pass @P"
# why = "there is a forward only"
import torch


class ReLU(torch.autograd.Function):  # @P
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)


out = ReLU.apply(torch.randn(2, 2))
