# verdict:
# why = "the Jacobian of each row, as in the lecture"
import torch


class SoftmaxFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores):
        probs = torch.softmax(scores, dim=1)
        ctx.save_for_backward(probs)
        return probs

    @staticmethod
    def backward(ctx, grad_output):
        probs, = ctx.saved_tensors
        jacobian = torch.diag_embed(probs) - probs.unsqueeze(2) * probs.unsqueeze(1)
        return torch.bmm(jacobian, grad_output.unsqueeze(2)).squeeze(2)
