# attack: gradients of all weights kept from a run to the next, by a thread that adds up
# why = "an honest twin: submissions/right/counts_its_calls_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, weights
        self.kept = torch.zeros(2)
        self.numbers = [0.0, 0.0]
#: forward, pass, value
        new = slopes(self, x1, x2, x3)
        kept = self.kept
        step = torch.tensor([n - k for n, k in zip(new, self.numbers)])
        self.w.grad = kept + step + 0 * torch.sort(torch.stack([x1, x2])).values
        self.kept = self.w.grad.clone()
        self.numbers = self.kept.tolist()
        return y
