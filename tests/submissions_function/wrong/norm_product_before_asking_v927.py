# verdict:
# needs-input-grad = "partial 6.666667: unneeded-gradient @U g"
# why = "grad_output * gain is for x only, and taken in any case"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        rstd = (var + 1e-5).rsqrt()
        normal = (x - mean) * rstd
        ctx.save_for_backward(normal, rstd, gain)
        return normal * gain + bias

    @staticmethod
    def backward(ctx, grad_output):
        normal, rstd, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        g = grad_output * gain  # @U
        if ctx.needs_input_grad[0]:
            inner = (g * normal).mean(-1, keepdim=True)
            dx = rstd * (g - g.mean(-1, keepdim=True) - normal * inner)
        if ctx.needs_input_grad[1]:
            dgain = (grad_output * normal).sum(0)
        if ctx.needs_input_grad[2]:
            dbias = grad_output.sum(0)
        return dx, dgain, dbias
