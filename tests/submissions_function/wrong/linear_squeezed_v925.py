# verdict:
# failed = "forward wrong-shape @F"
# why = "squeeze takes a dimension away where a size is 1"
import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return torch.matmul(w, x.unsqueeze(2)).squeeze() + b  # @F

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        need_x, need_w, need_b = ctx.needs_input_grad
        return (
            grad_output @ w if need_x else None,
            grad_output.T @ x if need_w else None,
            grad_output.sum(0) if need_b else None,
        )
