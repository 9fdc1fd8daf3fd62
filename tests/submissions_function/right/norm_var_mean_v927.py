# verdict:
# why = "saves the input and its statistics; the width is a number on ctx"
import torch
import torch.nn.functional as F


class LayerNormFunction(torch.autograd.Function):
    """y = (x - mean) / sqrt(var + eps) * gain + bias"""

    @staticmethod
    def forward(ctx, x, gain, bias, eps=1e-5):
        var, mean = torch.var_mean(x, dim=-1, correction=0, keepdim=True)
        inv = torch.rsqrt(var + eps)
        ctx.width = x.size(-1)
        ctx.save_for_backward(x, mean, inv, gain)
        return torch.addcmul(bias, (x - mean) * inv, gain)

    @staticmethod
    def backward(ctx, grad_output):
        x, mean, inv, gain = ctx.saved_tensors
        need_x, need_gain, need_bias = ctx.needs_input_grad[:3]
        grad_x = grad_gain = grad_bias = None
        if need_x or need_gain:
            normal = (x - mean) * inv
        if need_x:
            g = grad_output * gain
            sums = g.sum(-1, keepdim=True) + normal * (g * normal).sum(-1, keepdim=True)
            grad_x = inv * (g - sums / ctx.width)
        if need_gain:
            grad_gain = torch.einsum("nd,nd->d", grad_output, normal)
        if need_bias:
            grad_bias = grad_output.sum(0)
        return grad_x, grad_gain, grad_bias, None


x = torch.randn(3, 5)
print(torch.allclose(LayerNormFunction.apply(x, torch.ones(5), torch.zeros(5)), F.layer_norm(x, (5,))))
