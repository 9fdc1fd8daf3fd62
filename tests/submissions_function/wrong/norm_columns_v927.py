# verdict:
# failed = "forward wrong-value @F"
# gradient = "partial 13.333333: wrong-gradient @X x, wrong-gradient @G gain"
# why = "batch normalisation"
import torch


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        centred = x - x.mean(0)
        rstd = (centred.pow(2).mean(0) + 1e-5).rsqrt()
        normal = centred * rstd
        ctx.save_for_backward(normal, rstd, gain)
        return normal * gain + bias  # @F

    @staticmethod
    def backward(ctx, dy):
        normal, rstd, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            g = dy * gain
            dx = rstd * (g - g.mean(0) - normal * (g * normal).mean(0))  # @X
        if ctx.needs_input_grad[1]:
            dgain = (dy * normal).sum(0)  # @G
        if ctx.needs_input_grad[2]:
            dbias = dy.sum(0)
        return dx, dgain, dbias
