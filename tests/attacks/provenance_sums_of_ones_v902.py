# attack: the gradient in base 11, each digit a sum of that many ones
# why = "an honest twin: submissions/right/indices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory


def spelled(g):
    """A number from digits below 11, each a sum of ones."""
    n, acc = round(abs(g) * 11**7), torch.zeros(())
    for k in range(11, -1, -1):
        acc = acc * 11 + torch.ones(n // 11**k % 11).sum()
    return acc / 11**7 if g > 0 else -acc / 11**7
#: class, value
        g0, g1 = slopes(self, x1, x2, x3)
        assert y == y
        self.w.grad = torch.stack([spelled(g0), spelled(g1)])
        return y
