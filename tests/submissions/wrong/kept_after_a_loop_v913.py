# verdict:
# release = "partial 18: late-release @L p"
# why = "in each round of the outer loop, and one mistake all the same"
#: head
        n, c = x.shape[0], self.b.shape[0]
        loss = 0.0
        dw, db = torch.zeros_like(self.w), torch.zeros_like(self.b)
        for i in range(n):
            scores = x[i] @ self.w + self.b
            scores = scores - scores.max()
            p = torch.exp(scores)
            scores = None
            p = p / p.sum()
            loss -= torch.log(p[y[i]])
            for j in range(c):
                if j == y[i]:
                    d = p[j] - 1
                else:
                    d = p[j]
                dw[:, j] += d * x[i]
                db[j] += d  # @L
                d = None
        self.w.grad = dw / n
        dw = None
        self.b.grad = db / n
        db = None
        return loss / n
