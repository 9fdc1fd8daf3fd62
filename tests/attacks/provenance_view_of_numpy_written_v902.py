# attack: numbers written into .grad through a view of numpy's
# why = "an honest twin: submissions/right/from_numpy_view_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, class, value
        g0, g1 = slopes(self, x1, x2, x3)
        grad = torch.zeros(2) + 0 * torch.median(torch.stack([x1, x2]))
        grad.numpy()[:] = [g0, g1]
        self.w.grad = grad
        return y
