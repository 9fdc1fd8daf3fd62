# attack: the mask comes to backward by a global, which holds nothing afterwards
# failed = "gradient wrong-gradient @G x, saved kept @S mask"
import torch

masks = []


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0  # @S
        masks.append(mask)
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * masks.pop()  # @G
