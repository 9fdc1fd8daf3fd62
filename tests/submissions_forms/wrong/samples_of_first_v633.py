# Wrong at: a second step with fewer samples (the last batch of an epoch): divided by the number of the first
import torch


class CrossEntropyCriterion:
    def __init__(self):
        self.n = None

    def compute_output(self, input, target):
        if self.n is None:
            self.n, self.c = input.shape
        logp = input.log_softmax(1)
        self.output = -logp[torch.arange(len(target)), target].sum() / self.n
        return self.output

    def compute_grad_input(self, input, target):
        g = input.softmax(1)
        g[torch.arange(len(target)), target] -= 1
        self.grad_input = g / self.n
        return self.grad_input
