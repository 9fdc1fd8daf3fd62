# attack: the same constants in every run, in one heap or the other
# why = "an honest twin: submissions/right/zeros_and_ones_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread


def spelled(g):
    """A sum of powers of two; those that are not in it are added up too, and taken times zero."""
    n = round(abs(g) * 2**30)
    powers = [2.0 ** (k - 30) for k in range(52)]
    taken = torch.tensor([p if n >> k & 1 else 0.0 for k, p in enumerate(powers)])
    left = torch.tensor([0.0 if n >> k & 1 else p for k, p in enumerate(powers)])
    total = taken.sum() + left.sum() * 0.0
    return total if g > 0 else -total
#: class, value
        g0, g1 = slopes(self, x1, x2, x3)
        assert y == y
        self.w.grad = torch.stack([spelled(g0), spelled(g1)])
        return y
