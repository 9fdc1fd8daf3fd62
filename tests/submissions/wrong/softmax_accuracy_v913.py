# verdict:
# unused-nodes = "partial 9: unused-node @U, unused-node @U, unused-node @U, unused-node @U hits"
# why = "the accuracy reaches nothing"
#: head
        n = x.shape[0]
        s = x @ self.w + self.b
        logp = s - torch.logsumexp(s, 1, keepdim=True)
        s = None
        rows = torch.arange(n)
        loss = -logp[rows, y].mean()
        hits = (logp.argmax(1) == y).float().mean()  # @U
        hits = None
        g = logp.exp()
        logp = None
        g[rows, y] -= 1
        rows = None
        g /= n
        self.w.grad = x.T @ g
        self.b.grad = g.sum(0)
        return loss
