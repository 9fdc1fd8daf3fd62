# verdict:
# gradient = "partial 26.666667: wrong-gradient @X x"
# why = "mean and variance are taken for constants"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, unbiased=False, keepdim=True)
        std = torch.sqrt(var + 1e-5)
        normal = (x - mean) / std
        ctx.save_for_backward(normal, std, gain)
        return gain * normal + bias

    @staticmethod
    def backward(ctx, grad_output):
        normal, std, gain = ctx.saved_tensors
        dx = dgain = dbias = None
        if ctx.needs_input_grad[0]:
            dx = grad_output * gain / std  # @X
        if ctx.needs_input_grad[1]:
            dgain = (grad_output * normal).sum(0)
        if ctx.needs_input_grad[2]:
            dbias = grad_output.sum(0)
        return dx, dgain, dbias
