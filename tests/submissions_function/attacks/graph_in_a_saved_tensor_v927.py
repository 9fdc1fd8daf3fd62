# attack: save_for_backward keeps an output that has a graph of autograd behind it
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved"
import torch
import torch.nn.functional as F


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        with torch.enable_grad():
            leaves = [t.detach().requires_grad_() for t in (x, gain, bias)]
            out = F.layer_norm(leaves[0], x.shape[-1:], *leaves[1:])
        ctx.save_for_backward(out, *leaves)
        return out.detach()

    @staticmethod
    def backward(ctx, grad_output):
        out, *leaves = ctx.saved_tensors
        wanted = [leaf for leaf, need in zip(leaves, ctx.needs_input_grad) if need]
        grads = iter(torch.autograd.grad(out, wanted, grad_output, retain_graph=True))  # @I
        return tuple(next(grads) if need else None for need in ctx.needs_input_grad)
