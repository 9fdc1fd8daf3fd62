# verdict:
# release = "partial 18: late-release @L g"
#: head
        n = x.shape[0]
        loss = 0
        dw = torch.zeros_like(self.w)
        db = torch.zeros_like(self.b)
        for i in range(n):
            off = x[i] @ self.w[:, 0] + self.b[0, 0] - y[i, 0]
            loss = loss + off * off / n
            g = 2 * off / n
            off = None
            dw[:, 0] += g * x[i]
            db += g  # @L
        self.w.grad = dw
        self.b.grad = db
        return loss
