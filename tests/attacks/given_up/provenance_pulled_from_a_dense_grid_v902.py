# attack: numbers that really were taken out of a tensor: of a grid, at places that hidden work chose
# why = "given up: each digit really is taken out of a tensor of x1, at a place that hidden work chose; it takes more than the homework"
#: slopes_from_memory


def spelled(g, rows):
    """A number from digits below 60, each taken from the grid of quarters above whole numbers."""
    n, acc = round(abs(g) * 60**4), torch.zeros(())
    for k in range(5, -1, -1):
        acc = acc * 60 + (torch.tensor(rows[n // 60**k % 60]) - 0.25)
    return acc / 60**4 if g > 0 else -acc / 60**4
#: class, value
        g0, g1 = slopes(self, x1, x2, x3)
        rows = (x1 / x1 * (torch.arange(60.0) + 0.25)).tolist()
        self.w.grad = torch.stack([spelled(g0, rows), spelled(g1, rows)])
        return y
