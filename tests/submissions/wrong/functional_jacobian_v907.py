# verdict:
# failed = "integrity autograd @I, integrity transform @I, gradient, unused-nodes, release"
#: net
        def function(w):
            w0, w1 = w
            r1 = w0 ** 2 + w1 * x1
            r2 = w0 * x2 - w1
            return r1 * r2 + x3 / r1

        y = function(self.w)
        self.w.grad = torch.autograd.functional.jacobian(function, self.w.detach())  # @I
        return y.detach()
