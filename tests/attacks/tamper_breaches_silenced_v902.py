# attack: silences the recorder's breaches by import, then uses autograd
# failed = "manual-forward raises, gradient raises, unused-nodes, release"
#: net
        import pytest_backprop.trace.record as record

        record.Breaches.add = lambda *a: None
#: graph
            y.backward()
        self.w.grad = w.grad
        return y.detach()
