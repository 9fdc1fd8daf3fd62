# verdict:
# why = "no zeros are made for a missing grad_output; backward looks for None"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        if grad_output is None:
            return None
        x, = ctx.saved_tensors
        return grad_output * (x >= 0).type_as(grad_output)
