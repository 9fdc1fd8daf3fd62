import torch


class CrossEntropyCriterion:
    def __call__(self, input, target):
        return self.compute_output(input, target)

    def compute_output(self, input, target):
        z = input - input.max(dim=1, keepdim=True).values
        self.log_p = z - z.exp().sum(dim=1, keepdim=True).log()
        picked = self.log_p.gather(1, target.view(-1, 1))
        return -picked.mean()

    def compute_grad_input(self, input, target):
        size, classes = input.shape
        p = self.log_p.exp()
        one_hot = torch.nn.functional.one_hot(target, classes)
        grad_input = (p - one_hot) / size
        return grad_input
