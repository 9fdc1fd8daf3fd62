# verdict:
# failed = "gradient raises @P, needs-input-grad, unused-nodes, saved"
# why = "there is a forward only"
import torch


class ReLU(torch.autograd.Function):  # @P
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)


out = ReLU.apply(torch.randn(2, 2))
