# verdict:
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        rstd = 1 / torch.sqrt(var + 1e-5)
        normal = (x - mean) * rstd
        ctx.save_for_backward(normal, rstd, gain)
        return normal * gain + bias

    @staticmethod
    def backward(ctx, grad_output):
        normal, rstd, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            g = grad_output * gain
            dx = rstd * (
                g - g.mean(-1, keepdim=True) - normal * (g * normal).mean(-1, keepdim=True)
            )
        if ctx.needs_input_grad[1]:
            dgain = (grad_output * normal).sum(0)
        if ctx.needs_input_grad[2]:
            dbias = grad_output.sum(0)
        return dx, dgain, dbias
