# verdict:
# why = "an unbroadcast helper, by sum_to_size"
import torch


def unbroadcast(grad, like):
    """Sums what broadcasting repeated."""
    return grad.sum_to_size(like.shape)


class Product(torch.autograd.Function):
    @staticmethod
    def forward(a, b):
        return a * b

    @staticmethod
    def setup_context(ctx, inputs, output):
        a, b = inputs
        ctx.save_for_backward(a, b)

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        grads = [None, None]
        for i, (own, other) in enumerate(((a, b), (b, a))):
            if ctx.needs_input_grad[i]:
                grads[i] = unbroadcast(grad_output * other, own)
        return tuple(grads)
