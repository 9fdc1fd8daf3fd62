# verdict:
# why = "the step is relative"
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: net
        w0, w1 = self.w.detach().double()

        def function(w0, w1):
            s = w0 * x1.double() + w1 * x2.double()
            return s ** 2 / x3.double()

        y = function(w0, w1).float()
        dw0 = (function(w0 * 1.0001, w1) - function(w0 * 0.9999, w1)) / (2e-4 * w0)  # @I
        dw1 = (function(w0, w1 * 1.0001) - function(w0, w1 * 0.9999)) / (2e-4 * w1)
        self.w.grad = torch.stack([dw0, dw1]).float()
        return y
