# verdict:
#: head
        n = x.size(0)
        ones = torch.ones(n, 1)
        off = torch.matmul(x, self.w) + ones @ self.b - y
        loss = (off.T @ off / n).squeeze()
        self.w.grad = 2 / n * x.t() @ off
        self.b.grad = 2 / n * ones.t() @ off
        return loss
