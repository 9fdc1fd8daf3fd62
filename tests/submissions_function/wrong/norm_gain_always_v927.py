# verdict:
# needs-input-grad = "partial 3.333333: unneeded-gradient @G gain, unneeded-gradient @B bias"
# why = "asks for x only"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        mean = x.mean(-1, keepdim=True)
        rstd = (x.var(-1, unbiased=False, keepdim=True) + 1e-5).rsqrt()
        normal = (x - mean) * rstd
        ctx.save_for_backward(normal, rstd, gain)
        return torch.addcmul(bias, normal, gain)

    @staticmethod
    def backward(ctx, grad_output):
        normal, rstd, gain = ctx.saved_tensors
        dx = None
        if ctx.needs_input_grad[0]:
            g = grad_output * gain
            inner = (g * normal).mean(-1, keepdim=True)
            dx = rstd * (g - g.mean(-1, keepdim=True) - normal * inner)
        dgain = (grad_output * normal).sum(0)  # @G
        dbias = grad_output.sum(0)  # @B
        return dx, dgain, dbias
