# verdict:
#: model, forward

    @torch.no_grad()
    def my_forward_backward(self, x1, x2):
        w = self.w
        y = w[[0]].prod() * x1 + w[[1, 2]].prod() * x2
        self.w.grad = torch.stack([w[[]].prod() * x1, w[[2]].prod() * x2, w[[1]].prod() * x2])
        return y
