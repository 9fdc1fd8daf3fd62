# verdict:
#: net
        weights = [w for w in self.w]
        a, b = [w * x for w, x in zip(weights, (x1, x2))]
        y = a * b + x3
        grads = [other * x for other, x in ((b, x1), (a, x2))]
        del a, b
        self.w.grad = torch.stack(grads)
        return y
