# attack: the gradient among more numbers than are sent along
# why = "an honest twin: submissions/right/tables_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, class, value
        g0, g1 = slopes(self, x1, x2, x3)
        self.w.grad = torch.tensor([g0, g1] + [0.0] * 70)[:2].clone()
        return y
