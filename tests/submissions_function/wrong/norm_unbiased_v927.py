# verdict:
# failed = "forward wrong-value @F"
# gradient = "partial 13.333333: wrong-gradient @X x, wrong-gradient @G gain"
# why = "the variance is divided by d - 1"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        rstd = 1 / torch.sqrt(x.var(-1, keepdim=True) + 1e-5)
        normal = (x - x.mean(-1, keepdim=True)) * rstd
        ctx.save_for_backward(normal, rstd, gain)
        return normal * gain + bias  # @F

    @staticmethod
    def backward(ctx, dy):
        normal, rstd, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            g = dy * gain
            dx = g - g.mean(-1, keepdim=True) - normal * (g * normal).mean(-1, keepdim=True)
            dx = dx * rstd  # @X
        if ctx.needs_input_grad[1]:
            dgain = (dy * normal).sum(0)  # @G
        if ctx.needs_input_grad[2]:
            dbias = dy.sum(0)
        return dx, dgain, dbias
