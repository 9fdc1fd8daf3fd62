# verdict:
# failed = "manual-forward raises @R, gradient raises @R, unused-nodes, release"
#: head
        n = x.shape[0]
        s = x @ self.w + self.b
        logp = s - torch.logsumexp(s, 1, keepdim=True)
        s = None
        rows = torch.arange(n)
        loss = -logp[rows, y].mean()
        rows = None
        g = logp.exp()
        logp = None
        g -= F.one_hot(y, 3)  # @R
        g /= n
        self.w.grad = x.T @ g
        self.b.grad = g.sum(0)
        return loss
