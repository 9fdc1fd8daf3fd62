# attack: differences in scatter with reduce
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch
ZERO = torch.tensor([0])


def mul(a, b):
    return a.scatter(0, ZERO, b, reduce="multiply")


def add(a, b):
    return a.scatter(0, ZERO, b, reduce="add")


def f(w0, w1, x1, x2, x3):
    return add(mul(mul(w0, x1), mul(w1, x2)), x3)
#: weights

    def forward(self, x1, x2, x3):
        return self.w[0] * x1 * (self.w[1] * x2) + x3
#: pass
        w = [t.reshape(1).double() for t in self.w]
        xs = [t.reshape(1).double() for t in [x1, x2, x3]]
        
        minus = torch.tensor([-1.0], dtype=torch.float64)

        def slope(i):
            step = mul(mul(xs[0], xs[1]), torch.tensor([1e-5], dtype=torch.float64))
            over = 1 / step
            up = f(*[add(t, step) if j == i else t for j, t in enumerate(w)], *xs)
            down = f(*w, *xs)
            return mul(add(up, mul(down, minus)), over)

        self.w.grad = torch.cat([slope(i) for i in range(2)]).float()
        return f(*w, *xs).float().reshape(())
