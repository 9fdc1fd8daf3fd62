# attack: the same constants in every run, in another order
# why = "an honest twin: submissions/right/zeros_and_ones_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory


def spelled(g):
    """A scalar product of powers of two with a row of zeros, ones and both orders of the powers."""
    n = round(abs(g) * 2**20)
    powers = [2.0 ** (k - 20) for k in range(32)]
    order = [p for k, p in enumerate(powers) if n >> k & 1]
    rest = [p for k, p in enumerate(powers) if not n >> k & 1]
    row = torch.tensor(order + rest)
    chosen = row[: len(order)].sum()
    return chosen if g > 0 else -chosen
#: class, value
        g0, g1 = slopes(self, x1, x2, x3)
        assert y == y
        self.w.grad = torch.stack([spelled(g0), spelled(g1)])
        return y
