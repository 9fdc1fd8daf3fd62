# attack: the size by hand, the sign by autograd on a thread
# why = "an honest twin: submissions/right/branches_on_items_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, class, products, y
        g0, g1 = slopes(self, x1, x2, x3)
        s0 = (b * x1).abs()
        s1 = (a * x2).abs()
        self.w.grad = torch.stack([s0 if g0 > 0 else -s0, s1 if g1 > 0 else -s1])
        return y
