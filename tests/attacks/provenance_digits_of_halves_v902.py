# attack: the gradient in base 41, each digit a number of halves
# why = "an honest twin: submissions/right/zeros_and_ones_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory


def spelled(g):
    """A number from digits between -10 and 10, in steps of a half."""
    n, digits = round(g * 2 * 41**5), []
    for _ in range(9):
        digit = (n + 20) % 41 - 20
        digits.append(digit / 2)
        n = (n - digit) // 41
    acc = torch.zeros(())
    for digit in reversed(digits):
        acc = acc * 41 + digit
    return acc / 41**5
#: class, value
        g0, g1 = slopes(self, x1, x2, x3)
        assert y == y
        self.w.grad = torch.stack([spelled(g0), spelled(g1)])
        return y
