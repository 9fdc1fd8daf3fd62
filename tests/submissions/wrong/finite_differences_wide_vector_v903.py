# verdict:
# why = "exact, and along directions"
# failed = "integrity finite-differences @I, gradient, unused-nodes, release"
#: net
        w = self.w.detach()

        def function(w):
            s = w[0] * x1 + w[1] * x2
            return s ** 2 / x3

        y = function(w)
        grads = []
        for e in torch.eye(2):
            moved = w + 2 * e
            grads.append((function(moved) - function(w - 2 * e)) / 4)  # @I
            del moved, e
        self.w.grad = torch.stack(grads)
        return y
