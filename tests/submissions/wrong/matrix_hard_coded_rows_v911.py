# verdict:
# failed = "manual-forward wrong-value 19, gradient wrong-gradient @W w, gradient wrong-gradient @B b, unused-nodes, release"
# why = "at fewer rows it raises"
#: head
        dw = torch.zeros_like(self.w)
        db = torch.zeros_like(self.b)
        loss = 0
        for i in range(4):
            off = x[i] @ self.w[:, 0] + self.b[0, 0] - y[i, 0]
            loss = loss + off * off / 4
            g = 2 * off / 4
            off = None
            dw[:, 0] += g * x[i]  # @W
            db += g  # @B
            g = None
        self.w.grad = dw
        self.b.grad = db
        return loss
