# verdict:
#: model, bracketed
        with torch.no_grad():
            w0, w1 = self.w
            a, b, y = torch.empty(()), torch.empty(()), torch.empty(())
            torch.mul(w0, x1, out=a)
            torch.mul(w1, x2, out=b)
            torch.mul(a, b, out=y)
            y.add_(x3)
            b.mul_(x1)
            a.mul_(x2)
            self.w.grad = torch.empty(2)
            torch.stack([b, a], out=self.w.grad)
            return y
