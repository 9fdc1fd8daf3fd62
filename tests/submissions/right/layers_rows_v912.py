# verdict:
#: head
        n = x.shape[0]
        grads = [torch.zeros_like(p) for p in (self.w1, self.b1, self.w2, self.b2)]
        loss = 0
        for row, target in zip(x, y):
            z = row @ self.w1 + self.b1
            h = z.relu()
            off = h @ self.w2 + self.b2 - target
            loss = loss + off.dot(off)
            off = 2 * off / n
            grads[2] += torch.outer(h, off)
            h = None
            grads[3] += off
            g = self.w2 @ off
            off = None
            g = g * (z > 0).float()
            z = None
            grads[0] += torch.outer(row, g)
            grads[1] += g
            g = None
        self.w1.grad, self.b1.grad, self.w2.grad, self.b2.grad = grads
        return loss / n
