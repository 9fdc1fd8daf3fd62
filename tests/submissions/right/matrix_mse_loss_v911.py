# verdict:
#: head
        pred = F.linear(x, self.w.T, self.b[0])
        loss = F.mse_loss(pred, y)
        g = (pred - y).mul(2 / len(y))
        pred = None
        self.w.grad = (x * g).sum(0).reshape(2, 1)
        self.b.grad = g.sum().view(1, 1)
        return loss
