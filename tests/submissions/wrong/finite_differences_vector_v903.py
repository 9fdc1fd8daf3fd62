# verdict:
# why = "the step is along a direction"
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: net
        w = self.w.detach().double()

        def function(w):
            s = w[0] * x1.double() + w[1] * x2.double()
            return s ** 2 / x3.double()

        y = function(w).float()
        h = 1e-4
        grads = []
        for e in torch.eye(2):
            moved = w + h * e
            grads.append((function(moved) - function(w - h * e)) / (2 * h))  # @I
            del moved, e
        self.w.grad = torch.stack(grads).float()
        return y
