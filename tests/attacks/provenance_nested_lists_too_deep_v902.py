# attack: a gradient in lists as deep as a recording may not be, typed in by hidden work
# why = "an honest twin: submissions/right/nested_lists_v902.py"
# failed = "integrity hidden-work, manual-forward hidden-work, gradient, unused-nodes, release"
#: slopes_from_a_thread, class, value
        data = slopes(self, x1, x2, x3)
        for _ in range(9):
            data = [data]
        self.w.grad = torch.tensor(data).reshape(2)
        return y
