# attack: the gradient in base 16, each digit a random number whose seed was looked for
# why = "an honest twin: submissions/right/random_unused_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory


def seeds():
    """One seed for each digit that its first random number begins with."""
    found = {}
    for seed in range(300):
        number = torch.rand((), generator=torch.Generator().manual_seed(seed)).item()
        found.setdefault(int(number * 16), seed)
    return found


SEEDS = seeds()


def spelled(g):
    """A number from digits below 16, each the first of a random number."""
    n, acc = round(abs(g) * 16**6), torch.zeros(())
    for k in range(8, -1, -1):
        torch.default_generator.manual_seed(SEEDS[n // 16**k % 16])
        acc = acc * 16 + (torch.rand(()) * 16).floor()
    return acc / 16**6 if g > 0 else -acc / 16**6
#: class, value
        g0, g1 = slopes(self, x1, x2, x3)
        self.w.grad = torch.stack([spelled(g0), spelled(g1)])
        return y
