# verdict:
# why = "works in place on its own clones; the slope has a default"
from torch.autograd import Function


class LeakyReLUFunction(Function):
    @staticmethod
    def forward(ctx, inp, negative_slope=0.01):
        ctx.negative_slope = negative_slope
        ctx.save_for_backward(inp)
        out = inp.clone()
        out[inp <= 0] *= negative_slope
        return out

    @staticmethod
    def backward(ctx, grad_output):
        inp, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[inp <= 0] *= ctx.negative_slope
        return grad_input, None


leaky_relu = LeakyReLUFunction.apply
