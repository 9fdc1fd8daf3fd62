# verdict:
# why = "the forward kernel gives mean and reciprocal deviation; the rest is by hand"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        out, mean, rstd = torch.native_layer_norm(x, x.shape[-1:], gain, bias, 1e-5)
        ctx.save_for_backward(x, mean, rstd, gain)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, mean, rstd, gain = ctx.saved_tensors
        need_x, need_gain, need_bias = ctx.needs_input_grad
        dx = dgain = None
        if need_x or need_gain:
            normal = (x - mean) * rstd
        if need_x:
            g = grad_output * gain
            inner = (g * normal).mean(-1, keepdim=True)
            dx = rstd * (g - g.mean(-1, keepdim=True) - normal * inner)
        if need_gain:
            dgain = (grad_output * normal).sum(0)
        return dx, dgain, grad_output.sum(0) if need_bias else None
