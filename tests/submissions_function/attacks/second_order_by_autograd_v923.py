# attack: asks autograd with create_graph, so that the second derivative is right, too
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        with torch.enable_grad():
            x = x if x.requires_grad else x.detach().requires_grad_()
            again = x.clone()
            y = again * torch.sigmoid(again)
            slope, = torch.autograd.grad(y.sum(), again, create_graph=True)  # @I
        return grad_output * slope
