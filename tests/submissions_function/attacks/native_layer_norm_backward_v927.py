# attack: torch's own backward kernel of layer_norm
# failed = "integrity built-in-derivative @I, gradient, needs-input-grad, unused-nodes, saved"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        out, mean, rstd = torch.native_layer_norm(x, x.shape[-1:], gain, bias, 1e-5)
        ctx.save_for_backward(x, mean, rstd, gain, bias)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, mean, rstd, gain, bias = ctx.saved_tensors
        return torch.ops.aten.native_layer_norm_backward(  # @I
            grad_output, x, x.shape[-1:], mean, rstd, gain, bias, ctx.needs_input_grad
        )
