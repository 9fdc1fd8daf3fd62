# verdict:
# gradient = "partial 13.333333: wrong-gradient @X x, wrong-shape @W w"
# why = "a factor too many; and two gradients of w, one upon the other"
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x.mm(w.t()) + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        grad_x = grad_w = grad_b = None
        if ctx.needs_input_grad[0]:
            grad_x = 2 * grad_output.mm(w)  # @X
        if ctx.needs_input_grad[1]:
            once = grad_output.t().mm(x)  # @W
            grad_w = torch.cat([once, once])
        if ctx.needs_input_grad[2]:
            grad_b = grad_output.sum(0)
        return grad_x, grad_w, grad_b
