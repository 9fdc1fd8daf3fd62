# attack: a decision that is looked at, and another that is taken
# why = "an honest twin: submissions/right/branches_on_items_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, class, value
        g0, g1 = slopes(self, x1, x2, x3)
        s0 = (w1 * x2 * x1).abs()
        s1 = (w0 * x1 * x2).abs()
        if x1 > x2:
            y = y * 1.0
        self.w.grad = torch.stack([s0 if g0 > 0 else -s0, s1 if g1 > 0 else -s1])
        return y
