# verdict:
# gradient = "partial 26.666667: wrong-gradient @X x"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        var, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
        rstd = (var + 1e-5).rsqrt()
        normal = (x - mean) * rstd
        ctx.save_for_backward(normal, rstd)
        return normal * gain + bias

    @staticmethod
    def backward(ctx, g):
        normal, rstd = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            inner = (g * normal).mean(-1, keepdim=True)
            dx = rstd * (g - g.mean(-1, keepdim=True) - normal * inner)  # @X
        if ctx.needs_input_grad[1]:
            dgain = (g * normal).sum(0)
        if ctx.needs_input_grad[2]:
            dbias = g.sum(0)
        return dx, dgain, dbias
