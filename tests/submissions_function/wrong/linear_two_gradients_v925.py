# verdict:
# failed = "gradient raises @P, needs-input-grad, unused-nodes, saved"
# why = "three inputs, two returned gradients"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return x @ w.T + b

    @staticmethod
    def backward(ctx, grad_output):  # @P
        x, w = ctx.saved_tensors
        dx = dw = None
        if ctx.needs_input_grad[0]:
            dx = grad_output @ w
        if ctx.needs_input_grad[1]:
            dw = grad_output.T @ x
        return dx, dw
