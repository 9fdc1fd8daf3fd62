# verdict:
# gradient = "partial 26.666667: wrong-gradient @G gain"
# why = "the gradient of the gain has the raw input in it"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        mean = x.mean(-1, keepdim=True)
        std = (x.var(-1, unbiased=False, keepdim=True) + 1e-5).sqrt()
        ctx.save_for_backward(x, mean, std, gain)
        return (x - mean) / std * gain + bias

    @staticmethod
    def backward(ctx, grad_output):
        x, mean, std, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            normal = (x - mean) / std
            g = grad_output * gain
            inner = (g * normal).mean(-1, keepdim=True)
            dx = (g - g.mean(-1, keepdim=True) - normal * inner) / std
        if ctx.needs_input_grad[1]:
            dgain = (grad_output * x).sum(0)  # @G
        if ctx.needs_input_grad[2]:
            dbias = grad_output.sum(0)
        return dx, dgain, dbias
