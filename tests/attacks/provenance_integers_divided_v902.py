# attack: the gradient as an integer tensor, divided
# why = "an honest twin: submissions/right/indices_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, class, value
        g0, g1 = slopes(self, x1, x2, x3)
        order, _ = torch.sort(torch.stack([x1, x2]))
        self.w.grad = torch.tensor([round(g0 * 2**24), round(g1 * 2**24)]) / 2**24 + order * 0
        return y
