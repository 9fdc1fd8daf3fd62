import torch


class CrossEntropyCriterion:
    """Cross-entropy with an online softmax: one walk over the classes keeps a
    running maximum and a running sum, which is rescaled when the maximum moves."""

    def __call__(self, input, target):
        return self.compute_output(input, target)

    def compute_output(self, input, target):
        n, n_classes = input.shape
        running_max = input[:, 0]
        running_sum = torch.ones_like(running_max)
        for k in range(1, n_classes):
            x_k = input[:, k]
            new_max = torch.maximum(running_max, x_k)
            running_sum = running_sum * torch.exp(running_max - new_max) + torch.exp(x_k - new_max)
            running_max = new_max
        self.lse = running_max + torch.log(running_sum)
        return torch.mean(self.lse - input[torch.arange(n), target])

    def compute_grad_input(self, input, target):
        n, n_classes = input.shape
        # recompute the probabilities a column at a time from the saved log-sum-exp
        columns = []
        for k in range(n_classes):
            p_k = torch.exp(input[:, k] - self.lse)
            columns.append((p_k - (target == k).to(p_k.dtype)) / n)
        return torch.stack(columns, dim=1)
