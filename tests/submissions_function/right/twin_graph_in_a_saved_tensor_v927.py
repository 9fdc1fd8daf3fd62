# verdict:
# why = "saves a list of intermediates, detached, which they are anyway"
import torch


class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, gain, bias):
        centred = x - x.mean(-1, keepdim=True)
        rstd = (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
        normal = centred * rstd
        ctx.save_for_backward(*[t.detach() for t in (normal, rstd, gain)])
        return normal * gain + bias

    @staticmethod
    def backward(ctx, grad_output):
        normal, rstd, gain = ctx.saved_tensors

        def of_x():
            g = grad_output * gain
            inner = (g * normal).mean(-1, keepdim=True)
            return rstd * (g - g.mean(-1, keepdim=True) - normal * inner)

        rules = iter((of_x, lambda: (grad_output * normal).sum(0), lambda: grad_output.sum(0)))
        return tuple(rule() if need else None for need, rule in zip(ctx.needs_input_grad, rules))
