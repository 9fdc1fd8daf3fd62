# verdict:
# failed = "gradient raises @R"
# why = "no rows: cat wants at least one"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        rows = [(g * (r >= 0)).unsqueeze(0) for g, r in zip(grad_output, x)]
        return torch.cat(rows)  # @R
