# verdict:
# failed = "saved saved-unread @S x, saved saved-unread @S mean"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        mean = x.mean(-1, keepdim=True)
        rstd = (x.var(-1, unbiased=False, keepdim=True) + 1e-5).rsqrt()
        normal = (x - mean) * rstd
        ctx.save_for_backward(x, mean, rstd, normal, gain)  # @S
        return normal * gain + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, mean, rstd, normal, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            g = grad_output * gain
            inner = (g * normal).mean(-1, keepdim=True)
            dx = rstd * (g - g.mean(-1, keepdim=True) - normal * inner)
        if ctx.needs_input_grad[1]:
            dgain = (grad_output * normal).sum(0)
        if ctx.needs_input_grad[2]:
            dbias = grad_output.sum(0)
        return dx, dgain, dbias
