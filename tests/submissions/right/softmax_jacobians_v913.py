# verdict:
#: head
        n = x.shape[0]
        p = torch.softmax(x @ self.w + self.b, 1)
        chosen = p[torch.arange(n), y]
        loss = -chosen.log().mean()
        dp = torch.zeros_like(p)
        dp[torch.arange(n), y] = -1 / (n * chosen)
        chosen = None
        ds = torch.empty_like(p)
        for i in range(n):
            ds[i] = (torch.diag(p[i]) - torch.outer(p[i], p[i])) @ dp[i]
        p = dp = None
        self.w.grad = x.T @ ds
        self.b.grad = ds.sum(0)
        return loss
