# verdict:
# gradient = "partial 26.666667: wrong-gradient @X x"
# why = "divides by the number of rows instead of the width"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        mean = x.mean(-1, keepdim=True)
        rstd = (x.var(-1, unbiased=False, keepdim=True) + 1e-5).rsqrt()
        normal = (x - mean) * rstd
        ctx.save_for_backward(normal, rstd, gain)
        return normal * gain + bias

    @staticmethod
    def backward(ctx, grad_output):
        normal, rstd, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            g = grad_output * gain
            n = max(g.shape[0], 1)
            inner = (g * normal).sum(1, keepdim=True) / n
            dx = rstd * (g - g.sum(1, keepdim=True) / n - normal * inner)  # @X
        if ctx.needs_input_grad[1]:
            dgain = (grad_output * normal).sum(0)
        if ctx.needs_input_grad[2]:
            dbias = grad_output.sum(0)
        return dx, dgain, dbias
