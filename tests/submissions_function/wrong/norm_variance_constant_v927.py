# verdict:
# gradient = "partial 26.666667: wrong-gradient @X x"
# why = "only the mean is differentiated, not the variance"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        mean = x.mean(-1, keepdim=True)
        rstd = torch.rsqrt(x.var(-1, correction=0, keepdim=True) + 1e-5)
        normal = (x - mean) * rstd
        ctx.save_for_backward(normal, rstd, gain)
        return normal * gain + bias

    @staticmethod
    def backward(ctx, grad_output):
        normal, rstd, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            g = grad_output * gain
            dx = rstd * (g - g.mean(-1, keepdim=True))  # @X
        if ctx.needs_input_grad[1]:
            dgain = (grad_output * normal).sum(0)
        if ctx.needs_input_grad[2]:
            dbias = grad_output.sum(0)
        return dx, dgain, dbias
