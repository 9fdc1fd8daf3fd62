# verdict:
#: head
        residual = self.residual(x, y)
        assert residual.shape == y.shape
        loss = residual.pow(2).mean()
        upstream = self.mse_backward(residual)
        del residual
        self.linear_backward(x, upstream)
        return loss

    def residual(self, x, y):
        return x @ self.w + self.b - y

    @staticmethod
    def mse_backward(residual):
        return 2.0 * residual / residual.shape[0]

    def linear_backward(self, x, upstream):
        self.w.grad = x.T @ upstream
        self.b.grad = upstream.sum(0).unsqueeze(0)
        assert self.w.grad.shape == self.w.shape
        assert self.b.grad.shape == self.b.shape
