# verdict:
#: model, forward

    @torch.no_grad()
    def my_forward_backward(self, x1, x2):
        w = self.w
        factors = [(0,), (1, 2)]
        y = sum(w[list(f)].prod() * x for f, x in zip(factors, (x1, x2)))
        grad = torch.zeros(3)
        for f, x in zip(factors, (x1, x2)):
            for i in f:
                others = [j for j in f if j != i]
                grad[i] = w[others].prod() * x
        self.w.grad = grad
        return y
