# verdict:
# why = "setup_context sees no intermediates: backward takes them anew"
import torch


def normalise(x):
    centred = x - x.mean(-1, keepdim=True)
    scale = (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
    return centred * scale, scale


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(x, gain, bias):
        return normalise(x)[0] * gain + bias

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, gain, _ = inputs
        ctx.save_for_backward(x, gain)

    @staticmethod
    def backward(ctx, grad_output):
        x, gain = ctx.saved_tensors
        grads = [None] * 3
        if ctx.needs_input_grad[0]:
            normal, scale = normalise(x)
            g = grad_output * gain
            along = (g * normal).mean(-1, keepdim=True)
            grads[0] = (g - g.mean(-1, keepdim=True) - normal * along) * scale
        if ctx.needs_input_grad[1]:
            normal, _ = normalise(x)
            grads[1] = (grad_output * normal).sum(0)
        if ctx.needs_input_grad[2]:
            grads[2] = grad_output.sum(0)
        return tuple(grads)
