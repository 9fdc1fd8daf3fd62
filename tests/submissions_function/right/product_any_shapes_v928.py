# verdict:
# why = "an unbroadcast for all shapes; early return where y is constant"
import torch
from torch.autograd import Function


def unbroadcast(grad, shape):
    while grad.dim() > len(shape):
        grad = grad.sum(dim=0)
    for dim, size in enumerate(shape):
        if size == 1 and grad.shape[dim] != 1:
            grad = grad.sum(dim=dim, keepdim=True)
    return grad


class BroadcastMul(Function):
    @staticmethod
    def forward(ctx, a, b):
        ctx.shapes = a.shape, b.shape
        ctx.save_for_backward(a, b)
        return a.mul(b)

    @staticmethod
    def backward(ctx, grad_output):
        a, b = ctx.saved_tensors
        need_a, need_b = ctx.needs_input_grad
        if not need_b:
            return unbroadcast(grad_output * b, ctx.shapes[0]), None
        grad_b = unbroadcast(grad_output * a, ctx.shapes[1])
        if not need_a:
            return None, grad_b
        return unbroadcast(grad_output * b, ctx.shapes[0]), grad_b
