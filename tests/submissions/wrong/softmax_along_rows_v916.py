# verdict:
# failed = "gradient wrong-gradient @W w, gradient wrong-gradient @B b"
# why = "the softmax of the pass goes along the wrong dimension"
#: head
        n = x.shape[0]
        s = x @ self.w + self.b
        logp = s - torch.logsumexp(s, 1, keepdim=True)
        s = None
        rows = torch.arange(n)
        loss = -logp[rows, y].mean()
        g = logp.softmax(0)
        logp = None
        g[rows, y] -= 1
        rows = None
        g /= n
        self.w.grad = x.T @ g  # @W
        self.b.grad = g.sum(0)  # @B
        return loss
