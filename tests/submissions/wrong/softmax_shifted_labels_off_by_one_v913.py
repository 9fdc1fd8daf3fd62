# verdict:
# failed = "gradient wrong-gradient @W w, gradient wrong-gradient @B b"
# why = "the shift serves a right value, and is not to blame"
# notes = ["an index is wrong: is it off by one?"]
#: head
        n = x.shape[0]
        s = x @ self.w + self.b
        s = s - s.max(dim=1, keepdim=True).values
        e = s.exp()
        s = None
        p = e / e.sum(dim=1, keepdim=True)
        e = None
        rows = torch.arange(n)
        loss = -p[rows, y].log().mean()
        g = p
        p = None
        g[rows, (y + 1) % g.shape[1]] -= 1
        rows = None
        g = g / n
        self.w.grad = x.T @ g  # @W
        self.b.grad = g.sum(0)  # @B
        return loss
