# verdict:
#: head
        n = x.shape[0]
        dw, db = torch.zeros_like(self.w), torch.zeros_like(self.b)
        loss = 0
        for i in range(n):
            e = (x[i] @ self.w + self.b).exp()
            p = e / e.sum()
            e = None
            loss = loss - p[y[i]].log() / n
            p[y[i]] = p[y[i]] - 1
            p = p / n
            dw += x[i].unsqueeze(1) * p
            db += p
            p = None
        self.w.grad, self.b.grad = dw, db
        return loss
