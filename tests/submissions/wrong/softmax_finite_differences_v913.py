# verdict:
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: head
        loss = F.cross_entropy(x @ self.w + self.b, y)
        dw, db = torch.zeros_like(self.w), torch.zeros_like(self.b)
        for k in range(self.b.shape[0]):
            for j in range(self.w.shape[0]):
                moved = self.w.clone()
                moved[j, k] += 1e-3
                dw[j, k] = (F.cross_entropy(x @ moved + self.b, y) - loss) / 1e-3  # @I
                moved = None
            moved = self.b.clone()
            moved[k] += 1e-3
            db[k] = (F.cross_entropy(x @ self.w + moved, y) - loss) / 1e-3
            moved = None
        self.w.grad, self.b.grad = dw, db
        return loss
