# attack: inherits from a Function of torch's own that calls the engine
# class = "Exp"
# why = "it works under .backward() only; torch.autograd.grad is refused"
# failed = "gradient raises @R, needs-input-grad, unused-nodes, saved, double-backward"
import torch
from torch.utils.checkpoint import CheckpointFunction


class Exp(CheckpointFunction):
    @staticmethod
    def forward(ctx, x):
        return CheckpointFunction.forward(ctx, torch.exp, False, x)

    @staticmethod
    def backward(ctx, grad_output):
        return CheckpointFunction.backward(ctx, grad_output)[2]  # @R
