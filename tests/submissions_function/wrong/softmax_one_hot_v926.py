# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "the gradient of cross-entropy, as if grad_output were the labels"
import torch


class SoftmaxLayer(torch.autograd.Function):
    @staticmethod
    def forward(ctx, logits):
        exps = torch.exp(logits - logits.amax(1, keepdim=True))
        probs = exps / exps.sum(1, keepdim=True)
        ctx.save_for_backward(probs)
        return probs

    @staticmethod
    def backward(ctx, grad_output):
        probs, = ctx.saved_tensors
        return probs - grad_output  # @A
