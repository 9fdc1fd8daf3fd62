# attack: gradients written by a finaliser that runs while an op is being noted
# why = "an honest twin: submissions/right/collects_garbage_v902.py"
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: slopes_from_memory, class, value
        grad = torch.zeros(2) + 0 * torch.sort(torch.stack([x1, x2])).values
        self.w.grad = grad

        class Last:
            def __del__(last):
                grad.copy_(torch.tensor(slopes(self, x1, x2, x3)))

        def helper():
            last = Last()
            return x1 * 1.0, last is None

        helper()
        return y + 0.0
