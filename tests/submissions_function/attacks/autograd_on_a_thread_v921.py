# attack: autograd on a thread of its own
# failed = "integrity hidden-work @H, gradient, needs-input-grad, unused-nodes, saved"
import threading

import torch


def work(x, grad_output, found):
    t = x.detach().requires_grad_()
    found += torch.autograd.grad(t.clamp(min=0), t, grad_output)


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):  # @H
        found = []
        thread = threading.Thread(target=work, args=(*ctx.saved_tensors, grad_output, found))
        thread.start()
        thread.join()
        return found[0]
